//! Bodies of the routes for conditional moves.

use quadrex_rules::Color;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::MatchId;
use crate::conditional::{ConditionalLine, ConditionalStep};
use crate::vocabulary::ColorText;

/// The answer to `GET` and `PUT /api/tables/{table}/conditional-moves`: the conditional moves of the
/// user in the current match of the table. Nobody else can read them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ConditionalMoves {
    /// The match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The user's seats that have conditional moves.
    pub seats: Vec<SeatConditionalMoves>,
    /// The numbers of the events in which the server has made conditional moves of the user.
    pub played: Vec<u64>,
}

/// The conditional moves of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SeatConditionalMoves {
    /// The color of the seat.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The number of the last event of the match, after which the first step of each line comes.
    pub after: u64,
    /// The lines that can still come true, without the steps that have been made. If several apply to
    /// the same moves of the opponents, the first one counts.
    pub lines: Vec<ConditionalLine>,
}

/// The body of `PUT /api/tables/{table}/conditional-moves`. Replaces all conditional moves of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct SetConditionalMoves {
    /// The match. If the table has another match, the request is refused as `other_match`.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The `seq` of the last event that the client had received. If the board or the turn has
    /// changed since that event, the request is refused as `stale`, unless it has no lines.
    pub after: u64,
    /// The user's seat, if the user holds several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// The lines; none to remove all conditional moves of the seat.
    pub lines: Vec<ConditionalLine>,
}

/// The body of `POST /api/tables/{table}/conditional-moves/board`, which returns the position after
/// the steps of a line as an exploration. After a step without a move, the opponent has not moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ConditionalBoard {
    /// The match. If the table has another match, the request is refused as `other_match`.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The number of the event after which the first step comes.
    pub after: u64,
    /// The steps.
    pub steps: Vec<ConditionalStep>,
}

/// The conditional moves of a user in a match, in the export of the personal data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MatchConditionalMoves {
    /// The match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The color of the seat.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The number of the event after which the first step of each line comes.
    pub after: u64,
    /// The lines.
    pub lines: Vec<ConditionalLine>,
}
