//! The log of matches in a SQLite file.

use quadrex_protocol::{CmdId, MatchId, UserId};
use sqlx::SqliteConnection;
use uuid::Uuid;

use super::{Sqlite, moment};
use crate::error::read_seq;
use crate::log::{RawLogged, count_column};
use crate::{Epoch, Logged, StoreError};

/// The columns of [`RawLogged`], as they come.
type LoggedColumns = (i64, i64, i64, Option<Uuid>, Option<String>, String);

impl Sqlite {
    pub(crate) async fn claim(&self, match_id: MatchId) -> Result<Option<Epoch>, StoreError> {
        // All rows are asked for: who asks for one is given it before the COMMIT, and is not told if that fails.
        let epochs: Vec<i64> =
            sqlx::query_scalar("update matches set epoch = epoch + 1 where id = ?1 returning epoch")
                .bind(match_id.0)
                .fetch_all(&self.writer)
                .await
                .map_err(StoreError::database("claim a match"))?;
        epochs.into_iter().next().map(|epoch| read_seq("matches.epoch", epoch).map(Epoch)).transpose()
    }

    pub(crate) async fn events(&self, match_id: MatchId, after: u64) -> Result<Vec<Logged>, StoreError> {
        let rows: Vec<LoggedColumns> = sqlx::query_as(
            "select seq, epoch, at_ms, by_user, cmd, event from match_event
             where match_id = ?1 and seq > ?2 order by seq",
        )
        .bind(match_id.0)
        .bind(count_column(after))
        .fetch_all(&self.readers)
        .await
        .map_err(StoreError::database("read a match"))?;
        rows.into_iter()
            .map(|(seq, epoch, at, by, cmd, event)| {
                RawLogged { seq, epoch, at: moment("match_event.at_ms", at)?, by, cmd, event }.read(match_id)
            })
            .collect()
    }

    pub(crate) async fn command_answer(
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

pub(super) async fn answer(
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
