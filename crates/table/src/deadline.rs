//! The deadlines of a table. A table waits for nothing else but commands.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;

/// The kind of a deadline. When it is handled, the table checks again that it has expired, and so a
/// timer that runs too often does no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// The clock of the player to move has run out (RULES G12), or the time for that player's first
    /// move.
    Flag,
    /// The reconnect bank of the player to move is empty.
    BankEmpty,
    /// The player to move has exceeded the move limit of a match without clocks.
    MoveLimit,
    /// The time for pauses is used up.
    PauseEnds,
    /// The countdown at the end of a pause is over.
    CountdownEnds,
    /// The match has waited for an absent player for as long as it may.
    WaitEnds,
    /// The absent player, for whom the match waits, has returned.
    Returned,
}

/// A time at which a table has to do something if no event comes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The time of the deadline.
    pub at: Timestamp,
    /// The kind of deadline.
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
