//! The log of matches in a SQLite file.

use quadrex_protocol::view::Phase;
use quadrex_protocol::{CmdId, Event, MatchId, UserId};
use quadrex_rules::Timestamp;
use sqlx::{Connection, SqliteConnection};
use uuid::Uuid;

use super::{Sqlite, millis, moment};
use crate::store::error::read_seq;
use crate::store::log::{RawLogged, column, event_text};
use crate::store::{Append, AppendError, Author, Epoch, Logged, NextMatch, StoreError, word};

/// SQLite's code for "another connection holds the lock" (sqlite.org/rescode.html: 5, its extended codes end in it).
const BUSY: i32 = 5;

/// The columns of [`RawLogged`], as they come.
type LoggedColumns = (i64, i64, i64, Option<Uuid>, Option<String>, String);

impl Sqlite {
    pub(in crate::store) async fn claim(&self, match_id: MatchId) -> Result<Option<Epoch>, StoreError> {
        let epoch: Option<i64> =
            sqlx::query_scalar("update matches set epoch = epoch + 1 where id = ?1 returning epoch")
                .bind(match_id.0)
                .fetch_optional(&self.writer)
                .await
                .map_err(StoreError::database("claim a match"))?;
        epoch.map(|epoch| read_seq("matches.epoch", epoch).map(Epoch)).transpose()
    }

    pub(in crate::store) async fn append(&self, append: &Append) -> Result<u64, AppendError> {
        let fault = || StoreError::database("append to a match");
        let mut connection = self.writer.acquire().await.map_err(fault())?;
        let mut transaction = connection.begin_with("begin immediate").await.map_err(fault())?;
        let head_seq = write(&mut transaction, append).await?;
        transaction.commit().await.map_err(|error| {
            let known = rolled_back(&error);
            let fault = fault()(error);
            if known { AppendError::Fault(fault) } else { AppendError::Unknown(fault) }
        })?;
        Ok(head_seq)
    }

    pub(in crate::store) async fn events(
        &self,
        match_id: MatchId,
        after: u64,
    ) -> Result<Vec<Logged>, StoreError> {
        let rows: Vec<LoggedColumns> = sqlx::query_as(
            "select seq, epoch, at_ms, by_user, cmd, event from match_event
             where match_id = ?1 and seq > ?2 order by seq",
        )
        .bind(match_id.0)
        .bind(column(after))
        .fetch_all(&self.readers)
        .await
        .map_err(StoreError::database("read a match"))?;
        rows.into_iter()
            .map(|(seq, epoch, at, by, cmd, event)| {
                RawLogged { seq, epoch, at: moment("match_event.at_ms", at)?, by, cmd, event }.read(match_id)
            })
            .collect()
    }

    pub(in crate::store) async fn command_answer(
        &self,
        match_id: MatchId,
        user: UserId,
        cmd: &CmdId,
    ) -> Result<Option<u64>, StoreError> {
        let mut connection =
            self.readers.acquire().await.map_err(StoreError::database("look up a command"))?;
        answer(&mut connection, match_id, user, cmd).await
    }
}

/// All that an append does between BEGIN and COMMIT.
async fn write(connection: &mut SqliteConnection, append: &Append) -> Result<u64, AppendError> {
    let fault = || StoreError::database("append to a match");
    let head_seq = append.head_seq + append.events.len() as u64;
    let guarded = sqlx::query(
        "update matches set head_seq = ?4, status = coalesce(?5, status)
         where id = ?1 and epoch = ?2 and head_seq = ?3",
    )
    .bind(append.match_id.0)
    .bind(column(append.epoch.0))
    .bind(column(append.head_seq))
    .bind(column(head_seq))
    .bind(word::phase_after(&append.events).map(word::phase))
    .execute(&mut *connection)
    .await
    .map_err(fault())?;
    if guarded.rows_affected() == 0 {
        return Err(AppendError::Fenced);
    }
    if let Some(author) = &append.by {
        if let Some(seq) = answer(connection, append.match_id, author.user, &author.cmd).await? {
            return Err(AppendError::Duplicate { seq });
        }
        redeem(connection, append, author).await?;
    }
    let rows = append.events.iter().zip(append.head_seq + 1..).map(|(event, seq)| {
        let cmd = append.by.as_ref().filter(|_| seq == head_seq).map(|author| &author.cmd);
        (seq, event, cmd)
    });
    let by = append.by.as_ref().map(|author| author.user);
    insert_events(connection, append.match_id, append.epoch, append.at, by, rows).await.map_err(fault())?;
    if let Some(next) = &append.next {
        begin_next(connection, append, next).await.map_err(StoreError::database("begin the next match"))?;
    }
    Ok(head_seq)
}

