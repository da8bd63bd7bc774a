//! The users of unfinished matches. The rows are derived from the logs and written with them, so
//! every server on the database finds the same answer, whichever of them runs the match.

use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_rules::Variant;
use uuid::Uuid;

use super::database::{Sql, execute, execute_in, fetch_all, fetch_optional};
use super::error::{read_seq, unreadable};
use super::log::{Epoch, count_column};
use super::{Store, StoreError};

/// A user who holds a seat in an unfinished match, or who is its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatHolder {
    /// The user.
    pub user: UserId,
    /// The variant of the match.
    pub variant: Variant,
    /// True if the match runs and one of the user's seats is still in it.
    pub is_playing: bool,
}

/// An unfinished match of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnMatch {
    /// The table of the match.
    pub table: TableId,
    /// The match.
    pub match_id: MatchId,
    /// The number of the match's last event.
    pub head_seq: u64,
}

/// A row of `seat_holders` as the databases return it.
type RawSeatHolder = (Uuid, String, bool);

fn read((user, variant, is_playing): RawSeatHolder) -> Result<SeatHolder, StoreError> {
    let variant = variant.parse().map_err(|_| unreadable("seat_holders.variant", &variant))?;
    Ok(SeatHolder { user: UserId(user), variant, is_playing })
}

impl Store {
    /// Returns whether a user is still in a running match of this variant.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn plays(&self, user: UserId, variant: Variant) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "select 1 from seat_holders where user_id = $1 and variant = $2 and is_playing limit 1",
            sqlite: "select 1 from seat_holders where user_id = $1 and variant = $2 and is_playing = 1 limit 1",
        };
        let row = fetch_optional!(self, (i32,), sql, user.0, variant.name());
        Ok(row.map_err(StoreError::database("look up the matches of a user"))?.is_some())
    }

    /// Returns the unfinished matches in which a user holds a seat or is the host. The match whose
    /// table is the newest comes first. Returns at most `limit` matches, of tables older than
    /// `before`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn own_matches(
        &self,
        user: UserId,
        before: Option<TableId>,
        limit: u16,
    ) -> Result<Vec<OwnMatch>, StoreError> {
        let sql = Sql {
            postgres: "select table_id, id, head_seq from seat_holders join matches on id = match_id
                       where user_id = $1 and status <> 'ended' and ($2::uuid is null or table_id < $2)
                       order by table_id desc limit $3",
            sqlite: "select table_id, id, head_seq from seat_holders join matches on id = match_id
                     where user_id = $1 and status <> 'ended' and ($2 is null or table_id < $2)
                     order by table_id desc limit $3",
        };
        let before = before.map(|table| table.0);
        let rows = fetch_all!(self, (Uuid, Uuid, i64), sql, user.0, before, i64::from(limit));
        let rows = rows.map_err(StoreError::database("list the matches of a user"))?;
        let read = |(table, match_id, head_seq): (Uuid, Uuid, i64)| {
            let head_seq = read_seq("matches.head_seq", head_seq)?;
            Ok(OwnMatch { table: TableId(table), match_id: MatchId(match_id), head_seq })
        };
        rows.into_iter().map(read).collect()
    }

    /// Returns the seat holders of a match, ordered by the user's id.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn seat_holders(&self, match_id: MatchId) -> Result<Vec<SeatHolder>, StoreError> {
        let sql = Sql::both(
            "select user_id, variant, is_playing from seat_holders where match_id = $1 order by user_id",
        );
        let rows = fetch_all!(self, RawSeatHolder, sql, match_id.0);
        let rows = rows.map_err(StoreError::database("look up the seat holders of a match"))?;
        rows.into_iter().map(read).collect()
    }

    /// Makes the stored seat holders of a match equal to `holders`, which must be ordered by the
    /// user's id. Changes nothing if the match has been claimed again, or if they are equal
    /// already.
    ///
    /// They differ only if a server that does not know the table `seat_holders` has run the match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn repair_seat_holders(
        &self,
        match_id: MatchId,
        epoch: Epoch,
        holders: &[SeatHolder],
    ) -> Result<(), StoreError> {
        if self.seat_holders(match_id).await? == holders {
            return Ok(());
        }
        let failed = || StoreError::database("repair the seat holders of a match");
        let mut transaction = self.database.begin().await.map_err(failed())?;
        // The update locks the row, so that no other server can claim the match meanwhile.
        let lock = Sql::both("update matches set epoch = epoch where id = $1 and epoch = $2");
        let is_owner = execute_in!(&mut transaction, lock, match_id.0, count_column(epoch.0));
        if is_owner.map_err(failed())? == 0 {
            return transaction.roll_back().await.map_err(failed());
        }
        let remove = Sql::both("delete from seat_holders where match_id = $1");
        execute_in!(&mut transaction, remove, match_id.0).map_err(failed())?;
        transaction.insert_holders(match_id, holders).await.map_err(failed())?;
        transaction.commit().await.map_err(failed())
    }

    /// Removes the seat holders of ended matches. There are such rows only if a server that does
    /// not know the table `seat_holders` has ended a match. The search reads all rows, which may take
    /// a while, and holds no lock.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_outdated_seat_holders(&self) -> Result<(), StoreError> {
        let failed = || StoreError::database("remove the seat holders of ended matches");
        let find = Sql::both(
            "select distinct match_id from seat_holders join matches on id = match_id and status = 'ended'",
        );
        let outdated = fetch_all!(self, (Uuid,), find).map_err(failed())?;
        for (match_id,) in outdated {
            let remove = Sql::both("delete from seat_holders where match_id = $1");
            execute!(self, remove, match_id).map_err(failed())?;
        }
        Ok(())
    }
}
