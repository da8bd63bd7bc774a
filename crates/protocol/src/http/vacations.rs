//! Bodies of the routes for vacations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The answer to `GET`, `PUT` and `DELETE /api/me/vacation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct VacationStatus {
    /// The days that each user has a year; 0 if there are no vacations.
    pub days_per_year: u32,
    /// The days that the user has left this year.
    pub days_left: u32,
    /// The vacation; absent if the user is not on vacation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub current: Option<Vacation>,
}

/// A vacation of a user. The clocks of the user in correspondence matches do not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Vacation {
    /// The beginning, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// The end, in milliseconds since the Unix epoch.
    pub until_ms: u64,
}

/// The body of `PUT /api/me/vacation`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct BeginVacation {
    /// The number of days, at least one; if not given, all days that the user has left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub days: Option<u32>,
}
