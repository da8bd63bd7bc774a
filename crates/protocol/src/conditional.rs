//! Conditional moves: moves that a player of a correspondence match has stored for certain moves of
//! the opponents.

use quadrex_rules::{Color, Move};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::vocabulary::{ColorText, MoveText};

/// The largest number of lines of a seat.
pub const MAX_CONDITIONAL_LINES: usize = 20;

/// The largest number of steps of a line.
pub const MAX_CONDITIONAL_STEPS: usize = 40;

/// A step of a line of conditional moves: a move of an opponent as a condition, or a move of the
/// player who has stored the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ConditionalStep {
    /// The color that moves.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The move. Absent if any move of an opponent meets the condition, which is possible in a
    /// variant with more than two players.
    #[ts(optional, as = "Option<MoveText>", rename = "move")]
    #[schemars(with = "Option<MoveText>")]
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<Move>,
}

/// A line of conditional moves: steps in turn order from the position after a certain event. The
/// last step is a move of the player who has stored the line.
pub type ConditionalLine = Vec<ConditionalStep>;
