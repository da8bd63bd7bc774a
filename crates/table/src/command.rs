//! Commands to a table.

use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, RequestAction};
use quadrex_rules::{Color, Move, Request};

use crate::deadline::Timer;
use crate::outage::Outage;

/// A command to a table, by a user or by the table itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableCommand {
    /// A command of a user.
    Player(PlayerCommand),
    /// A deadline has expired.
    Timer(Timer),
    /// Nobody could move for a while, and the time is not charged.
    Compensate(Outage),
    /// Nobody has been present for as long as the table may stay open without people.
    Close,
}

/// A command of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerCommand {
    /// The user.
    pub by: UserView,
    /// The seat it is for, if the user named one.
    pub seat: Option<Color>,
    /// The action.
    pub action: Action,
}

/// An action of a user at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Take a seat before the start, or return to the one that a bot plays.
    Sit {
        /// The seat; the first open one if none is named.
        seat: Option<Color>,
        /// The invite, already validated for this table.
        invite: Option<Invitation>,
        /// The nonce that the seat adds to the lot.
        nonce: Nonce,
    },
    /// Leave the named seat before the start, or all seats.
    Leave,
    /// Kick a user from a seat before the start.
    Kick {
        /// The color of the seat.
        color: Color,
    },
    /// Request another match with the same people, or answer such a request.
    Rematch {
        /// The request or answer.
        action: RequestAction,
        /// The nonce that the seat adds to the lot.
        nonce: Nonce,
        /// A new id: that of the next match, if this requests it.
        next: MatchId,
    },
    /// Seat a bot before the start.
    AddBot {
        /// The seat; the first open one if none is named.
        seat: Option<Color>,
        /// The bot.
        bot: UserView,
        /// The nonce that the seat adds to the lot.
        nonce: Nonce,
    },
    /// Move.
    Move {
        /// The number of the last event that the client had received when it chose the move.
        after: u64,
        /// The move.
        mv: Move,
        /// True if the player claims the draw that the move brings about (RULES G11).
        claim_draw: bool,
    },
    /// Resign (RULES G12).
    Resign,
    /// End a pause.
    Resume,
    /// Ask all remaining players for consent, or answer such a request (RULES G9, S4).
    Request {
        /// The kind of request.
        request: Request,
        /// The request or answer.
        action: RequestAction,
    },
    /// Claim a draw before moving (RULES G11).
    ClaimDraw,
    /// Write a chat message (RULES D15).
    Chat {
        /// The room.
        room: Room,
        /// The message.
        message: ChatMessage,
    },
}

/// A valid invite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The seat that it is for; any open one if `None`.
    pub seat: Option<Color>,
}
