//! The faults of a simulated database.

use std::fmt;
use std::future::pending;
use std::io;
use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_rules::Timestamp;

use crate::log::Epoch;
use crate::ownership::NodeId;

/// A function that decides which accesses to a simulated database fail. It is called once for each
/// access, before it. For a repeatable simulation its decisions must only depend on its arguments,
/// the simulated time and its own state.
pub trait FaultPlan: Send + Sync + fmt::Debug {
    /// Returns the fault of an access. `statement` is the text of the SQL statement, or a verb
    /// phrase for an access that is not one statement. `server` is the name of the server
    /// ([`SimulatedDatabase::for_server`](super::SimulatedDatabase::for_server)).
    fn decide(&self, access: Access, statement: &'static str, server: Option<&str>) -> Fault;

    /// Called when events have just been committed to the log of a match, even if the answer is lost
    /// afterwards.
    fn committed(&self, _appended: &Appended<'_>) {}

    /// Called when a node of a cluster has just claimed a match, even if the answer is lost afterwards.
    fn claimed(&self, _claimed: &ClaimedBy) {}

    /// Called when a node of a cluster has just released matches, or has left with them, even if the
    /// answer is lost afterwards.
    fn released(&self, _node: NodeId, _matches: &[MatchId]) {}

    /// Called when a server has just renewed its lease, even if the answer is lost afterwards. No other
    /// server takes over what it serves for the time `lease`.
    fn renewed(&self, _server: Option<&str>, _lease: Duration) {}
}

/// Events that were committed to the log of a match.
#[derive(Clone, Copy, Debug)]
pub struct Appended<'a> {
    /// The match.
    pub match_id: MatchId,
    /// The number of the last event.
    pub last_seq: u64,
    /// The events, as JSON.
    pub events: &'a [String],
    /// The epoch of the append.
    pub epoch: Epoch,
    /// The server that appended.
    pub server: Option<&'a str>,
    /// The owner of the match at this moment.
    pub owner: Option<NodeId>,
    /// The epoch of the match at this moment.
    pub owner_epoch: Epoch,
}

/// A match that a node has claimed.
#[derive(Clone, Copy, Debug)]
pub struct ClaimedBy {
    /// The match.
    pub match_id: MatchId,
    /// The new owner.
    pub node: NodeId,
    /// The epoch of the claim.
    pub epoch: Epoch,
    /// The owner before, and the last renewal of its lease; `None` if the match had no owner, or the
    /// owner has no row any more.
    pub before: Option<(NodeId, Timestamp)>,
    /// The time from which no node ran the match; `None` if it is not known.
    pub unowned_since: Option<Timestamp>,
    /// True if the match hibernates, and continues to.
    pub hibernates: bool,
}

/// A kind of access to a simulated database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A statement that reads, or the beginning of a session.
    Read,
    /// A statement that may write. Alone it is a transaction of its own.
    Write,
    /// The COMMIT of a transaction with several statements, or a group of appends to logs, which is
    /// one access as a whole.
    Commit,
}

/// The fault of an access to a simulated database.
///
/// After each fault but [`Slow`](Self::Slow) the connection counts as broken: an open transaction is
/// rolled back, and other servers need not wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The access succeeds.
    None,
    /// The access succeeds after this time. In a transaction, other transactions wait meanwhile.
    Slow(Duration),
    /// The database cannot be reached. Nothing is executed, and the caller knows that.
    Unavailable,
    /// The access is executed, but the connection breaks before the answer.
    LostAnswer,
    /// The connection breaks before the access is executed. The caller cannot distinguish this from
    /// a lost answer.
    LostRequest,
    /// Nothing is executed, and no answer comes until the caller gives up.
    Hang,
    /// The access is executed, but no answer comes until the caller gives up.
    HangAfter,
}

/// A plan without faults.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFaults;

impl FaultPlan for NoFaults {
    fn decide(&self, _access: Access, _statement: &'static str, _server: Option<&str>) -> Fault {
        Fault::None
    }
}

/// The way in which the answer to an executed access reaches the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(super) enum Answer {
    Arrives,
    IsLost,
    NeverComes,
}

impl Fault {
    /// Returns true if the access is not executed.
    pub(super) fn prevents_execution(self) -> bool {
        matches!(self, Self::Unavailable | Self::LostRequest | Self::Hang)
    }

    /// Waits until the access is to be executed. Returns an error, or never returns, if it is not.
    pub(super) async fn request(self) -> Result<Answer, sqlx::Error> {
        match self {
            Self::None => Ok(Answer::Arrives),
            Self::Slow(duration) => {
                tokio::time::sleep(duration).await;
                Ok(Answer::Arrives)
            }
            Self::Unavailable => Err(unavailable()),
            Self::LostRequest => Err(broken()),
            Self::Hang => pending().await,
            Self::LostAnswer => Ok(Answer::IsLost),
            Self::HangAfter => Ok(Answer::NeverComes),
        }
    }
}

impl Answer {
    /// Passes the result of an access on to the caller.
    pub(super) async fn pass<T>(self, result: Result<T, sqlx::Error>) -> Result<T, sqlx::Error> {
        match self {
            Self::Arrives => result,
            Self::IsLost => Err(broken()),
            Self::NeverComes => pending().await,
        }
    }
}

/// Returns the error of a connection that cannot be opened.
pub(super) fn unavailable() -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(io::ErrorKind::ConnectionRefused, "the database cannot be reached"))
}

/// Returns the error of a connection that is broken.
pub(super) fn broken() -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(io::ErrorKind::ConnectionReset, "the connection to the database broke"))
}
