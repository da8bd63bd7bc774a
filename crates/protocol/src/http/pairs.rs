//! Pairs of users who spare each other in rated matches, for operators.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::archive::MatchSummary;
use crate::user::UserView;

/// The answer to `GET /api/admin/pairs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PairList {
    /// The pairs, the most conspicuous first.
    pub pairs: Vec<PairView>,
}

/// The answer to `GET /api/admin/pairs/{one}/{other}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PairDetails {
    /// The pair. The first user has the smaller id.
    pub pair: PairView,
    /// The common rated matches of more than two players, newest first, at most 50.
    pub matches: Vec<MatchSummary>,
}

/// Two users who have played in the same rated matches of more than two players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PairView {
    /// The first user.
    pub a: UserView,
    /// The second user.
    pub b: UserView,
    /// The number of common matches in the last 180 days.
    pub matches: u32,
    /// The number of standard deviations by which the users have done less to each other than
    /// expected. It is negative if they have done more.
    pub spares: f64,
    /// The acts of the first user against the second one.
    pub a_to_b: PairCount,
    /// The acts of the second user against the first one.
    pub b_to_a: PairCount,
    /// The end of the last common match, in milliseconds since the Unix epoch.
    pub last_ms: u64,
}

/// The acts of a user against another one, and the expected numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PairCount {
    /// The number of captured pieces.
    pub captures: u32,
    /// The expected number of captures.
    pub expected_captures: f64,
    /// The number of checks.
    pub checks: u32,
    /// The expected number of checks.
    pub expected_checks: f64,
    /// The number of mates in which the user attacked the king of the other one.
    pub eliminations: u32,
    /// The expected number of these mates.
    pub expected_eliminations: f64,
}
