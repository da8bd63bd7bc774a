//! Appends to the logs of matches in a SQLite file.

use std::collections::HashSet;

use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use uuid::Uuid;

use super::Sqlite;
use crate::archive::QUEUE_FOR_ARCHIVE;
use crate::log::{COMMAND_SEQ, count_column, read_command_seq};
use crate::time_column::TimeColumn;
use crate::writer::{Commit, EncodedAppend, EncodedNextMatch, Failure};
use crate::{AppendError, Author, Epoch, SeatHolder, StoreError, column};

/// SQLite's code for "another connection holds the lock" (sqlite.org/rescode.html: 5, the last byte
/// of its extended codes).
const BUSY: i32 = 5;

/// The numbers of rows that one statement can insert, in descending order. The list is short, so
/// that few prepared statements are enough.
const BATCH_SIZES: [usize; 4] = [64, 16, 4, 1];

/// A row of the log to be written.
struct Row<'a> {
    match_id: MatchId,
    seq: u64,
    epoch: Epoch,
    at: Timestamp,
    by: Option<UserId>,
    /// The command's id, if this is the command's last event.
    command_id: Option<&'a str>,
    event: &'a str,
}

impl Commit for Sqlite {
    async fn commit_batch(&self, entries: &[&EncodedAppend]) -> Result<HashSet<MatchId>, Failure> {
        let mut connection = self.writer.acquire().await.map_err(Failure::Unreachable)?;
        let mut transaction = connection.begin_with("begin immediate").await.map_err(Failure::Unreachable)?;
        let passed = write_batch(&mut transaction, entries).await?;
        transaction.commit().await.map_err(uncommitted)?;
        Ok(passed)
    }

    async fn commit_single(&self, entry: &EncodedAppend) -> Result<(), Failure> {
        let mut connection = self.writer.acquire().await.map_err(Failure::Unreachable)?;
        let mut transaction = connection.begin_with("begin immediate").await.map_err(Failure::Unreachable)?;
        write(&mut transaction, entry).await.map_err(Failure::Refused)?;
        transaction.commit().await.map_err(uncommitted)
    }
}

/// Executes all statements of a batch between BEGIN and COMMIT.
pub(crate) async fn write_batch(
    connection: &mut SqliteConnection,
    entries: &[&EncodedAppend],
) -> Result<HashSet<MatchId>, Failure> {
    let mut passed = HashSet::new();
    for entries in batches(entries) {
        passed.extend(guard(connection, entries).await.map_err(refused)?);
    }
    let passed_entries: Vec<_> =
        entries.iter().filter(|entry| passed.contains(&entry.match_id)).copied().collect();
    let rows: Vec<_> = passed_entries.iter().flat_map(|entry| rows(entry)).collect();
    insert(connection, &rows).await.map_err(refused)?;
    write_derived_rows(connection, &passed_entries).await.map_err(refused)?;
    Ok(passed)
}

/// Checks the appends: a match must have the epoch and the head that the append expects, and its
/// log must not contain the command yet. Advances the heads of the matches that pass this check,
/// and returns these matches.
async fn guard(
    connection: &mut SqliteConnection,
    entries: &[&EncodedAppend],
) -> Result<Vec<MatchId>, sqlx::Error> {
    let sql = format!(
        "with wanted (id, epoch, head_seq, events, status, by_user, cmd) as (values {})
         update matches set head_seq = matches.head_seq + wanted.events,
                            status = coalesce(wanted.status, matches.status), unowned_since_ms = null
         from wanted
         where matches.id = wanted.id and matches.epoch = wanted.epoch and matches.head_seq = wanted.head_seq
           and not exists (select 1 from match_event as earlier where earlier.match_id = wanted.id
                           and earlier.by_user = wanted.by_user and earlier.cmd = wanted.cmd)
         returning id",
        placeholders("(?, ?, ?, ?, ?, ?, ?)", entries.len()),
    );
    let mut query = sqlx::query_scalar::<_, Uuid>(AssertSqlSafe(sql));
    for entry in entries {
        query = query
            .bind(entry.match_id.0)
            .bind(count_column(entry.epoch.0))
            .bind(count_column(entry.head_seq))
            .bind(count_column(entry.events.len() as u64))
            .bind(entry.phase.map(column::phase))
            .bind(entry.by.as_ref().map(|author| author.user.0))
            .bind(entry.by.as_ref().map(|author| author.command_id.as_str()));
    }
    let passed = query.fetch_all(connection).await?;
    Ok(passed.into_iter().map(MatchId).collect())
}

