//! Appends to the logs of matches in a Postgres database.

use std::collections::HashSet;
use std::time::Duration;

use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgDatabaseError, PgSeverity};
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use super::Postgres;
use crate::log::{COMMAND_SEQ, count_column, read_command_seq};
use crate::time_column::TimeColumn;
use crate::writer::{Commit, EncodedAppend, EncodedNextMatch, Failure};
use crate::{AppendError, Epoch, SecretHash, StoreError, column};

/// The maximum time to wait for the answer to an append. After this time the append's outcome
/// counts as unknown. A commit takes less than a millisecond, so a missing answer means that the
/// server or the network has failed.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// The unique constraint that prevents a command from being appended twice.
const UNIQUE_COMMAND: &str = "match_event_cmd";

/// An append to one match in one statement. The update in `guard` changes no row if the epoch or
/// the head differs, and then the statement inserts no events.
const APPEND: &str = "
    with guard as (
        update matches set head_seq = head_seq + cardinality($4::text[]), status = coalesce($8, status)
        where id = $1 and epoch = $2 and head_seq = $3
        returning id, epoch, head_seq
    )
    insert into match_event (match_id, seq, epoch, at, by_user, cmd, event)
    select guard.id, $3 + written.ordinal, guard.epoch, $5, $6,
           case when $3 + written.ordinal = guard.head_seq then $7 end, written.event::jsonb
    from guard cross join unnest($4::text[]) with ordinality as written (event, ordinal)";

/// Appends to several matches in one statement, each like [`APPEND`]. The guard also refuses an
/// append whose command is in the log already, because otherwise the unique constraint would refuse
/// all appends. This check is a scalar subquery because the planner could turn a join into a scan
/// of the whole log.
const APPEND_MANY: &str = "
    with wanted as (
        select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::timestamptz[],
                             $7::uuid[], $8::text[])
            as wanted (id, epoch, head_seq, events, status, at, by_user, cmd)
    ), guard as (
        update matches set head_seq = matches.head_seq + wanted.events,
                           status = coalesce(wanted.status, matches.status)
        from wanted
        where matches.id = wanted.id and matches.epoch = wanted.epoch and matches.head_seq = wanted.head_seq
          and (select earlier.seq from match_event as earlier where earlier.match_id = wanted.id
               and earlier.by_user = wanted.by_user and earlier.cmd = wanted.cmd) is null
        returning matches.id, matches.epoch, matches.head_seq, wanted.at, wanted.by_user, wanted.cmd
    ), written as (
        insert into match_event (match_id, seq, epoch, at, by_user, cmd, event)
        select guard.id, row.seq, guard.epoch, guard.at, guard.by_user,
               case when row.seq = guard.head_seq then guard.cmd end, row.event::jsonb
        from guard join unnest($9::uuid[], $10::bigint[], $11::text[]) as row (match_id, seq, event)
            on row.match_id = guard.id
    )
    select id from guard";

impl Commit for Postgres {
    async fn commit_batch(&self, entries: &[&EncodedAppend]) -> Result<HashSet<MatchId>, Failure> {
        let mut connection = self.appends.acquire().await.map_err(Failure::Unreachable)?;
        let passed = with_timeout(insert_many(&mut connection, entries)).await;
        release(connection, &passed);
        passed.map_err(TransactionError::failure)
    }

    async fn commit_single(&self, entry: &EncodedAppend) -> Result<(), Failure> {
        let mut connection = self.appends.acquire().await.map_err(Failure::Unreachable)?;
        let invite = entry.by.as_ref().and_then(|author| author.redeem.map(|invite| (author.user, invite)));
        let insert_result = if invite.is_none() && entry.next.is_none() {
            with_timeout(insert(&mut connection, entry)).await
        } else {
            with_timeout(insert_with_more(&mut connection, entry, invite)).await
        };
        release(connection, &insert_result);
        match insert_result {
            Err(TransactionError::Duplicate(error)) => {
                Err(Failure::Refused(self.duplicate(entry, error).await))
            }
            insert_result => insert_result.map_err(TransactionError::failure),
        }
    }
}

