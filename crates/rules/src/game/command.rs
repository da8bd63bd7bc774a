//! The commands of a game, and the reasons why a command is refused.

use super::{AbortCause, Request};
use crate::color::Color;
use crate::mv::Move;

/// A command of a player, the clock or the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameCommand {
    /// A move.
    Move {
        /// The moving player.
        color: Color,
        /// The move.
        mv: Move,
        /// True to claim a draw that this move brings about (rule G11).
        claim_draw: bool,
    },
    /// A resignation (rule G12).
    Resign {
        /// The resigning player.
        color: Color,
    },
    /// The claim that the running clock has expired (rule G12). The player to move is eliminated.
    /// If this player has not made its first move, the match is aborted instead.
    Flag,
    /// The end of the match without places.
    Abort {
        /// The cause.
        cause: AbortCause,
    },
    /// The removal of an absent player by the table (rule D11).
    Remove {
        /// The absent player.
        color: Color,
    },
    /// A request for the consent of all other players still in the match (rules G9, S4).
    Ask {
        /// The kind of request.
        request: Request,
        /// The requesting player.
        color: Color,
    },
    /// Consent to the open request of a kind.
    Agree {
        /// The kind of request.
        request: Request,
        /// The consenting player.
        color: Color,
    },
    /// A refusal of the open request of this kind. The refusal closes the request. The player who
    /// made the request uses this command to withdraw it.
    Decline {
        /// The kind of request.
        request: Request,
        /// The declining player.
        color: Color,
    },
    /// A draw claim by the player to move, before its move, for repetition or move count (rule
    /// G11).
    ClaimDraw {
        /// The claiming player.
        color: Color,
    },
}

/// The reason why a command was refused. It is shown to the player; the game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The match is over.
    #[error("the match is over")]
    MatchOver,
    /// The variant has no such color.
    #[error("{color} does not play in this variant")]
    UnknownColor {
        /// The player of the command.
        color: Color,
    },
    /// The player is eliminated.
    #[error("{color} is eliminated")]
    Eliminated {
        /// The player of the command.
        color: Color,
    },
    /// Only the player to move may give this command.
    #[error("it is {turn}'s turn")]
    NotYourTurn {
        /// The player to move.
        turn: Color,
    },
    /// The move is not legal in this position.
    #[error("{mv} is not legal here")]
    IllegalMove {
        /// The refused move.
        mv: Move,
    },
    /// The move came after the player's time had expired.
    #[error("{color}'s time is up")]
    TimeIsUp {
        /// The player.
        color: Color,
    },
    /// No clock has expired, or no clock runs.
    #[error("no player's time is up")]
    TimeIsNotUp,
    /// Rule G11 does not allow the claim. If the claim came with a move, the move is refused too.
    #[error("no draw to claim: the position has occurred {occurrences} times and {plies} plies count")]
    NothingToClaim {
        /// The number of occurrences of the position in question.
        occurrences: u32,
        /// The number of plies from the last pawn move, capture or elimination to that position.
        plies: u32,
    },
    /// A request of that kind is open already; the player can agree to it or decline it.
    #[error("{by}'s {request} request is open")]
    RequestOpen {
        /// The kind of request.
        request: Request,
        /// The player who made the open request.
        by: Color,
    },
    /// The player has already made a request of this kind since its last turn began, and may not
    /// make another request of this kind before its next turn (rule G9).
    #[error("{color} may make a {request} request again once its next turn has come")]
    AlreadyRequestedThisTurn {
        /// The kind of request.
        request: Request,
        /// The player of the command.
        color: Color,
    },
    /// There is no open request of that kind.
    #[error("no {request} request is open")]
    NoRequest {
        /// The kind of request.
        request: Request,
    },
    /// The player made the open request, or has agreed to it already.
    #[error("{color} has agreed to the {request} request already")]
    AlreadyAgreed {
        /// The kind of request.
        request: Request,
        /// The player of the command.
        color: Color,
    },
    /// The player has not moved since the start or the last elimination (rule S4).
    #[error("{color} has no move to take back")]
    NothingToTakeBack {
        /// The player of the command.
        color: Color,
    },
}
