//! The log of matches in a Postgres database.

use std::time::Duration;

use quadrex_protocol::view::Phase;
use quadrex_protocol::{CmdId, MatchId, UserId};
use sqlx::postgres::{PgDatabaseError, PgSeverity};
use sqlx::{Connection, PgConnection};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Postgres, datetime, moment};
use crate::store::error::read_seq;
use crate::store::log::{RawLogged, column, event_text};
use crate::store::{Append, AppendError, Epoch, Logged, NextMatch, SecretHash, StoreError, word};

/// How long an append may go without an answer before its outcome counts as unknown. A commit takes well under a
/// millisecond; a server that is this late is gone, or behind a line that is.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// The name of the constraint that makes a command count once.
const COMMAND_ONCE: &str = "match_event_cmd";

/// The guard and the rows in one statement: the rows come from the guard's row, so without it there are none.
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

/// The columns of [`RawLogged`], as they come.
type LoggedColumns = (i64, i64, OffsetDateTime, Option<Uuid>, Option<String>, String);

impl Postgres {
    pub(in crate::store) async fn claim(&self, match_id: MatchId) -> Result<Option<Epoch>, StoreError> {
        let epoch: Option<i64> =
            sqlx::query_scalar("update matches set epoch = epoch + 1 where id = $1 returning epoch")
                .bind(match_id.0)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::database("claim a match"))?;
        epoch.map(|epoch| read_seq("matches.epoch", epoch).map(Epoch)).transpose()
    }

    pub(in crate::store) async fn append(&self, append: &Append) -> Result<u64, AppendError> {
        let mut connection = self.pool.acquire().await.map_err(fault)?;
        let invite = append.by.as_ref().and_then(|author| author.redeem.map(|invite| (author.user, invite)));
        let written = tokio::time::timeout(ANSWER_WITHIN, async {
            if invite.is_none() && append.next.is_none() {
                insert(&mut connection, append).await
            } else {
                insert_with_more(&mut connection, append, invite).await
            }
        });
        match written.await.unwrap_or_else(|_| Err(Failure::Unknown(late()))) {
            Ok(()) => Ok(append.head_seq + append.events.len() as u64),
            Err(Failure::Fenced) => Err(AppendError::Fenced),
            Err(Failure::LinkUsed) => Err(AppendError::LinkUsed),
            Err(Failure::SentTwice(error)) => {
                drop(connection);
                Err(self.duplicate(append, error).await)
            }
            Err(Failure::RolledBack(error)) => Err(AppendError::Fault(fault(error))),
            Err(Failure::Unknown(error)) => {
                // A connection in doubt must not go back to the pool.
                drop(connection.detach());
                Err(AppendError::Unknown(fault(error)))
            }
        }
    }

    pub(in crate::store) async fn events(
        &self,
        match_id: MatchId,
        after: u64,
    ) -> Result<Vec<Logged>, StoreError> {
        let rows: Vec<LoggedColumns> = sqlx::query_as(
            "select seq, epoch, at, by_user, cmd, event::text from match_event
             where match_id = $1 and seq > $2 order by seq",
        )
        .bind(match_id.0)
        .bind(column(after))
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::database("read a match"))?;
        rows.into_iter()
            .map(|(seq, epoch, at, by, cmd, event)| {
                RawLogged { seq, epoch, at: moment("match_event.at", at)?, by, cmd, event }.read(match_id)
            })
            .collect()
    }

    pub(in crate::store) async fn command_answer(
        &self,
        match_id: MatchId,
        user: UserId,
        cmd: &CmdId,
    ) -> Result<Option<u64>, StoreError> {
        let seq: Option<i64> = sqlx::query_scalar(
            "select seq from match_event where match_id = $1 and by_user = $2 and cmd = $3",
        )
        .bind(match_id.0)
        .bind(user.0)
        .bind(cmd.as_str())
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::database("look up a command"))?;
        seq.map(|seq| read_seq("match_event.seq", seq)).transpose()
    }

    /// The constraint said that the command is in the log; where it is, the log says.
    async fn duplicate(&self, append: &Append, error: sqlx::Error) -> AppendError {
        let Some(author) = &append.by else { return AppendError::Fault(fault(error)) };
        match self.command_answer(append.match_id, author.user, &author.cmd).await {
            Ok(Some(seq)) => AppendError::Duplicate { seq },
            Ok(None) => AppendError::Fault(fault(error)),
            Err(fault) => AppendError::Fault(fault),
        }
    }
}

/// How an append can end other than well.
enum Failure {
    Fenced,
    LinkUsed,
    SentTwice(sqlx::Error),
    RolledBack(sqlx::Error),
    Unknown(sqlx::Error),
}

