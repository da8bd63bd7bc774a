//! Bodies of `/api/matches/{match}/review`: the engine's review of a match that has ended.

use std::collections::BTreeMap;

use quadrex_rules::Color;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::analysis::AnalysisMove;
use crate::vocabulary::ColorText;

/// The answer to `GET` and `POST /api/matches/{match}/review`: the state of the review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ReviewStatus {
    /// The match has no review yet, but a review can be requested.
    None {},
    /// The match has no review and cannot get one, because it has not ended, has no moves or too
    /// many moves, or because this server makes no reviews.
    Unavailable {},
    /// A review was requested and waits until earlier reviews are finished.
    Waiting {
        /// The number of reviews that are made before this one.
        ahead: u32,
    },
    /// The engine is making the review.
    Running {
        /// The number of positions that the engine has finished.
        done: u32,
        /// The number of positions of the match.
        of: u32,
    },
    /// The review is finished.
    Done {
        /// The review.
        review: Review,
    },
}

/// A review of a match: each player's chances during the match, and the moves that cost their
/// players most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Review {
    /// The number of nodes that the engine searched for a position.
    pub nodes: u32,
    /// Each player's chance of first place before the first move and after each move, in
    /// thousandths. The chances of one entry sum to 1000, and an eliminated player has 0. With two
    /// players each number is the chance of winning, and a draw counts as half a win. If the match
    /// ended with places, the last entry is the result.
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
    /// The player who made the move.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The kind of swing.
    pub kind: SwingKind,
    /// The chance that the move cost its player, in thousandths.
    pub loss: u32,
    /// The best move in the position before the move, with its expected continuation; never empty.
    pub best: Vec<AnalysisMove>,
}

/// The kind of a move that cost its player chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SwingKind {
    /// The move cost its player at least 100 thousandths.
    Mistake,
    /// The move cost its player at least 150 thousandths.
    Blunder,
}

impl SwingKind {
    /// Returns the kind of a move that cost its player `thousandths` of the chance of first place;
    /// `None` if this loss is too small. The thresholds are those of lichess, whose `Advice` uses
    /// 0.2 and 0.3 on a scale from -1 to 1.
    #[must_use]
    pub const fn of_loss(thousandths: u32) -> Option<Self> {
        match thousandths {
            0..100 => None,
            100..150 => Some(Self::Mistake),
            _ => Some(Self::Blunder),
        }
    }
}