/// Executes all statements of an append between BEGIN and COMMIT.
pub(crate) async fn write(
    connection: &mut SqliteConnection,
    entry: &EncodedAppend,
) -> Result<(), AppendError> {
    let guarded = sqlx::query(
        "update matches set head_seq = $4, status = coalesce($5, status), unowned_since_ms = null
         where id = $1 and epoch = $2 and head_seq = $3",
    )
    .bind(entry.match_id.0)
    .bind(count_column(entry.epoch.0))
    .bind(count_column(entry.head_seq))
    .bind(count_column(entry.new_head()))
    .bind(entry.phase.map(column::phase))
    .execute(&mut *connection)
    .await
    .map_err(fault)?;
    if guarded.rows_affected() == 0 {
        return Err(AppendError::Fenced);
    }
    if let Some(author) = &entry.by {
        let seq = sqlx::query_as(COMMAND_SEQ)
            .bind(entry.match_id.0)
            .bind(author.user.0)
            .bind(author.command_id.as_str())
            .fetch_optional(&mut *connection)
            .await;
        if let Some(seq) = read_command_seq(seq)? {
            return Err(AppendError::Duplicate { seq });
        }
        redeem(connection, entry, author).await?;
    }
    insert(connection, &rows(entry).collect::<Vec<_>>()).await.map_err(fault)?;
    write_derived_rows(connection, &[entry]).await.map_err(fault)?;
    if let Some(next) = &entry.next {
        begin_next(connection, entry, next).await.map_err(StoreError::database("begin the next match"))?;
    }
    Ok(())
}

/// Adds the next match at the same table, with the same owner.
async fn begin_next(
    connection: &mut SqliteConnection,
    entry: &EncodedAppend,
    next: &EncodedNextMatch,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into matches (id, table_id, number, epoch, head_seq, status, created_at_ms, owner)
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
    if quadrex_runtime::has_planted!(DoubleRematch) {
        let copy = "insert into matches (id, table_id, number, epoch, head_seq, status, created_at_ms, owner)
                    select $2, table_id, number + 1, epoch, head_seq, status, created_at_ms, owner
                    from matches where id = $1";
        let id = Uuid::from_u128(next.match_id.0.as_u128() ^ 1);
        sqlx::query(copy).bind(next.match_id.0).bind(id).execute(&mut *connection).await?;
        insert_first_events(connection, MatchId(id), entry.at, by, &next.events).await?;
    }
    queue_for_archive(connection, next.match_id, next.phase).await
}

/// Redeems the invite of the command, if the command has an invite.
async fn redeem(
    connection: &mut SqliteConnection,
    entry: &EncodedAppend,
    author: &Author,
) -> Result<(), AppendError> {
    let Some(invite) = author.redeem else { return Ok(()) };
    let update_result = sqlx::query(
        "update links set used_by = $3, used_at_ms = $4
         where secret_hash = $1 and purpose = 'invite' and expires_at_ms > $4
           and table_id = (select table_id from matches where id = $2)
           and (uses = 'open' or used_by is null or used_by = $3)",
    )
    .bind(invite.0.as_slice())
    .bind(entry.match_id.0)
    .bind(author.user.0)
    .bind(TimeColumn::from(entry.at))
    .execute(connection)
    .await
    .map_err(StoreError::database("redeem an invite"))?;
    if update_result.rows_affected() == 0 { Err(AppendError::LinkUsed) } else { Ok(()) }
}

/// Returns the rows of an append. The last row has the command's id.
fn rows(entry: &EncodedAppend) -> impl Iterator<Item = Row<'_>> {
    let author = entry.by.as_ref();
    entry.rows().map(move |(seq, event)| Row {
        match_id: entry.match_id,
        seq,
        epoch: entry.epoch,
        at: entry.at,
        by: author.map(|author| author.user),
        command_id: author.filter(|_| seq == entry.new_head()).map(|author| author.command_id.as_str()),
        event,
    })
}

/// Inserts the first events of a match.
pub(crate) async fn insert_first_events(
    connection: &mut SqliteConnection,
    match_id: MatchId,
    at: Timestamp,
    by: Option<UserId>,
    events: &[String],
) -> Result<(), sqlx::Error> {
    let rows = (1..).zip(events);
    let rows =
        rows.map(|(seq, event)| Row { match_id, seq, epoch: Epoch::FIRST, at, by, command_id: None, event });
    insert(connection, &rows.collect::<Vec<_>>()).await
}

