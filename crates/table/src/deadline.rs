//! The deadlines of a table: the one kind of moment that it waits for.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;

/// The kind of a deadline. Each checks again that it has expired, so that an extra one does no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// The time of the player to move is up (RULES G12), or its time for a first own move.
    Flag,
    /// The reconnect bank of the player to move is empty.
    BankEmpty,
    /// The player to move has exceeded the move limit of a match without clocks.
    MoveLimit,
    /// The match has been paused for as long as it may be.
    PauseEnds,
    /// The countdown to the end of a pause is over.
    CountdownEnds,
    /// The awaited player has been absent for a day.
    WaitEnds,
    /// The awaited player has returned.
    Returned,
}

/// The next deadline, if no event comes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The moment.
    pub at: Timestamp,
    /// The kind.
    pub timer: Timer,
}

/// The turn of a player who may move now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenTurn {
    /// The player; a bot while it replaces the holder of the seat.
    pub player: UserId,
    /// The moment by which the player must have moved, if there is one.
    pub deadline: Option<Timestamp>,
}
