//! Bodies of the HTTP routes for past and running matches and for their players.

use quadrex_rules::{AbortCause, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::http::Relation;
use crate::rating::RatingView;
use crate::settings::TimeSetting;
use crate::user::UserView;
use crate::view::{OutcomeView, SeatView, TableView};
use crate::vocabulary::{AbortCauseText, VariantText};
use crate::{MatchId, TableId};

/// The answer to `GET /api/matches`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MatchList {
    /// Matches that have started, newest first.
    pub matches: Vec<MatchSummary>,
    /// The value of `before` that requests the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub next: Option<String>,
}

/// A match in an archive list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MatchSummary {
    /// The match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The match's table.
    pub table: TableId,
    /// The variant.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The time control.
    pub time: TimeSetting,
    /// The time limit for a move in a match without clocks, in milliseconds. Absent if there was
    /// none, or if the match was archived by a version that did not store it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub move_limit_ms: Option<u64>,
    /// True if the match counts for ratings, unless it ends without a result.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
    /// The seats in turn order, with their players.
    pub seats: Vec<SeatView>,
    /// The time of the start, in milliseconds since the Unix epoch.
    pub started_at_ms: u64,
    /// The time of the end, in milliseconds since the Unix epoch; absent while the match runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub ended_at_ms: Option<u64>,
    /// The number of moves so far.
    pub plies: u32,
    /// The result, once the match has ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub outcome: Option<OutcomeView>,
    /// The reason why the match was aborted; absent if it was not aborted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<AbortCauseText>")]
    #[schemars(with = "Option<AbortCauseText>")]
    pub aborted: Option<AbortCause>,
}

/// The answer to `GET /api/matches/{match}`. It has the contents of a `snapshot` frame of the
/// match, even if the table has another match now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MatchView {
    /// The match's table.
    pub table: TableId,
    /// The match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The number of the match's last event.
    pub seq: u64,
    /// The state of the match, without the current presence of its players.
    pub view: TableView,
}

/// The answer to `GET /api/matches/{match}/share`: the requesting user's own share link of the
/// match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShareStatus {
    /// The time at which the link was created, in milliseconds since the Unix epoch; absent if
    /// there is no link.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub created_at_ms: Option<u64>,
}

/// The answer to `POST /api/matches/{match}/share`: a new share link. Everybody who has the link
/// may read the match until the player removes the link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShareCreated {
    /// The secret of the link. It belongs in the link's fragment, `/m/<match>#share=<secret>`, and
    /// in the header `Share-Secret` of requests about the match. No other request returns it.
    pub secret: String,
    /// The time at which the link was created, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The origin for the link, like `origin` in `link_created`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub origin: Option<String>,
}

/// The answer to `GET /api/users/{user}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct UserPage {
    /// The user.
    pub user: UserView,
    /// The time when the user was created, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The results by variant. A variant in which no match has finished is not listed.
    pub standings: Vec<Standing>,
    /// The ratings, by variant and speed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<RatingView>>")]
    pub ratings: Vec<RatingView>,
    /// The relations of the current user to the user; absent without a current user, and for the
    /// current user itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub relation: Option<Relation>,
}

/// A user's results in the finished matches of one variant. Only matches that the requesting user
/// may see are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Standing {
    /// The variant.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The number of finished matches. A hotseat match counts once for each seat that the user
    /// held.
    pub played: u32,
    /// The number of these matches in which the user had first place alone.
    pub won: u32,
    /// The number of these matches in which the user shared first place.
    pub drawn: u32,
    /// The numbers of first, second, third and fourth places in these matches, including shared
    /// places.
    pub places: [u32; 4],
}
