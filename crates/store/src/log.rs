//! The log of a match: its rows, appends, and the claims that determine which server may append.

use std::error::Error;
use std::fmt;

use quadrex_protocol::{CommandId, Event, MatchId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, execute_returning, fetch_all, fetch_optional};
use super::error::{StoreError, read_seq};
use super::seat_holders::SeatHolder;
use super::secret_hash::SecretHash;
use super::time_column::TimeColumn;

/// The number of a claim of a match. Each claim increases the match's epoch by one. Only the server
/// with the highest epoch may append.
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

/// The events of one command. They are written atomically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The match.
    pub match_id: MatchId,
    /// The epoch of the server's claim.
    pub epoch: Epoch,
    /// The number of the last event that the server knows.
    pub head_seq: u64,
    /// The time of the events.
    pub at: Timestamp,
    /// The events, in order; never empty.
    pub events: Vec<Event>,
    /// The seat holders of the match after the events, in any order; `None` if the events do not
    /// change them. They are written in the transaction of the append. A match that has ended has
    /// none.
    pub holders: Option<Vec<SeatHolder>>,
    /// The user who caused the events; `None` if the server caused them, for example when a clock
    /// expired.
    pub by: Option<Author>,
    /// The next match at the same table, if these events begin a next match. The next match is
    /// added in the transaction of the append.
    pub next: Option<NextMatch>,
}

/// The next match at a table. Its first epoch is [`Epoch::FIRST`], so the server that appends also
/// owns the next match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextMatch {
    /// The id of the next match.
    pub match_id: MatchId,
    /// The first events; never empty.
    pub events: Vec<Event>,
    /// The seat holders after the first events.
    pub holders: Vec<SeatHolder>,
}

/// The user who caused events, and the user's command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The user.
    pub user: UserId,
    /// The command's id, stored with the command's last event.
    pub command_id: CommandId,
    /// The invite that the command redeems; `None` for other commands. The invite is marked as used
    /// in the transaction of the append.
    pub redeem: Option<SecretHash>,
}

/// The reason why events were not appended.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Another server claimed the match or appended to it. Nothing was written. The caller must
    /// drop its state, claim the match and read the log again.
    #[error("the match has another epoch or head by now")]
    Fenced,
    /// The log already has a command of this user with this id. Nothing was written.
    #[error("the command is in the log already, as event {seq}")]
    Duplicate {
        /// The number of the command's last event.
        seq: u64,
    },
    /// The invite belongs to another table, is expired, or was used by another user. Nothing was
    /// written.
    #[error("the invite is unknown, expired or used")]
    LinkUsed,
    /// The connection was lost before the database answered the COMMIT, so the events may or may
    /// not be in the log. The caller must claim the match and read the log again.
    #[error("the outcome of the commit is unknown")]
    Unknown(#[source] StoreError),
    /// The database returned an error or could not be reached. Nothing was written.
    #[error(transparent)]
    Fault(#[from] StoreError),
}

/// One row of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEvent {
    /// The number of the event in its match. Numbers start at 1 and have no gaps.
    pub seq: u64,
    /// The epoch of the claim under which the row was written. It never decreases from one row to
    /// the next.
    pub epoch: Epoch,
    /// The time of the event.
    pub at: Timestamp,
    /// The user who caused the event; `None` if the server caused it, for example when a clock
    /// expired.
    pub by: Option<UserId>,
    /// The command's id, if this is the last event of a command.
    pub command_id: Option<CommandId>,
    /// The event.
    pub event: Event,
}

/// A row of `match_event` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawLoggedEvent {
    seq: i64,
    epoch: i64,
    at: TimeColumn,
    by_user: Option<Uuid>,
    #[sqlx(rename = "cmd")]
    command_id: Option<String>,
    event: String,
}

