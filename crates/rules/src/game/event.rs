//! The events of a game, which form its record.

use alloc::vec::Vec;

use super::outcome::{AbortCause, Places, Reason};
use super::request::Request;
use crate::color::Color;
use crate::elimination::Cause;
use crate::mv::Move;

/// An event that happened and can no longer be refused. The record of a match is a list of events.
///
/// Serialised as a map with the tag `type` in snake case.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)
)]
pub enum GameEvent {
    /// A player moved and the turn passed.
    Moved {
        /// The moving player.
        color: Color,
        /// The move.
        mv: Move,
        /// The mover's time after the move, including the increment, in milliseconds; `None`
        /// without clocks.
        left_ms: Option<u64>,
    },
    /// A player was eliminated; its pieces left the board (rules D8, D11). Never in `classic`.
    Eliminated {
        /// The eliminated player.
        color: Color,
        /// The cause of the elimination.
        cause: Cause,
        /// For a checkmate, the players whose pieces attacked the king, in turn order (rule D12);
        /// otherwise empty.
        by: Vec<Color>,
    },
    /// A player asked all other players still in the match for their consent (rules G9, S4).
    Requested {
        /// The kind of request.
        request: Request,
        /// The requesting player.
        color: Color,
    },
    /// A player agreed to the open request of this kind.
    Agreed {
        /// The kind of request.
        request: Request,
        /// The consenting player.
        color: Color,
    },
    /// The open request of this kind was declined, or the requesting player withdrew it.
    Declined {
        /// The kind of request.
        request: Request,
        /// The declining player.
        color: Color,
    },
    /// The last moves were taken back.
    TakenBack {
        /// The number of moves.
        plies: u32,
        /// The remaining time of the player whose clock was running, in milliseconds. Used time is
        /// not returned.
        left_ms: Option<u64>,
    },
    /// The match ended without places.
    Aborted {
        /// The cause of the abort.
        cause: AbortCause,
    },
    /// The match ended.
    Ended {
        /// The reason for the end.
        reason: Reason,
        /// The final places.
        places: Places,
    },
}
