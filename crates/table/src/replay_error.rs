//! Errors of a log that cannot be replayed.

use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::{Color, Move, Request, StartError};

/// The error of a log that cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[error("event {seq} of match {match_id} does not follow from those before it")]
pub struct CorruptLog {
    /// The match.
    pub match_id: MatchId,
    /// The first event that cannot occur.
    pub seq: u64,
    /// The reason.
    pub source: ReplayError,
}

/// A reason for which an event cannot occur where the log has it.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The log does not begin with `opened`, or has another.
    #[error("a log begins with opened, and has no other")]
    Opened,
    /// The log is empty.
    #[error("the log is empty")]
    Empty,
    /// The setup is a position from which no match can start.
    #[error("no match can start from its set-up")]
    Start(#[from] StartError),
    /// The setup is not the text of a position.
    #[error("its set-up cannot be read")]
    Setup(#[from] quadrex_rules::SetupError),
    /// The seat does not exist, or is held or open against what the event needs.
    #[error("{0}'s seat cannot change hands here")]
    Seat(Color),
    /// The new host does not sit, or the match has started.
    #[error("{0} cannot be made host here")]
    Host(UserId),
    /// The table is closed already, or a match is running.
    #[error("the table is closed, or cannot close here")]
    Closed,
    /// A rematch cannot be requested, agreed to or declined here.
    #[error("no step towards a rematch can occur here")]
    Rematch,
    /// A seat is open, or the match has started.
    #[error("the match cannot start here: a seat is open, or it has started")]
    NotReady,
    /// The commitment or the start differs from what the table's key gives.
    #[error("the lot gives something else")]
    Lot,
    /// The match does not run.
    #[error("the match is not running")]
    NotRunning,
    /// The move is not this player's, or illegal.
    #[error("{1} is no move of {0} here")]
    Move(Color, Move),
    /// The match is suspended, or is not, against what the event needs.
    #[error("no suspension can begin, change or end like this here")]
    Suspension,
    /// A bot replaces the player already, or none does, or none can.
    #[error("no bot can begin or cease to play for {0} here")]
    StandIn(Color),
    /// The color has been eliminated.
    #[error("{0} is not in the match")]
    NotIn(Color),
    /// Such a request is open already, or there is none for the color to answer.
    #[error("{1} cannot do that about a {0} request here")]
    Request(Request, Color),
    /// The author of a message does not hold the logged seat.
    #[error("the author of the message does not hold that seat")]
    Speaker,
    /// There are fewer moves to take back.
    #[error("{0} moves cannot be taken back here")]
    Takeback(u32),
}
