//! The log of matches in a Postgres database.

use quadrex_protocol::{CmdId, MatchId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Postgres, moment};
use crate::error::read_seq;
use crate::log::{RawLogged, count_column};
use crate::{Epoch, Logged, StoreError};

/// The columns of [`RawLogged`], as they come.
type LoggedColumns = (i64, i64, OffsetDateTime, Option<Uuid>, Option<String>, String);

impl Postgres {
    pub(crate) async fn claim(&self, match_id: MatchId) -> Result<Option<Epoch>, StoreError> {
        let epoch: Option<i64> =
            sqlx::query_scalar("update matches set epoch = epoch + 1 where id = $1 returning epoch")
                .bind(match_id.0)
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::database("claim a match"))?;
        epoch.map(|epoch| read_seq("matches.epoch", epoch).map(Epoch)).transpose()
    }

    pub(crate) async fn events(&self, match_id: MatchId, after: u64) -> Result<Vec<Logged>, StoreError> {
        let rows: Vec<LoggedColumns> = sqlx::query_as(
            "select seq, epoch, at, by_user, cmd, event::text from match_event
             where match_id = $1 and seq > $2 order by seq",
        )
        .bind(match_id.0)
        .bind(count_column(after))
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::database("read a match"))?;
        rows.into_iter()
            .map(|(seq, epoch, at, by, cmd, event)| {
                RawLogged { seq, epoch, at: moment("match_event.at", at)?, by, cmd, event }.read(match_id)
            })
            .collect()
    }

    pub(crate) async fn command_answer(
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
}
