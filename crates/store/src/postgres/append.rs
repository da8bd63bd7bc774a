//! Appends to the logs of matches in a Postgres database.

use std::collections::HashSet;
use std::time::Duration;

use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgDatabaseError, PgSeverity};
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use super::Postgres;
use super::append_statements::{APPEND, APPEND_MANY, APPEND_MANY_WITH_DERIVED, APPEND_WITH_DERIVED};
use crate::archive::QUEUE_FOR_ARCHIVE;
use crate::log::{COMMAND_SEQ, count_column, read_command_seq};
use crate::time_column::TimeColumn;
use crate::writer::{Commit, EncodedAppend, EncodedNextMatch, Failure};
use crate::{AppendError, Epoch, SeatHolder, SecretHash, StoreError, column};

/// The maximum time to wait for the answer to an append. After this time the append's outcome
/// counts as unknown. A commit takes less than a millisecond, so a missing answer means that the
/// server or the network has failed.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// The unique constraint that prevents a command from being appended twice.
const UNIQUE_COMMAND: &str = "match_event_cmd";

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
    let changes_derived = entry.changes_derived_rows();
    let sql = if changes_derived { APPEND_WITH_DERIVED } else { APPEND };
    let mut query = sqlx::query(sql)
        .bind(entry.match_id.0)
        .bind(count_column(entry.epoch.0))
        .bind(count_column(entry.head_seq))
        .bind(&entry.events)
        .bind(TimeColumn::from(entry.at))
        .bind(entry.by.as_ref().map(|author| author.user.0))
        .bind(entry.by.as_ref().map(|author| author.command_id.as_str()))
        .bind(entry.phase.map(column::phase));
    if changes_derived {
        let holders = entry.holders.as_ref();
        query = query
            .bind(holders.map(|all| all.iter().map(|holder| holder.user.0).collect::<Vec<_>>()))
            .bind(holders.map(|all| all.iter().map(|holder| holder.variant.name()).collect::<Vec<_>>()))
            .bind(holders.map(|all| all.iter().map(|holder| holder.is_playing).collect::<Vec<_>>()));
    }
    let insert_result = query.execute(connection).await.map_err(TransactionError::of_commit)?;
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
    let changes_derived = entries.iter().any(|entry| entry.changes_derived_rows());
    let mut query = sqlx::query_scalar(if changes_derived { APPEND_MANY_WITH_DERIVED } else { APPEND_MANY })
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
        .bind(rows().map(|(_, event)| event).collect::<Vec<_>>());
    if changes_derived {
        let changed = || entries.iter().filter_map(|entry| Some((entry.match_id, entry.holders.as_deref()?)));
        let holders =
            || changed().flat_map(|(match_id, all)| all.iter().map(move |holder| (match_id, holder)));
        query = query
            .bind(changed().map(|(match_id, _)| match_id.0).collect::<Vec<_>>())
            .bind(holders().map(|(match_id, _)| match_id.0).collect::<Vec<_>>())
            .bind(holders().map(|(_, holder)| holder.user.0).collect::<Vec<_>>())
            .bind(holders().map(|(_, holder)| holder.variant.name()).collect::<Vec<_>>())
            .bind(holders().map(|(_, holder)| holder.is_playing).collect::<Vec<_>>());
    }
    let passed: Vec<Uuid> = query.fetch_all(connection).await.map_err(TransactionError::of_commit)?;
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

/// Adds the next match at the same table, with the same owner.
async fn begin_next(
    connection: &mut PgConnection,
    entry: &EncodedAppend,
    next: &EncodedNextMatch,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into matches (id, table_id, number, epoch, head_seq, status, created_at, owner)
         select $2, table_id, number + 1, $3, $4, $5, $6, owner from matches where id = $1",
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
    insert_first_events(connection, next.match_id, entry.at, by, &next.events).await?;
    insert_holders(connection, next.match_id, &next.holders).await?;
    queue_for_archive(connection, next.match_id, next.phase).await
}

/// Inserts the seat holders of a new match.
pub(crate) async fn insert_holders(
    connection: &mut PgConnection,
    match_id: MatchId,
    holders: &[SeatHolder],
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into seat_holders (match_id, user_id, variant, is_playing)
         select $1, * from unnest($2::uuid[], $3::text[], $4::boolean[])",
    )
    .bind(match_id.0)
    .bind(holders.iter().map(|holder| holder.user.0).collect::<Vec<_>>())
    .bind(holders.iter().map(|holder| holder.variant.name()).collect::<Vec<_>>())
    .bind(holders.iter().map(|holder| holder.is_playing).collect::<Vec<_>>())
    .execute(connection)
    .await
    .map(drop)
}

/// Queues a match that has just been created for the archive, unless it is open.
pub(crate) async fn queue_for_archive(
    connection: &mut PgConnection,
    match_id: MatchId,
    phase: Phase,
) -> Result<(), sqlx::Error> {
    if phase == Phase::Open {
        return Ok(());
    }
    let query = sqlx::query(QUEUE_FOR_ARCHIVE).bind(match_id.0).bind(column::phase(phase));
    query.execute(connection).await.map(drop)
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