impl Postgres {
    /// Returns the error for a command that is in the log already, with the number of the command's
    /// last event.
    async fn duplicate(&self, entry: &EncodedAppend, error: sqlx::Error) -> AppendError {
        let Some(author) = &entry.by else { return AppendError::Fault(fault(error)) };
        let seq = sqlx::query_as(COMMAND_SEQ)
            .bind(entry.match_id.0)
            .bind(author.user.0)
            .bind(author.command_id.as_str())
            .fetch_optional(&self.pool)
            .await;
        match read_command_seq(seq) {
            Ok(Some(seq)) => AppendError::Duplicate { seq },
            Ok(None) => AppendError::Fault(fault(error)),
            Err(fault) => AppendError::Fault(fault),
        }
    }
}

/// The failure of a transaction.
enum TransactionError {
    /// Nothing was written.
    Refused(AppendError),
    /// Nothing was written, because the command is in the log already.
    Duplicate(sqlx::Error),
    /// The outcome is unknown, because the connection broke.
    Lost(sqlx::Error),
    /// The outcome is unknown, because no answer arrived.
    Silent(sqlx::Error),
}

impl TransactionError {
    fn rolled_back(error: sqlx::Error) -> Self {
        Self::Refused(AppendError::Fault(fault(error)))
    }

    /// Classifies the error of a statement that commits. After an ERROR the transaction was not
    /// committed. After a FATAL or PANIC the outcome is unknown, because these errors end the
    /// database server's process at any point. The outcome is also unknown after a broken
    /// connection.
    fn of_commit(error: sqlx::Error) -> Self {
        let Some(database) = error.as_database_error() else { return Self::Lost(error) };
        if database.constraint() == Some(UNIQUE_COMMAND) {
            return Self::Duplicate(error);
        }
        match database.downcast_ref::<PgDatabaseError>().severity() {
            PgSeverity::Fatal | PgSeverity::Panic => Self::Lost(error),
            _ => Self::rolled_back(error),
        }
    }

    /// Reclassifies an error that happened before the COMMIT, so nothing was written.
    fn before_commit(self) -> Self {
        match self {
            Self::Lost(error) => Self::rolled_back(error),
            other => other,
        }
    }

    fn failure(self) -> Failure {
        match self {
            Self::Refused(error) => Failure::Refused(error),
            Self::Duplicate(error) => Failure::Refused(AppendError::Fault(fault(error))),
            Self::Lost(error) => Failure::Lost(error),
            Self::Silent(error) => Failure::Silent(error),
        }
    }
}

/// Waits at most [`ANSWER_TIMEOUT`] for the outcome of a write, and returns the outcome.
async fn with_timeout<T>(
    writing: impl Future<Output = Result<T, TransactionError>>,
) -> Result<T, TransactionError> {
    let late = |_| {
        let text = format!("no answer within {} s", ANSWER_TIMEOUT.as_secs());
        let error = std::io::Error::new(std::io::ErrorKind::TimedOut, text);
        Err(TransactionError::Silent(sqlx::Error::Io(error)))
    };
    tokio::time::timeout(ANSWER_TIMEOUT, writing).await.unwrap_or_else(late)
}

/// Gives a connection back to the pool, or closes the connection if `ended` leaves its state in
/// doubt.
fn release<T>(connection: PoolConnection<sqlx::Postgres>, ended: &Result<T, TransactionError>) {
    if let Err(TransactionError::Lost(_) | TransactionError::Silent(_)) = ended {
        drop(connection.detach());
    }
}

async fn insert(connection: &mut PgConnection, entry: &EncodedAppend) -> Result<(), TransactionError> {
    let insert_result = sqlx::query(APPEND)
        .bind(entry.match_id.0)
        .bind(count_column(entry.epoch.0))
        .bind(count_column(entry.head_seq))
        .bind(&entry.events)
        .bind(TimeColumn::from(entry.at))
        .bind(entry.by.as_ref().map(|author| author.user.0))
        .bind(entry.by.as_ref().map(|author| author.command_id.as_str()))
        .bind(entry.phase.map(column::phase))
        .execute(connection)
        .await
        .map_err(TransactionError::of_commit)?;
    if insert_result.rows_affected() == 0 {
        Err(TransactionError::Refused(AppendError::Fenced))
    } else {
        Ok(())
    }
}

