//! Accounts and recovery keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The body of `POST /api/account`, which is answered with a [`UserView`](crate::user::UserView).
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewAccount {
    /// The name of the account, 1 to 24 characters. It becomes the user's display name.
    pub name: String,
    /// The password, 8 to 128 characters.
    pub password: String,
}

/// The body of `PUT /api/account/password`, which is answered with a
/// [`SessionsEnded`](super::SessionsEnded).
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ChangePassword {
    /// The current password; absent if the account has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub current: Option<String>,
    /// The new password, 8 to 128 characters.
    pub new: String,
}

/// The answer to `POST /api/recovery-key`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RecoveryKeyCreated {
    /// The recovery key. No other request returns it, because the server stores only its hash.
    pub recovery_key: String,
}
