//! The log of a match, as it is written and read.

use std::error::Error;
use std::fmt;

use quadrex_protocol::{CmdId, Event, MatchId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::error::{StoreError, read_seq};
use super::identity::SecretHash;

/// The number of a claim of a match. Each claim raises it by one, and only its newest holder may append.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(pub u64);

impl Epoch {
    /// The epoch of whoever opened the match.
    pub const FIRST: Self = Self(1);
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One command's events, to be written all or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// Which match.
    pub match_id: MatchId,
    /// The epoch the writer holds.
    pub epoch: Epoch,
    /// The last event the writer knows.
    pub head_seq: u64,
    /// When.
    pub at: Timestamp,
    /// What happened, in order. At least one.
    pub events: Vec<Event>,
    /// Who caused it; nobody for what a clock did.
    pub by: Option<Author>,
    /// The match that follows at the same table, begun in the same transaction.
    pub next: Option<NextMatch>,
}

/// A match that follows another one at its table. Its epoch, [`Epoch::FIRST`], belongs to who appends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextMatch {
    /// Which.
    pub match_id: MatchId,
    /// Its first events. At least one.
    pub events: Vec<Event>,
}

/// Who caused events, and by which command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// Who.
    pub user: UserId,
    /// The command's name; the log remembers it with the command's last event.
    pub cmd: CmdId,
    /// The invite the command uses, if it needs one: used in the same transaction.
    pub redeem: Option<SecretHash>,
}

/// Why events were not appended.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Somebody claimed the match, or appended to it. Nothing was written. Drop the state; claim and read again.
    #[error("the match has another epoch or head by now")]
    Fenced,
    /// This user's command of this name is in the log already. Nothing was written.
    #[error("the command is in the log already, as event {seq}")]
    Duplicate {
        /// The event it ended with.
        seq: u64,
    },
    /// The invite is unknown here, expired, or used by somebody else. Nothing was written.
    #[error("the invite is unknown, expired or used")]
    LinkUsed,
    /// The connection was lost before the COMMIT was answered: the events are in the log or they are not.
    /// Claim and read again; the log knows.
    #[error("the outcome of the commit is unknown")]
    Unknown(#[source] StoreError),
    /// The database refused or could not be reached. Nothing was written.
    #[error(transparent)]
    Fault(#[from] StoreError),
}

/// One row of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// Its number in the match, from 1, without gaps.
    pub seq: u64,
    /// The claim under which it was written. It never falls from one row to the next.
    pub epoch: Epoch,
    /// When it happened.
    pub at: Timestamp,
    /// Who caused it; nobody for what a clock did.
    pub by: Option<UserId>,
    /// The command's name, on the command's last row.
    pub cmd: Option<CmdId>,
    /// What happened.
    pub event: Event,
}

/// A row of the log as either database gives it.
pub(super) struct RawLogged {
    pub(super) seq: i64,
    pub(super) epoch: i64,
    pub(super) at: Timestamp,
    pub(super) by: Option<Uuid>,
    pub(super) cmd: Option<String>,
    pub(super) event: String,
}

impl RawLogged {
    pub(super) fn read(self, match_id: MatchId) -> Result<Logged, StoreError> {
        let seq = read_seq("match_event.seq", self.seq)?;
        let unreadable =
            |source: Box<dyn Error + Send + Sync>| StoreError::UnreadableEvent { match_id, seq, source };
        Ok(Logged {
            seq,
            epoch: Epoch(read_seq("match_event.epoch", self.epoch)?),
            at: self.at,
            by: self.by.map(UserId),
            cmd: self.cmd.map(CmdId::try_from).transpose().map_err(|error| unreadable(Box::new(error)))?,
            event: serde_json::from_str(&self.event).map_err(|error| unreadable(Box::new(error)))?,
        })
    }
}

/// An event as it stands in the log.
pub(super) fn event_text(event: &Event) -> String {
    serde_json::to_string(event).expect("events are maps with text keys, which JSON can hold")
}

/// Returns a count of events as its column holds it.
pub(super) fn count_column(count: u64) -> i64 {
    i64::try_from(count).expect("no log grows past i64::MAX events")
}
