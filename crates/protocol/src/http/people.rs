//! The relations of a user to other users.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::user::UserView;

/// The answer to `GET /api/me/blocks` and to `GET /api/me/mutes`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RelatedUsers {
    /// The users, the one that was added last first.
    pub users: Vec<RelatedUser>,
}

/// A user to whom the current user has a relation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RelatedUser {
    /// The user.
    pub user: UserView,
    /// The time at which the user was added, in milliseconds since the Unix epoch.
    pub since_ms: u64,
}
