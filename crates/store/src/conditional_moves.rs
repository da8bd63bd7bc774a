//! The conditional moves of players in correspondence matches.

use quadrex_protocol::conditional::ConditionalLine;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Color;
use uuid::Uuid;

use super::database::{Sql, execute, fetch_all};
use super::error::{read_seq, unreadable};
use super::log::{Epoch, count_column};
use super::{Store, StoreError};

/// The conditional moves of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredConditionalMoves {
    /// The match.
    pub match_id: MatchId,
    /// The color of the seat.
    pub color: Color,
    /// The player who has stored the lines.
    pub user: UserId,
    /// The number of the event after which the first step of each line comes.
    pub after: u64,
    /// The lines, of which the first one that applies counts.
    pub lines: Vec<ConditionalLine>,
}

/// A row of `conditional_moves` as the databases return it.
type RawConditionalMoves = (Uuid, String, Uuid, i64, String);

fn read(
    (match_id, color, user, after, lines): RawConditionalMoves,
) -> Result<StoredConditionalMoves, StoreError> {
    Ok(StoredConditionalMoves {
        match_id: MatchId(match_id),
        color: color.parse().map_err(|_| unreadable("conditional_moves.color", color))?,
        user: UserId(user),
        after: read_seq("conditional_moves.after_seq", after)?,
        lines: serde_json::from_str(&lines).map_err(|error| unreadable("conditional_moves.lines", error))?,
    })
}

fn lines_text(lines: &[ConditionalLine]) -> String {
    serde_json::to_string(lines).expect("lines are plain JSON")
}

impl Store {
    /// Stores the conditional moves of a seat in place of those that it has. Without lines, those
    /// are removed. Returns false and changes nothing if the match was claimed under another epoch,
    /// or if the last event of its log is not the event `after` of the moves.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or the user does not exist.
    pub async fn set_conditional_moves(
        &self,
        moves: &StoredConditionalMoves,
        epoch: Epoch,
    ) -> Result<bool, StoreError> {
        if moves.lines.is_empty() {
            self.remove_conditional_moves(moves.match_id, moves.color).await?;
            return Ok(true);
        }
        let sql = Sql {
            postgres: "
                insert into conditional_moves (match_id, color, user_id, after_seq, lines)
                select id, $2, $3, $4::bigint, $5::jsonb from matches
                where id = $1 and epoch = $6 and head_seq = $4::bigint for share
                on conflict (match_id, color) do update
                set user_id = excluded.user_id, after_seq = excluded.after_seq, lines = excluded.lines",
            sqlite: "
                insert into conditional_moves (match_id, color, user_id, after_seq, lines)
                select id, $2, $3, $4, $5 from matches where id = $1 and epoch = $6 and head_seq = $4
                on conflict (match_id, color) do update
                set user_id = excluded.user_id, after_seq = excluded.after_seq, lines = excluded.lines",
        };
        let StoredConditionalMoves { match_id, color, user, after, lines } = moves;
        let (after, epoch) = (count_column(*after), count_column(epoch.0));
        let stored = execute!(self, sql, match_id.0, color.name(), user.0, after, lines_text(lines), epoch);
        Ok(stored.map_err(StoreError::database("store conditional moves"))? > 0)
    }

    /// Replaces the lines of a seat that begin after the same event. Without lines, the conditional
    /// moves are removed.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn keep_conditional_lines(&self, moves: &StoredConditionalMoves) -> Result<(), StoreError> {
        let StoredConditionalMoves { match_id, color, after, lines, .. } = moves;
        let after = count_column(*after);
        let changed = if lines.is_empty() {
            let sql = Sql::both(
                "delete from conditional_moves where match_id = $1 and color = $2 and after_seq = $3",
            );
            execute!(self, sql, match_id.0, color.name(), after)
        } else {
            let sql = Sql {
                postgres: "update conditional_moves set lines = $4::jsonb
                           where match_id = $1 and color = $2 and after_seq = $3",
                sqlite: "update conditional_moves set lines = $4
                         where match_id = $1 and color = $2 and after_seq = $3",
            };
            execute!(self, sql, match_id.0, color.name(), after, lines_text(lines))
        };
        changed.map(drop).map_err(StoreError::database("drop lines of conditional moves"))
    }

    /// Removes the conditional moves of a seat.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_conditional_moves(&self, match_id: MatchId, color: Color) -> Result<(), StoreError> {
        let sql = Sql::both("delete from conditional_moves where match_id = $1 and color = $2");
        let removed = execute!(self, sql, match_id.0, color.name());
        removed.map(drop).map_err(StoreError::database("remove conditional moves"))
    }

    /// Returns the conditional moves of all seats of a match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn conditional_moves(
        &self,
        match_id: MatchId,
    ) -> Result<Vec<StoredConditionalMoves>, StoreError> {
        let sql = Sql {
            postgres: "select match_id, color, user_id, after_seq, lines::text from conditional_moves
                       where match_id = $1 order by color",
            sqlite: "select match_id, color, user_id, after_seq, lines from conditional_moves
                     where match_id = $1 order by color",
        };
        let rows = fetch_all!(self, RawConditionalMoves, sql, match_id.0);
        let rows = rows.map_err(StoreError::database("look up conditional moves"))?;
        rows.into_iter().map(read).collect()
    }

    /// Returns the conditional moves of a user in all matches.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn conditional_moves_of(
        &self,
        user: UserId,
    ) -> Result<Vec<StoredConditionalMoves>, StoreError> {
        let sql = Sql {
            postgres: "select match_id, color, user_id, after_seq, lines::text from conditional_moves
                       where user_id = $1 order by match_id, color",
            sqlite: "select match_id, color, user_id, after_seq, lines from conditional_moves
                     where user_id = $1 order by match_id, color",
        };
        let rows = fetch_all!(self, RawConditionalMoves, sql, user.0);
        let rows = rows.map_err(StoreError::database("look up the conditional moves of a user"))?;
        rows.into_iter().map(read).collect()
    }

    /// Returns the numbers of the last events of those commands of a user in a match whose ids begin
    /// with a prefix of letters and hyphens, in order.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn command_seqs(
        &self,
        match_id: MatchId,
        user: UserId,
        prefix: &str,
    ) -> Result<Vec<u64>, StoreError> {
        let sql = Sql::both(
            "select seq from match_event where match_id = $1 and by_user = $2 and cmd like $3 order by seq",
        );
        let rows = fetch_all!(self, (i64,), sql, match_id.0, user.0, format!("{prefix}%"));
        let rows = rows.map_err(StoreError::database("look up commands"))?;
        rows.into_iter().map(|(seq,)| read_seq("match_event.seq", seq)).collect()
    }
}
