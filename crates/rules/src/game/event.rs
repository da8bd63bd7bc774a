//! What has happened in a game: the words of its record.

use alloc::vec::Vec;

use super::outcome::{AbortCause, Cause, Places, Reason};
use super::request::Request;
use crate::color::Color;
use crate::mv::Move;

/// One thing that happened and cannot be refused any more. The record of a match is a list of these.
///
/// Serialised as a map with the tag `type` in snake case.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)
)]
pub enum GameEvent {
    /// A player moved and the turn passed on.
    Moved {
        /// Who moved.
        color: Color,
        /// The move.
        mv: Move,
        /// The mover's time after the move, increment included, in milliseconds; none without clocks.
        left_ms: Option<u64>,
    },
    /// A player went out; its pieces left the board (D8, D11). Never in `classic`.
    Eliminated {
        /// Who went out.
        color: Color,
        /// Why.
        cause: Cause,
        /// For a mate, the players whose pieces attacked the king, in turn order (D12); else empty.
        by: Vec<Color>,
    },
    /// A player asked all others still in for their consent (G9, S4).
    Requested {
        /// To what.
        request: Request,
        /// Who asked.
        color: Color,
    },
    /// One player agreed to the open request of a kind.
    Agreed {
        /// Which kind.
        request: Request,
        /// Who agreed.
        color: Color,
    },
    /// The open request of a kind was declined, or withdrawn by the asker.
    Declined {
        /// Which kind.
        request: Request,
        /// Who declined.
        color: Color,
    },
    /// The last moves were taken back.
    TakenBack {
        /// How many moves.
        plies: u32,
        /// Time left to the player whose clock was running, in milliseconds (spent time stays spent).
        left_ms: Option<u64>,
    },
    /// The match ended without places.
    Aborted {
        /// Why.
        cause: AbortCause,
    },
    /// The match ended.
    Ended {
        /// Why.
        reason: Reason,
        /// The final ranks.
        places: Places,
    },
}
