//! Bodies of the routes about matches that are or were played, and about who played them.

use quadrex_rules::{AbortCause, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::http::TimeSetting;
use crate::view::{OutcomeView, SeatView, TableView, UserView};
use crate::vocabulary::{AbortCauseText, VariantText};
use crate::{MatchId, TableId};

/// Answer of `GET /api/matches`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MatchList {
    /// Matches that have begun, the newest first.
    pub matches: Vec<MatchSummary>,
    /// What to ask for as `before` to get the matches after these; none if these are the last.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub next: Option<String>,
}

/// A match as the archive lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MatchSummary {
    /// Which match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The table it is or was played at.
    pub table: TableId,
    /// Which rules.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The time control.
    pub time: TimeSetting,
    /// Without clocks: how long a move might take, milliseconds, if there was a limit and the archive knows it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub move_limit_ms: Option<u64>,
    /// The seats in turn order, with who played from there.
    pub seats: Vec<SeatView>,
    /// When it began, milliseconds since the Unix epoch.
    pub started_at_ms: u64,
    /// When it ended, milliseconds since the Unix epoch; not while it runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub ended_at_ms: Option<u64>,
    /// Moves made so far.
    pub plies: u32,
    /// The result, once it has ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub outcome: Option<OutcomeView>,
    /// Why it ended without places, if it did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<AbortCauseText>")]
    #[schemars(with = "Option<AbortCauseText>")]
    pub aborted: Option<AbortCause>,
}

/// Answer of `GET /api/matches/{match}`: what a `snapshot` of its table tells, also when the table has gone on to
/// another match since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MatchView {
    /// The table it is or was played at.
    pub table: TableId,
    /// Which match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The number of the last event in it.
    pub seq: u64,
    /// The match, without who is there now.
    pub view: TableView,
}

/// Answer of `GET /api/users/{user}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct UserPage {
    /// Who.
    pub user: UserView,
    /// Since when there is such a user, milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// How they did, by variant; variants they have not ended a match of are left out.
    pub standings: Vec<Standing>,
}

/// How somebody did in the matches of one variant that have ended with places, as far as who asks may see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Standing {
    /// Which rules.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// Matches played to their end. A hotseat match counts once for each seat held.
    pub played: u32,
    /// Of those, with the first place alone.
    pub won: u32,
    /// Of those, with the first place shared.
    pub drawn: u32,
    /// Of those, with the first, second, third and fourth place, shared ones among them.
    pub places: [u32; 4],
}
