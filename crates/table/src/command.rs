//! Commands to a table.

use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::conditional::ConditionalLine;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, RequestAction};
use quadrex_rules::{Color, Move, Request};
use serde::{Deserialize, Serialize};

use crate::deadline::Timer;
use crate::decide::Vacation;
use crate::outage::Outage;

/// A command to a table, by a user or by the table itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableCommand {
    /// The command of a user.
    Player(PlayerCommand),
    /// A deadline has expired.
    Timer(Timer),
    /// The server could do nothing for some time, and the players are not charged for this time.
    Compensate(Outage),
    /// The vacations of the match's players may have changed. The match receives one change at a time.
    UpdateVacations(Vec<Vacation>),
    /// Nobody has been present for the time after which an empty table closes.
    Close,
}

/// The command of a user. Servers send it to each other, so its fields may only be added to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerCommand {
    /// The user who sent the command.
    pub by: UserView,
    /// The seat for which the command is meant, if the user named a seat.
    pub seat: Option<Color>,
    /// The action that the user requests.
    pub action: Action,
}

/// An action of a user at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Take a seat before the start, or return to a seat in which a bot replaces the user.
    Sit {
        /// The wanted seat; `None` for the first open one.
        seat: Option<Color>,
        /// The invite that the user has presented, if any. It is known to be valid for this table.
        invite: Option<Invitation>,
        /// The user's nonce for the lot, the verifiable draw of the player who begins.
        nonce: Nonce,
        /// The user's rating in the variant at the table's speed. Needed only at a table with a range
        /// of ratings, from users without an invite.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rating: Option<i32>,
    },
    /// Leave the seat that [`PlayerCommand::seat`] names, or all seats if it names none. After the
    /// end of the match, refuse a rematch.
    Leave,
    /// Kick a user from a seat before the start.
    Kick {
        /// The color of the seat.
        color: Color,
    },
    /// Request another match with the same people, or answer such a request.
    Rematch {
        /// The user asks for the rematch, accepts it or declines it.
        action: RequestAction,
        /// The user's nonce for the lot of the next match.
        nonce: Nonce,
        /// The id of the next match. It is used only if the action asks for the rematch.
        next: MatchId,
    },
    /// Give a seat to a bot before the start.
    AddBot {
        /// The wanted seat; `None` for the first open one.
        seat: Option<Color>,
        /// The bot as a user.
        bot: UserView,
        /// The bot's nonce for the lot.
        nonce: Nonce,
    },
    /// Make a move.
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
    /// Ask all remaining players to agree to something, or answer such a request (RULES G9, S4).
    Request {
        /// The kind of request, such as a draw offer.
        request: Request,
        /// The user makes the request, accepts it or declines it.
        action: RequestAction,
    },
    /// Claim a draw before moving (RULES G11).
    ClaimDraw,
    /// Store conditional moves of a seat in place of those that it has. They are stored beside the
    /// log, so this action causes no events.
    SetConditionalMoves {
        /// The number of the last event that the client had received.
        after: u64,
        /// The lines; none to remove all conditional moves of the seat.
        lines: Vec<ConditionalLine>,
    },
    /// Look up the vacations of the match's players, because the user's vacation has changed. This
    /// action itself causes no events.
    UpdateVacation,
    /// Write a chat message (RULES D15).
    Chat {
        /// The room in which the message is written.
        room: Room,
        /// The message itself.
        message: ChatMessage,
    },
    /// Close the table, as an operator of the server. A running match is aborted. The server has
    /// checked that the author is an operator.
    Close {
        /// The reason, which everybody at the table sees.
        reason: String,
    },
}

/// An invite that is known to be valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// The seat to which the user is invited; `None` for any open seat.
    pub seat: Option<Color>,
}
