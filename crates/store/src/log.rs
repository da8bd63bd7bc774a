//! The log of a match: appends to it, its rows, and the claims that decide which server may append.

use std::error::Error;
use std::fmt;

use quadrex_protocol::{CmdId, Event, MatchId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, execute_returning, fetch_all, fetch_optional};
use super::error::{StoreError, read_seq};
use super::secret_hash::SecretHash;
use super::time_column::TimeColumn;

/// The number of a claim of a match. Each claim raises it by one, and only the holder of the
/// highest may append.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(pub u64);

impl Epoch {
    /// The epoch of the server that opened the match.
    pub const FIRST: Self = Self(1);
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The events of one command, to be written all or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The match.
    pub match_id: MatchId,
    /// The epoch that the writer holds.
    pub epoch: Epoch,
    /// The last event that the writer knows.
    pub head_seq: u64,
    /// The time of the events.
    pub at: Timestamp,
    /// The events, in order. At least one.
    pub events: Vec<Event>,
    /// The user who caused them; `None` for what a clock did.
    pub by: Option<Author>,
    /// The match that follows at the same table, begun in the same transaction.
    pub next: Option<NextMatch>,
}

/// A match that follows another one at its table. Its epoch, [`Epoch::FIRST`], belongs to the
/// server that appends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextMatch {
    /// Its id.
    pub match_id: MatchId,
    /// Its first events. At least one.
    pub events: Vec<Event>,
}

/// The user who caused events, and the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The user.
    pub user: UserId,
    /// The command's id, stored with the command's last event.
    pub cmd: CmdId,
    /// The invite that the command uses, if it needs one; used in the same transaction.
    pub redeem: Option<SecretHash>,
}

/// The reason why events were not appended.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Another server claimed the match or appended to it. Nothing was written. Drop the state;
    /// claim and read again.
    #[error("the match has another epoch or head by now")]
    Fenced,
    /// This user's command with this id is in the log already. Nothing was written.
    #[error("the command is in the log already, as event {seq}")]
    Duplicate {
        /// The last event of the command.
        seq: u64,
    },
    /// The invite is unknown here, expired, or used by another user. Nothing was written.
    #[error("the invite is unknown, expired or used")]
    LinkUsed,
    /// The connection was lost before the COMMIT was answered: the events may or may not be in the
    /// log. Claim and read again.
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
    /// The time of the event.
    pub at: Timestamp,
    /// The user who caused it; `None` for what a clock did.
    pub by: Option<UserId>,
    /// The command's id, on the command's last row.
    pub cmd: Option<CmdId>,
    /// The event.
    pub event: Event,
}

/// A row of `match_event` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawLogged {
    seq: i64,
    epoch: i64,
    at: TimeColumn,
    by_user: Option<Uuid>,
    cmd: Option<String>,
    event: String,
}

impl RawLogged {
    fn read(self, match_id: MatchId) -> Result<Logged, StoreError> {
        let seq = read_seq("match_event.seq", self.seq)?;
        let unreadable =
            |source: Box<dyn Error + Send + Sync>| StoreError::UnreadableEvent { match_id, seq, source };
        Ok(Logged {
            seq,
            epoch: Epoch(read_seq("match_event.epoch", self.epoch)?),
            at: self.at.read("match_event.at")?,
            by: self.by_user.map(UserId),
            cmd: self.cmd.map(CmdId::try_from).transpose().map_err(|error| unreadable(Box::new(error)))?,
            event: serde_json::from_str(&self.event).map_err(|error| unreadable(Box::new(error)))?,
        })
    }
}

/// Returns an event as the log holds it.
pub(super) fn event_text(event: &Event) -> String {
    serde_json::to_string(event).expect("events are maps with text keys, which JSON can hold")
}

/// Returns a count of events as its column holds it.
pub(super) fn count_column(count: u64) -> i64 {
    i64::try_from(count).expect("no log grows past i64::MAX events")
}

/// The last event of a command, in both databases: match, user and command.
pub(super) const COMMAND_SEQ: &str =
    "select seq from match_event where match_id = $1 and by_user = $2 and cmd = $3";

/// Reads what [`COMMAND_SEQ`] returned.
pub(super) fn read_command_seq(row: Result<Option<(i64,)>, sqlx::Error>) -> Result<Option<u64>, StoreError> {
    let row = row.map_err(StoreError::database("look up a command"))?;
    row.map(|(seq,)| read_seq("match_event.seq", seq)).transpose()
}

impl Store {
    /// Claims a match: raises its epoch, so that appends with a lower epoch are refused from now
    /// on. `None` if there is no such match. Read the log after this, not before.
    ///
    /// # Errors
    /// [`StoreError`]; claiming again is harmless.
    pub async fn claim(&self, match_id: MatchId) -> Result<Option<Epoch>, StoreError> {
        let sql = Sql::both("update matches set epoch = epoch + 1 where id = $1 returning epoch");
        let rows = execute_returning!(self, (i64,), sql, match_id.0);
        let row = rows.map_err(StoreError::database("claim a match"))?.into_iter().next();
        row.map(|(epoch,)| read_seq("matches.epoch", epoch).map(Epoch)).transpose()
    }

    /// Returns a match's events after number `after`, in order and without gaps. Empty if there is
    /// no such match.
    ///
    /// # Errors
    /// [`StoreError::UnreadableEvent`] and [`StoreError::MissingEvent`] name the match and the
    /// event.
    pub async fn events(&self, match_id: MatchId, after: u64) -> Result<Vec<Logged>, StoreError> {
        let sql = Sql {
            postgres: "select seq, epoch, at, by_user, cmd, event::text as event from match_event
                       where match_id = $1 and seq > $2 order by seq",
            sqlite: "select seq, epoch, at_ms as at, by_user, cmd, event from match_event
                     where match_id = $1 and seq > $2 order by seq",
        };
        let rows = fetch_all!(self, RawLogged, sql, match_id.0, count_column(after));
        let rows = rows.map_err(StoreError::database("read a match"))?;
        let events: Vec<Logged> =
            rows.into_iter().map(|row| row.read(match_id)).collect::<Result<_, StoreError>>()?;
        for (expected, logged) in (after + 1..).zip(&events) {
            if logged.seq != expected {
                return Err(StoreError::MissingEvent { match_id, seq: expected });
            }
        }
        Ok(events)
    }

    /// Returns the number of the last event of a user's command in a match, if it was carried out.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn command_answer(
        &self,
        match_id: MatchId,
        user: UserId,
        cmd: &CmdId,
    ) -> Result<Option<u64>, StoreError> {
        let sql = Sql::both(COMMAND_SEQ);
        read_command_seq(fetch_optional!(self, (i64,), sql, match_id.0, user.0, cmd.as_str()))
    }
}
