//! Bodies of the routes for operators under `/api/admin`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::AdminWarning;
use crate::archive::MatchSummary;
use crate::user::UserView;
use crate::{MatchId, TableId, UserId};

/// A suspension as the suspended user sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct UserSuspensionView {
    /// The reason.
    pub reason: String,
    /// The beginning of the suspension, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// The end of the suspension, in milliseconds since the Unix epoch; absent if only an operator
    /// can end it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub until_ms: Option<u64>,
}

/// The answer to `GET /api/admin/users`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AdminUserList {
    /// The users, the newest first; with `suspended`, the last suspended ones first.
    pub users: Vec<AdminUser>,
}

/// A user in a list for operators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AdminUser {
    /// The user.
    pub user: UserView,
    /// The time of the user's first request, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The suspension; absent if the user is not suspended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub suspension: Option<UserSuspensionView>,
}

/// The answer to `GET /api/admin/users/{user}`, and to the actions of operators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AdminUserDetails {
    /// The user.
    pub user: UserView,
    /// The time of the user's first request, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The time at which the account was created, in milliseconds since the Unix epoch; absent for a
    /// guest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub account_created_at_ms: Option<u64>,
    /// The last use of a session or token that is still valid, exact to the hour, in milliseconds
    /// since the Unix epoch; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seen_at_ms: Option<u64>,
    /// The number of sessions.
    pub sessions: u32,
    /// The number of tokens that the user has created for programs.
    pub tokens: u32,
    /// The suspension; absent if the user is not suspended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub suspension: Option<UserSuspensionView>,
    /// The operator who has suspended the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub suspended_by: Option<UserId>,
    /// The warnings of the user, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<AdminWarning>>")]
    pub warnings: Vec<AdminWarning>,
    /// The number of reports about the user.
    pub reports: u32,
    /// The number of these reports that are open.
    pub open_reports: u32,
    /// The last started matches of the user, newest first, private ones included.
    pub matches: Vec<MatchSummary>,
}

/// The body of `POST /api/admin/users/{user}/suspend`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct SuspendUser {
    /// The reason, which the user sees, 1 to 500 characters.
    pub reason: String,
    /// The time until the suspension ends, in hours, 1 to 87600; null or absent if only an operator
    /// can end it.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub hours: Option<u32>,
}

/// The body of `POST /api/admin/users/{user}/rename`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct AdminRename {
    /// The new display name, 1 to 24 characters.
    pub name: String,
    /// The reason, 1 to 500 characters.
    pub reason: String,
}

/// The body of an action of an operator that needs only a reason, which is in the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct AdminReason {
    /// The reason, 1 to 500 characters.
    pub reason: String,
}

/// The answer to `POST /api/admin/tables/{table}/close`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TableClosed {
    /// The table.
    pub table: TableId,
    /// The last match at the table. If it was running, it is aborted.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
}
