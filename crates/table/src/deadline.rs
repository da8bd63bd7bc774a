//! The deadlines of a table. Without a command, a table does something only at a deadline.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;

/// The kind of a deadline. Before the table acts on a deadline, it checks again that the deadline
/// has expired. A timer that fires too early or too often therefore does no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// The clock of the player to move has run out (RULES G12), or the separate time for that
    /// player's first move has run out.
    Flag,
    /// The reconnect bank of the player to move is empty.
    BankEmpty,
    /// The player to move has exceeded the move limit of a match without clocks.
    MoveLimit,
    /// The vacation of a player is over.
    VacationEnds,
    /// The time for pauses is used up.
    PauseEnds,
    /// The countdown at the end of a pause is over.
    CountdownEnds,
    /// The match has waited for an absent player for as long as it may.
    WaitEnds,
    /// The absent player for whom the match has waited is back.
    Returned,
}

/// A time at which a table has to do something, unless an event before then changes the deadline.
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
    /// The user who may move. If a bot replaces the holder of the seat, this is the bot.
    pub player: UserId,
    /// The moment by which the player must have moved, if there is one.
    pub deadline: Option<Timestamp>,
}