/// Inserts rows of the log.
async fn insert(connection: &mut SqliteConnection, rows: &[Row<'_>]) -> Result<(), sqlx::Error> {
    for rows in batches(rows) {
        let sql = format!(
            "insert into match_event (match_id, seq, epoch, at_ms, by_user, cmd, event) values {}",
            placeholders("(?, ?, ?, ?, ?, ?, ?)", rows.len()),
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for row in rows {
            query = query
                .bind(row.match_id.0)
                .bind(count_column(row.seq))
                .bind(count_column(row.epoch.0))
                .bind(TimeColumn::from(row.at))
                .bind(row.by.map(|user| user.0))
                .bind(row.command_id)
                .bind(row.event);
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Writes the rows that are derived from the log: the seat holders, and the archive's queue.
/// Executes no statement for an append that changes neither, so a move costs nothing here.
async fn write_derived_rows(
    connection: &mut SqliteConnection,
    entries: &[&EncodedAppend],
) -> Result<(), sqlx::Error> {
    replace_holders(connection, entries).await?;
    for (match_id, phase) in entries.iter().filter_map(|entry| Some((entry.match_id, entry.phase?))) {
        queue_for_archive(connection, match_id, phase).await?;
    }
    Ok(())
}

/// Queues a match for the archive because of its new phase. A match that is open is not archived.
pub(crate) async fn queue_for_archive(
    connection: &mut SqliteConnection,
    match_id: MatchId,
    phase: Phase,
) -> Result<(), sqlx::Error> {
    if phase == Phase::Open {
        return Ok(());
    }
    let query = sqlx::query(QUEUE_FOR_ARCHIVE).bind(match_id.0).bind(column::phase(phase));
    query.execute(connection).await.map(drop)
}

/// Replaces the seat holders of the matches whose appends change them.
async fn replace_holders(
    connection: &mut SqliteConnection,
    entries: &[&EncodedAppend],
) -> Result<(), sqlx::Error> {
    let changed: Vec<_> =
        entries.iter().filter_map(|entry| Some((entry.match_id, entry.holders.as_deref()?))).collect();
    for changed in batches(&changed) {
        let matches = placeholders("?", changed.len());
        let sql = format!("delete from seat_holders where match_id in ({matches})");
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for (match_id, _) in changed {
            query = query.bind(match_id.0);
        }
        query.execute(&mut *connection).await?;
    }
    let holders = changed.into_iter();
    let holders: Vec<_> = holders
        .flat_map(|(match_id, holders)| holders.iter().map(move |holder| (match_id, holder)))
        .collect();
    insert_holder_rows(connection, &holders).await
}

/// Inserts the seat holders of a match that has none.
pub(crate) async fn insert_holders(
    connection: &mut SqliteConnection,
    match_id: MatchId,
    holders: &[SeatHolder],
) -> Result<(), sqlx::Error> {
    let rows: Vec<_> = holders.iter().map(|holder| (match_id, holder)).collect();
    insert_holder_rows(connection, &rows).await
}

async fn insert_holder_rows(
    connection: &mut SqliteConnection,
    holders: &[(MatchId, &SeatHolder)],
) -> Result<(), sqlx::Error> {
    for holders in batches(holders) {
        let sql = format!(
            "insert into seat_holders (match_id, user_id, variant, is_playing) values {}",
            placeholders("(?, ?, ?, ?)", holders.len()),
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for (match_id, holder) in holders {
            query = query
                .bind(match_id.0)
                .bind(holder.user.0)
                .bind(holder.variant.name())
                .bind(holder.is_playing);
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Splits items into batches of the sizes in [`BATCH_SIZES`].
fn batches<T>(mut items: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let &count = BATCH_SIZES.iter().find(|count| **count <= items.len())?;
        let (batch, rest) = items.split_at(count);
        items = rest;
        Some(batch)
    })
}

/// Returns placeholders for this number of rows.
fn placeholders(row: &str, count: usize) -> String {
    vec![row; count].join(", ")
}

/// Classifies the error of a COMMIT. If SQLite is busy, nothing was written, and the transaction is
/// rolled back. After an I/O error or with a full disk, the outcome is unknown.
fn uncommitted(error: sqlx::Error) -> Failure {
    let code = error.as_database_error().and_then(|error| error.code());
    let is_busy = code.and_then(|code| code.parse::<i32>().ok()).is_some_and(|code| code & 0xff == BUSY);
    if is_busy { Failure::Unreachable(error) } else { Failure::Lost(error) }
}

fn refused(error: sqlx::Error) -> Failure {
    Failure::Refused(AppendError::Fault(fault(error)))
}

fn fault(error: sqlx::Error) -> StoreError {
    StoreError::database("append to a match")(error)
}