/// Appends to several matches. Returns the matches whose appends passed their guards and were
/// written.
async fn insert_many(
    connection: &mut PgConnection,
    entries: &[&EncodedAppend],
) -> Result<HashSet<MatchId>, TransactionError> {
    let authors = || entries.iter().map(|entry| entry.by.as_ref());
    let rows = || entries.iter().flat_map(|entry| entry.rows());
    let row_matches = entries.iter().flat_map(|entry| vec![entry.match_id.0; entry.events.len()]);
    let passed: Vec<Uuid> = sqlx::query_scalar(APPEND_MANY)
        .bind(entries.iter().map(|entry| entry.match_id.0).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| count_column(entry.epoch.0)).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| count_column(entry.head_seq)).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| count_column(entry.events.len() as u64)).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| entry.phase.map(column::phase)).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| TimeColumn::from(entry.at)).collect::<Vec<_>>())
        .bind(authors().map(|author| author.map(|author| author.user.0)).collect::<Vec<_>>())
        .bind(authors().map(|author| author.map(|author| author.command_id.as_str())).collect::<Vec<_>>())
        .bind(row_matches.collect::<Vec<_>>())
        .bind(rows().map(|(seq, _)| count_column(seq)).collect::<Vec<_>>())
        .bind(rows().map(|(_, event)| event).collect::<Vec<_>>())
        .fetch_all(connection)
        .await
        .map_err(TransactionError::of_commit)?;
    Ok(passed.into_iter().map(MatchId).collect())
}

/// Writes, in one transaction, an append that also redeems an invite or begins the table's next
/// match.
async fn insert_with_more(
    connection: &mut PgConnection,
    entry: &EncodedAppend,
    invite: Option<(UserId, SecretHash)>,
) -> Result<(), TransactionError> {
    let mut transaction = connection.begin().await.map_err(TransactionError::rolled_back)?;
    insert(&mut transaction, entry).await.map_err(TransactionError::before_commit)?;
    if let Some((user, invite)) = invite {
        redeem(&mut transaction, entry, user, invite).await?;
    }
    if let Some(next) = &entry.next {
        begin_next(&mut transaction, entry, next).await.map_err(TransactionError::rolled_back)?;
    }
    transaction.commit().await.map_err(TransactionError::of_commit)
}

async fn redeem(
    connection: &mut PgConnection,
    entry: &EncodedAppend,
    user: UserId,
    invite: SecretHash,
) -> Result<(), TransactionError> {
    let update_result = sqlx::query(
        "update links set used_by = $3, used_at = $4
         where secret_hash = $1 and purpose = 'invite' and expires_at > $4
           and table_id = (select table_id from matches where id = $2)
           and (uses = 'open' or used_by is null or used_by = $3)",
    )
    .bind(invite.0.as_slice())
    .bind(entry.match_id.0)
    .bind(user.0)
    .bind(TimeColumn::from(entry.at))
    .execute(connection)
    .await
    .map_err(TransactionError::rolled_back)?;
    if update_result.rows_affected() == 0 {
        Err(TransactionError::Refused(AppendError::LinkUsed))
    } else {
        Ok(())
    }
}

/// Adds the next match at the same table.
async fn begin_next(
    connection: &mut PgConnection,
    entry: &EncodedAppend,
    next: &EncodedNextMatch,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into matches (id, table_id, number, epoch, head_seq, status, created_at)
         select $2, table_id, number + 1, $3, $4, $5, $6 from matches where id = $1",
    )
    .bind(entry.match_id.0)
    .bind(next.match_id.0)
    .bind(count_column(Epoch::FIRST.0))
    .bind(count_column(next.events.len() as u64))
    .bind(column::phase(next.phase))
    .bind(TimeColumn::from(entry.at))
    .execute(&mut *connection)
    .await?;
    let by = entry.by.as_ref().map(|author| author.user);
    insert_first_events(connection, next.match_id, entry.at, by, &next.events).await
}

/// Inserts the first events of a match.
pub(crate) async fn insert_first_events(
    connection: &mut PgConnection,
    match_id: MatchId,
    at: Timestamp,
    by: Option<UserId>,
    events: &[String],
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into match_event (match_id, seq, epoch, at, by_user, event)
         select $1, written.seq, $2, $3, $4, written.event::jsonb
         from unnest($5::text[]) with ordinality as written (event, seq)",
    )
    .bind(match_id.0)
    .bind(count_column(Epoch::FIRST.0))
    .bind(TimeColumn::from(at))
    .bind(by.map(|user| user.0))
    .bind(events)
    .execute(connection)
    .await
    .map(drop)
}

fn fault(error: sqlx::Error) -> StoreError {
    StoreError::database("append to a match")(error)
}