impl Failure {
    /// What an error in answer to a statement that commits says about its outcome. An ERROR ends the transaction
    /// before it commits; a FATAL or PANIC ends the server's process at any point, a broken line says nothing.
    fn of_commit(error: sqlx::Error) -> Self {
        let Some(database) = error.as_database_error() else { return Self::Unknown(error) };
        if database.constraint() == Some(COMMAND_ONCE) {
            return Self::SentTwice(error);
        }
        match database.downcast_ref::<PgDatabaseError>().severity() {
            PgSeverity::Fatal | PgSeverity::Panic => Self::Unknown(error),
            _ => Self::RolledBack(error),
        }
    }

    /// What any error before the COMMIT says.
    fn before_commit(self) -> Self {
        match self {
            Self::Unknown(error) => Self::RolledBack(error),
            other => other,
        }
    }
}

async fn insert(connection: &mut PgConnection, append: &Append) -> Result<(), Failure> {
    let written = sqlx::query(APPEND)
        .bind(append.match_id.0)
        .bind(column(append.epoch.0))
        .bind(column(append.head_seq))
        .bind(append.events.iter().map(event_text).collect::<Vec<_>>())
        .bind(datetime(append.at))
        .bind(append.by.as_ref().map(|author| author.user.0))
        .bind(append.by.as_ref().map(|author| author.cmd.as_str()))
        .bind(word::phase_after(&append.events).map(word::phase))
        .execute(connection)
        .await
        .map_err(Failure::of_commit)?;
    if written.rows_affected() == 0 { Err(Failure::Fenced) } else { Ok(()) }
}

/// As [`insert`], in one transaction with the use of an invite and the beginning of the match that follows.
async fn insert_with_more(
    connection: &mut PgConnection,
    append: &Append,
    invite: Option<(UserId, SecretHash)>,
) -> Result<(), Failure> {
    let mut transaction = connection.begin().await.map_err(Failure::RolledBack)?;
    insert(&mut transaction, append).await.map_err(Failure::before_commit)?;
    if let Some((user, invite)) = invite {
        redeem(&mut transaction, append, user, invite).await?;
    }
    if let Some(next) = &append.next {
        begin_next(&mut transaction, append, next).await.map_err(Failure::RolledBack)?;
    }
    transaction.commit().await.map_err(Failure::of_commit)
}

async fn redeem(
    connection: &mut PgConnection,
    append: &Append,
    user: UserId,
    invite: SecretHash,
) -> Result<(), Failure> {
    let used = sqlx::query(
        "update links set used_by = $3, used_at = $4
         where secret_hash = $1 and purpose = 'invite' and expires_at > $4
           and table_id = (select table_id from matches where id = $2)
           and (uses = 'open' or used_by is null or used_by = $3)",
    )
    .bind(invite.0.as_slice())
    .bind(append.match_id.0)
    .bind(user.0)
    .bind(datetime(append.at))
    .execute(connection)
    .await
    .map_err(Failure::RolledBack)?;
    if used.rows_affected() == 0 { Err(Failure::LinkUsed) } else { Ok(()) }
}

/// Begins the match that follows, at the same table.
async fn begin_next(
    connection: &mut PgConnection,
    append: &Append,
    next: &NextMatch,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into matches (id, table_id, number, epoch, head_seq, status, created_at)
         select $2, table_id, number + 1, $3, $4, $5, $6 from matches where id = $1",
    )
    .bind(append.match_id.0)
    .bind(next.match_id.0)
    .bind(column(Epoch::FIRST.0))
    .bind(column(next.events.len() as u64))
    .bind(word::phase(word::phase_after(&next.events).unwrap_or(Phase::Open)))
    .bind(datetime(append.at))
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "insert into match_event (match_id, seq, epoch, at, by_user, event)
         select $1, written.seq, $2, $3, $4, written.event::jsonb
         from unnest($5::text[]) with ordinality as written (event, seq)",
    )
    .bind(next.match_id.0)
    .bind(column(Epoch::FIRST.0))
    .bind(datetime(append.at))
    .bind(append.by.as_ref().map(|author| author.user.0))
    .bind(next.events.iter().map(event_text).collect::<Vec<_>>())
    .execute(connection)
    .await
    .map(drop)
}

fn fault(error: sqlx::Error) -> StoreError {
    StoreError::database("append to a match")(error)
}

fn late() -> sqlx::Error {
    let text = format!("no answer within {} s", ANSWER_WITHIN.as_secs());
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, text))
}
