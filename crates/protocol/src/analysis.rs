//! Bodies of `POST /api/analyse`: the built-in engine's analysis of a position.

use std::collections::BTreeMap;

use quadrex_rules::{Color, Move, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::explore::ExploreSetup;
use crate::vocabulary::{ColorText, MoveText, VariantText};

/// The body of `POST /api/analyse`: the position, given as in `POST /api/explore`, and the limits
/// of the search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Analyse {
    /// The initial position.
    pub setup: ExploreSetup,
    /// Moves to play from the initial position. The position after the last move is analysed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<MoveText>>")]
    #[schemars(with = "Vec<MoveText>")]
    pub moves: Vec<Move>,
    /// The number of best moves to return, each with its expected continuation; 1 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lines: Option<u32>,
    /// The maximum number of positions to search; the server's maximum if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub nodes: Option<u32>,
}

/// The answer to `POST /api/analyse`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Analysis {
    /// The variant.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The player to move.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub turn: Color,
    /// The depth searched in full, in plies.
    pub depth: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The best moves, the best first; never empty.
    pub lines: Vec<AnalysisLine>,
}

/// One of the best moves and its expected continuation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AnalysisLine {
    /// The score of the line for each active player.
    #[ts(as = "BTreeMap<ColorText, AnalysisScore>")]
    #[schemars(with = "BTreeMap<ColorText, AnalysisScore>")]
    pub scores: BTreeMap<Color, AnalysisScore>,
    /// Each player's chance of first place, in thousandths. The sum is 1000. With two players each
    /// number is the chance to win, and a draw counts as half a win.
    #[ts(as = "BTreeMap<ColorText, u32>")]
    #[schemars(with = "BTreeMap<ColorText, u32>")]
    pub chances: BTreeMap<Color, u32>,
    /// The moves of the line; never empty. The first is the move that the engine recommends.
    pub moves: Vec<AnalysisMove>,
}

/// A player's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AnalysisScore {
    /// The player's advantage over the opponent. With more than two players, the difference from
    /// the player's score in an even position. Negative for a disadvantage.
    Points {
        /// The advantage in hundredths of a pawn.
        centipawns: i32,
    },
    /// The player can force mate of the opponent, or of all opponents if there are several.
    Mates {
        /// The number of moves that the player needs until mate.
        moves: u32,
    },
    /// The player cannot avoid being mated.
    Mated {
        /// The number of moves that the opponent needs until mate.
        moves: u32,
    },
}

/// A move of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AnalysisMove {
    /// The player who makes the move.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The move.
    #[ts(as = "MoveText", rename = "move")]
    #[schemars(with = "MoveText")]
    #[serde(rename = "move")]
    pub mv: Move,
    /// The move in notation.
    pub notation: String,
}