/// Begins the match that follows, at the same table.
async fn begin_next(
    connection: &mut SqliteConnection,
    append: &Append,
    next: &NextMatch,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into matches (id, table_id, number, epoch, head_seq, status, created_at_ms)
         select ?2, table_id, number + 1, ?3, ?4, ?5, ?6 from matches where id = ?1",
    )
    .bind(append.match_id.0)
    .bind(next.match_id.0)
    .bind(column(Epoch::FIRST.0))
    .bind(column(next.events.len() as u64))
    .bind(word::phase(word::phase_after(&next.events).unwrap_or(Phase::Open)))
    .bind(millis(append.at))
    .execute(&mut *connection)
    .await?;
    let rows = next.events.iter().zip(1..).map(|(event, seq)| (seq, event, None));
    let by = append.by.as_ref().map(|author| author.user);
    insert_events(connection, next.match_id, Epoch::FIRST, append.at, by, rows).await
}

/// Uses the author's invite, if the command brings one.
async fn redeem(
    connection: &mut SqliteConnection,
    append: &Append,
    author: &Author,
) -> Result<(), AppendError> {
    let Some(invite) = author.redeem else { return Ok(()) };
    let used = sqlx::query(
        "update links set used_by = ?3, used_at_ms = ?4
         where secret_hash = ?1 and purpose = 'invite' and expires_at_ms > ?4
           and table_id = (select table_id from matches where id = ?2)
           and (uses = 'open' or used_by is null or used_by = ?3)",
    )
    .bind(invite.0.as_slice())
    .bind(append.match_id.0)
    .bind(author.user.0)
    .bind(millis(append.at))
    .execute(connection)
    .await
    .map_err(StoreError::database("redeem an invite"))?;
    if used.rows_affected() == 0 { Err(AppendError::LinkUsed) } else { Ok(()) }
}

/// Writes rows of the log: seq, event, and the command's name where it stands.
pub(super) async fn insert_events<'a>(
    connection: &mut SqliteConnection,
    match_id: MatchId,
    epoch: Epoch,
    at: Timestamp,
    by: Option<UserId>,
    rows: impl Iterator<Item = (u64, &'a Event, Option<&'a CmdId>)>,
) -> Result<(), sqlx::Error> {
    for (seq, event, cmd) in rows {
        sqlx::query(
            "insert into match_event (match_id, seq, epoch, at_ms, by_user, cmd, event)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )
        .bind(match_id.0)
        .bind(column(seq))
        .bind(column(epoch.0))
        .bind(millis(at))
        .bind(by.map(|user| user.0))
        .bind(cmd.map(CmdId::as_str))
        .bind(event_text(event))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn answer(
    connection: &mut SqliteConnection,
    match_id: MatchId,
    user: UserId,
    cmd: &CmdId,
) -> Result<Option<u64>, StoreError> {
    let seq: Option<i64> =
        sqlx::query_scalar("select seq from match_event where match_id = ?1 and by_user = ?2 and cmd = ?3")
            .bind(match_id.0)
            .bind(user.0)
            .bind(cmd.as_str())
            .fetch_optional(connection)
            .await
            .map_err(StoreError::database("look up a command"))?;
    seq.map(|seq| read_seq("match_event.seq", seq)).transpose()
}

/// Whether a COMMIT that gave this error has certainly not happened. SQLite keeps the transaction open when it is
/// busy; after an I/O error or a full disk the pages may or may not be down.
fn rolled_back(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.and_then(|code| code.parse::<i32>().ok()).is_some_and(|code| code & 0xff == BUSY)
}