impl RawLoggedEvent {
    fn read(self, match_id: MatchId) -> Result<LoggedEvent, StoreError> {
        let seq = read_seq("match_event.seq", self.seq)?;
        let unreadable =
            |source: Box<dyn Error + Send + Sync>| StoreError::UnreadableEvent { match_id, seq, source };
        Ok(LoggedEvent {
            seq,
            epoch: Epoch(read_seq("match_event.epoch", self.epoch)?),
            at: self.at.read("match_event.at")?,
            by: self.by_user.map(UserId),
            command_id: self
                .command_id
                .map(CommandId::try_from)
                .transpose()
                .map_err(|error| unreadable(Box::new(error)))?,
            event: serde_json::from_str(&self.event).map_err(|error| unreadable(Box::new(error)))?,
        })
    }
}

/// Returns the text of an event as it is stored in the log.
pub(super) fn event_text(event: &Event) -> String {
    serde_json::to_string(event).expect("events are maps with text keys, which JSON can hold")
}

/// Returns the database's value for a sequence number, an epoch or a count.
pub(super) fn count_column(count: u64) -> i64 {
    i64::try_from(count).expect("no log grows past i64::MAX events")
}

/// The query for the number of a command's last event, for both databases. Its parameters are the
/// match, the user and the command's id.
pub(super) const COMMAND_SEQ: &str =
    "select seq from match_event where match_id = $1 and by_user = $2 and cmd = $3";

/// Decodes the result of [`COMMAND_SEQ`].
pub(super) fn read_command_seq(row: Result<Option<(i64,)>, sqlx::Error>) -> Result<Option<u64>, StoreError> {
    let row = row.map_err(StoreError::database("look up a command"))?;
    row.map(|(seq,)| read_seq("match_event.seq", seq)).transpose()
}

impl Store {
    /// Claims a match for the server of this store ([`owned_by`](Self::owned_by)). This increases
    /// the match's epoch, so appends with a lower epoch are refused from now on. The caller must
    /// read the log after the claim, not before. Returns `None` if there is no such match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The caller may then claim again.
    pub async fn claim(&self, match_id: MatchId) -> Result<Option<Epoch>, StoreError> {
        let sql = Sql {
            postgres: "update matches set epoch = epoch + 1, owner = $2, released_at = null,
                                          unowned_since = null
                       where id = $1 returning epoch",
            sqlite: "update matches set epoch = epoch + 1, owner = $2, released_at_ms = null,
                                        unowned_since_ms = null
                     where id = $1 returning epoch",
        };
        let owner = self.owner.map(|owner| owner.0);
        let rows = execute_returning!(self, (i64,), sql, match_id.0, owner);
        let row = rows.map_err(StoreError::database("claim a match"))?.into_iter().next();
        row.map(|(epoch,)| read_seq("matches.epoch", epoch).map(Epoch)).transpose()
    }

    /// Returns a match's events with numbers greater than `after`, in order and without gaps. The
    /// result is empty if there is no such match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read, an event cannot be decoded, or an
    /// event is missing.
    pub async fn events(&self, match_id: MatchId, after: u64) -> Result<Vec<LoggedEvent>, StoreError> {
        let sql = Sql {
            postgres: "select seq, epoch, at, by_user, cmd, event::text as event from match_event
                       where match_id = $1 and seq > $2 order by seq",
            sqlite: "select seq, epoch, at_ms as at, by_user, cmd, event from match_event
                     where match_id = $1 and seq > $2 order by seq",
        };
        let rows = fetch_all!(self, RawLoggedEvent, sql, match_id.0, count_column(after));
        let rows = rows.map_err(StoreError::database("read a match"))?;
        let mut events: Vec<LoggedEvent> =
            rows.into_iter().map(|row| row.read(match_id)).collect::<Result<_, StoreError>>()?;
        for (expected, logged) in (after + 1..).zip(&events) {
            if logged.seq != expected {
                return Err(StoreError::MissingEvent { match_id, seq: expected });
            }
        }
        self.replace_deleted_names(&mut events).await?;
        Ok(events)
    }

    /// Returns the number of the last event of a user's command, if the log of the match has this
    /// command.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn command_seq(
        &self,
        match_id: MatchId,
        user: UserId,
        command_id: &CommandId,
    ) -> Result<Option<u64>, StoreError> {
        let sql = Sql::both(COMMAND_SEQ);
        read_command_seq(fetch_optional!(self, (i64,), sql, match_id.0, user.0, command_id.as_str()))
    }
}
