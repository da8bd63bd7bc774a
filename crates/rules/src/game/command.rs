//! What may be asked of a game, and why it may be refused.

use super::{AbortCause, Request};
use crate::color::Color;
use crate::mv::Move;

/// Something a player, the clock or the table asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameCommand {
    /// A player moves.
    Move {
        /// Who moves.
        color: Color,
        /// The move.
        mv: Move,
        /// Whether a draw is claimed together with the move that brings it about (G11).
        claim_draw: bool,
    },
    /// A player gives up (G12).
    Resign {
        /// Who resigns.
        color: Color,
    },
    /// The running clock is said to be out of time (G12): the player goes out, or, if it has not made a move of its
    /// own yet, the match is aborted.
    Flag,
    /// The match is to end without places.
    Abort {
        /// Why.
        cause: AbortCause,
    },
    /// The table takes out a player who is absent (D11).
    Remove {
        /// Who is absent.
        color: Color,
    },
    /// A player asks all others still in for their consent (G9, S4).
    Ask {
        /// To what.
        request: Request,
        /// Who asks.
        color: Color,
    },
    /// A player agrees to the open request of a kind.
    Agree {
        /// Which kind.
        request: Request,
        /// Who agrees.
        color: Color,
    },
    /// A player declines the open request of a kind, which ends it; the asker takes it back so.
    Decline {
        /// Which kind.
        request: Request,
        /// Who declines.
        color: Color,
    },
    /// The player to move claims a draw by repetition or move count before moving (G11).
    ClaimDraw {
        /// Who claims.
        color: Color,
    },
}

/// Why a command was refused. Shown to the player; the game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// Nothing can be asked of a finished match.
    #[error("the match is over")]
    MatchOver,
    /// The color is not one of this variant's.
    #[error("{color} does not play in this variant")]
    UnknownColor {
        /// Who asked.
        color: Color,
    },
    /// The player is out.
    #[error("{color} is out of the match")]
    Eliminated {
        /// Who asked.
        color: Color,
    },
    /// Only the player to move may do this.
    #[error("it is {turn}'s turn")]
    NotYourTurn {
        /// Whose turn it is.
        turn: Color,
    },
    /// The move is not legal in this position.
    #[error("{mv} is not legal here")]
    IllegalMove {
        /// What was asked.
        mv: Move,
    },
    /// The move came after the player's time had run out.
    #[error("{color}'s time is up")]
    TimeIsUp {
        /// Whose time it is.
        color: Color,
    },
    /// The running clock has not fallen, or none runs.
    #[error("nobody's time is up")]
    TimeIsNotUp,
    /// A draw was claimed that G11 does not give; the move with it is refused too.
    #[error("no draw to claim: the position has occurred {occurrences} times and {plies} plies count")]
    NothingToClaim {
        /// How often the position in question has occurred.
        occurrences: u32,
        /// Plies since the last pawn move, capture or going out in that position.
        plies: u32,
    },
    /// A request of that kind is open already; it can be agreed to or declined.
    #[error("{by}'s {request} request is open")]
    RequestOpen {
        /// Which kind.
        request: Request,
        /// Who made it.
        by: Color,
    },
    /// One request of a kind per player per own turn (G9).
    #[error("{color} may make a {request} request again once its next turn has come")]
    RequestSpent {
        /// Which kind.
        request: Request,
        /// Who asked.
        color: Color,
    },
    /// There is no open request of that kind.
    #[error("no {request} request is open")]
    NoRequest {
        /// Which kind.
        request: Request,
    },
    /// The player has made the open request, or has agreed to it already.
    #[error("{color} has agreed to the {request} request already")]
    AlreadyAgreed {
        /// Which kind.
        request: Request,
        /// Who asked.
        color: Color,
    },
    /// The player has made no move since the start or the last going out (S4).
    #[error("{color} has no move to take back")]
    NothingToTakeBack {
        /// Who asked.
        color: Color,
    },
}
