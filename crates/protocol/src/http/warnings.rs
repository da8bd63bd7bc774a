//! Warnings of users by operators.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::UserId;

/// The body of `POST /api/admin/users/{user}/warn`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct WarnUser {
    /// The text, which the user sees, 1 to 500 characters.
    pub text: String,
}

/// A warning as the warned user sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WarningView {
    /// The number of the warning.
    pub number: u64,
    /// The text.
    pub text: String,
    /// The time of the warning, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The time at which the user has acknowledged the warning, in milliseconds since the Unix
    /// epoch; absent before that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub acknowledged_at_ms: Option<u64>,
}

/// A warning as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AdminWarning {
    /// The number of the warning.
    pub number: u64,
    /// The text.
    pub text: String,
    /// The time of the warning, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The operator.
    pub by: UserId,
    /// The time at which the user has acknowledged the warning, in milliseconds since the Unix
    /// epoch; absent before that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub acknowledged_at_ms: Option<u64>,
}
