//! Bodies of `/api/matches/{match}/review`: the engine's review of a match that has ended.

use std::collections::BTreeMap;

use quadrex_rules::Color;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::analysis::AnalysisMove;
use crate::vocabulary::ColorText;

/// Answer of `GET` and `POST /api/matches/{match}/review`: the state of the review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ReviewStatus {
    /// There is none; it may be requested.
    None {},
    /// There is none, and none is made: the match has not ended or has no moves or too many, or
    /// this server makes no reviews.
    Unavailable {},
    /// It was requested and waits for its turn.
    Waiting {
        /// The number of reviews that come before it.
        ahead: u32,
    },
    /// The engine is at it.
    Running {
        /// The number of positions that are done.
        done: u32,
        /// The number of positions of the match.
        of: u32,
    },
    /// It is made.
    Done {
        /// The review.
        review: Review,
    },
}

/// A review of a match: how each player's chances went, and the moves that cost most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Review {
    /// The number of nodes that the engine searched for a position.
    pub nodes: u32,
    /// Each player's chance of first place (with two players, of winning, where a draw counts as
    /// half a win) before the first move and after each move, in thousandths that sum to 1000. The
    /// last one is the result, if the match ended with places. Eliminated players have 0.
    #[ts(as = "Vec<BTreeMap<ColorText, u32>>")]
    #[schemars(with = "Vec<BTreeMap<ColorText, u32>>")]
    pub chances: Vec<BTreeMap<Color, u32>>,
    /// The moves that cost their players most, in the order of the match.
    pub swings: Vec<Swing>,
}

/// A move that cost its player chances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Swing {
    /// The number of the move in the match, from 1.
    pub ply: u32,
    /// The player who made it.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// Its kind.
    pub kind: SwingKind,
    /// The chance that it cost its player, in thousandths.
    pub loss: u32,
    /// The best move in its place, with the expected continuation; never empty.
    pub best: Vec<AnalysisMove>,
}

/// The kind of a move that cost its player chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SwingKind {
    /// It cost at least 100 thousandths.
    Mistake,
    /// It cost at least 150 thousandths.
    Blunder,
}

impl SwingKind {
    /// Returns the kind of a move by the chance that it cost; `None` if that is little. The
    /// thresholds are those of lichess, whose `Advice` takes 0.2 and 0.3 on a scale from -1 to 1.
    #[must_use]
    pub const fn of_loss(thousandths: u32) -> Option<Self> {
        match thousandths {
            0..100 => None,
            100..150 => Some(Self::Mistake),
            _ => Some(Self::Blunder),
        }
    }
}
