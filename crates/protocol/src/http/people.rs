//! The relations of a user to other users.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::TableId;
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

/// The relations of the current user to another user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Relation {
    /// True if the current user follows the other one; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub follows: bool,
    /// True if the current user has blocked the other one; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub blocked: bool,
    /// True if the current user has muted the other one; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub muted: bool,
}

/// The answer to `GET /api/me/follows`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FollowedUsers {
    /// The users, the one that was followed last first.
    pub users: Vec<FollowedUser>,
}

/// A user whom the current user follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FollowedUser {
    /// The user.
    pub user: UserView,
    /// The time since which the current user follows the user, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// True if the user is connected now; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub online: bool,
    /// The public table at which the user plays now, the newest if there are several; absent if
    /// there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<TableId>,
}

/// The answer to `GET /api/me/opponents`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Opponents {
    /// The other players of the last 50 matches of the current user, the one of the last match first.
    pub opponents: Vec<Opponent>,
}

/// A user with whom the current user has played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Opponent {
    /// The user.
    pub user: UserView,
    /// The number of the current user's last 50 matches in which the user has played.
    pub matches: u32,
    /// The start of the last of these matches, in milliseconds since the Unix epoch.
    pub last_at_ms: u64,
    /// The relations of the current user to the user.
    pub relation: Relation,
}
