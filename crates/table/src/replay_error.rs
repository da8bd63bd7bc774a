//! The errors of a log that cannot be replayed.

use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::{Color, Move, Request, StartError};

/// The error of a log that cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[error("event {seq} of match {match_id} does not follow from those before it")]
pub struct CorruptLog {
    /// The match that the log belongs to.
    pub match_id: MatchId,
    /// The number of the first event that cannot occur at its place.
    pub seq: u64,
    /// The reason for which that event cannot occur there.
    pub source: ReplayError,
}

/// The reason for which an event cannot occur at its place in the log.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The first event is not `opened`, or a later event is `opened`.
    #[error("a log begins with opened, and has no other")]
    Opened,
    /// The log is empty.
    #[error("the log is empty")]
    Empty,
    /// No match can start from the position in the settings.
    #[error("no match can start from its set-up")]
    Start(#[from] StartError),
    /// The start position in the settings cannot be parsed.
    #[error("its set-up cannot be read")]
    Setup(#[from] quadrex_rules::SetupError),
    /// The seat does not exist. Or the event requires an open seat, but the seat is taken; or the
    /// opposite.
    #[error("{0}'s seat cannot change hands here")]
    Seat(Color),
    /// The new host has no seat, or the match has started.
    #[error("{0} cannot be made host here")]
    Host(UserId),
    /// The table is closed already, or a match is running.
    #[error("the table is closed, or cannot close here")]
    Closed,
    /// A rematch cannot be requested, agreed to or declined at this place.
    #[error("no step towards a rematch can occur here")]
    Rematch,
    /// A seat is open, or the match has started.
    #[error("the match cannot start here: a seat is open, or it has started")]
    NotReady,
    /// The result of the lot (the verifiable draw), or the commitment to its secret, differs from
    /// the one that is calculated with the table's key.
    #[error("the lot gives something else")]
    Lot,
    /// No match is running.
    #[error("the match is not running")]
    NotRunning,
    /// It is not this player's turn, or the move is illegal.
    #[error("{1} is no move of {0} here")]
    Move(Color, Move),
    /// The event requires that the match is suspended, but it is not; or the opposite.
    #[error("no suspension can begin, change or end like this here")]
    Suspension,
    /// A vacation begins or ends that cannot begin or end here.
    #[error("no vacation can begin or end here")]
    Vacation,
    /// The event requires that a bot replaces the player, but no bot does; or the opposite.
    #[error("no bot can begin or cease to play for {0} here")]
    Substitution(Color),
    /// The player of the color has been eliminated.
    #[error("{0} is not in the match")]
    NotPlaying(Color),
    /// A request of this kind is open already, or there is no request that the player can answer.
    #[error("{1} cannot do that about a {0} request here")]
    Request(Request, Color),
    /// The author of a message does not hold the seat that the log names.
    #[error("the author of the message does not hold that seat")]
    Author,
    /// The event takes back more moves than were made.
    #[error("{0} moves cannot be taken back here")]
    Takeback(u32),
}
