//! Bodies of `POST /api/analyse`: what the server's own engine thinks of a position.

use std::collections::BTreeMap;

use quadrex_rules::{Color, Move, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::explore::ExploreSetup;
use crate::vocabulary::{ColorText, MoveText, VariantText};

/// `POST /api/analyse`: which position, named as for `POST /api/explore`, and how closely it is looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Analyse {
    /// From where.
    pub setup: ExploreSetup,
    /// The moves made from there; looked at is the position after the last of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<MoveText>>")]
    #[schemars(with = "Vec<MoveText>")]
    pub moves: Vec<Move>,
    /// How many of the best moves are told, each with what is expected after it; 1 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lines: Option<u32>,
    /// How many positions are looked at, at most; as many as the server allows if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub nodes: Option<u32>,
}

/// Answer of `POST /api/analyse`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Analysis {
    /// Which rules.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// Who is to move.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub turn: Color,
    /// Plies looked ahead in full.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// The best moves, the best first; never empty.
    pub lines: Vec<AnalysisLine>,
}

/// One of the best moves, and what is expected after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AnalysisLine {
    /// What the line is worth to each player who is still in; of four, when everybody plays for itself.
    #[ts(as = "BTreeMap<ColorText, AnalysisScore>")]
    #[schemars(with = "BTreeMap<ColorText, AnalysisScore>")]
    pub scores: BTreeMap<Color, AnalysisScore>,
    /// Each player's chance to come first, in thousandths that sum up to 1000; of two players, to win, where a draw
    /// counts as half a win.
    #[ts(as = "BTreeMap<ColorText, u32>")]
    #[schemars(with = "BTreeMap<ColorText, u32>")]
    pub chances: BTreeMap<Color, u32>,
    /// The moves, the one to play first; never empty.
    pub moves: Vec<AnalysisMove>,
}

/// How a player stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AnalysisScore {
    /// Better or worse than the other; among more than two, than if all stood alike.
    Points {
        /// By so many hundredths of a pawn.
        points: i32,
    },
    /// It mates, however the others play: among more than two, all of them.
    Mates {
        /// In so many moves of its own.
        moves: u32,
    },
    /// It is mated, however it plays.
    Mated {
        /// In so many moves of whoever mates it.
        moves: u32,
    },
}

/// A move of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AnalysisMove {
    /// By whom.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The move.
    #[ts(as = "MoveText")]
    #[schemars(with = "MoveText")]
    pub mv: Move,
    /// In notation.
    pub text: String,
}
