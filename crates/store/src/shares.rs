//! The share links of matches that have ended.

use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;

use super::Store;
use super::database::{Sql, execute, fetch_optional};
use super::error::StoreError;
use super::secret_hash::SecretHash;
use super::time_column::TimeColumn;

impl Store {
    /// Stores a player's share link of a match. It replaces an earlier link of this player.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or there is no such match or user.
    pub async fn share_match(
        &self,
        match_id: MatchId,
        player: UserId,
        secret: SecretHash,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "insert into match_shares (match_id, user_id, secret_hash, created_at)
                       values ($1, $2, $3, $4)
                       on conflict (match_id, user_id)
                       do update set secret_hash = excluded.secret_hash, created_at = excluded.created_at",
            sqlite:
                "insert into match_shares (match_id, user_id, secret_hash, created_at_ms)
                     values ($1, $2, $3, $4)
                     on conflict (match_id, user_id)
                     do update set secret_hash = excluded.secret_hash, created_at_ms = excluded.created_at_ms",
        };
        let stored = execute!(self, sql, match_id.0, player.0, secret.0.as_slice(), TimeColumn::from(at));
        stored.map(drop).map_err(StoreError::database("share a match"))
    }

    /// Returns the time at which a player's share link of a match was created, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn share_created_at(
        &self,
        match_id: MatchId,
        player: UserId,
    ) -> Result<Option<Timestamp>, StoreError> {
        let sql = Sql {
            postgres: "select created_at from match_shares where match_id = $1 and user_id = $2",
            sqlite: "select created_at_ms from match_shares where match_id = $1 and user_id = $2",
        };
        let row = fetch_optional!(self, (TimeColumn,), sql, match_id.0, player.0);
        let row = row.map_err(StoreError::database("look up a share link"))?;
        row.map(|(at,)| at.read("match_shares.created_at")).transpose()
    }

    /// Returns whether a secret belongs to a share link of a match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn is_match_shared(&self, match_id: MatchId, secret: SecretHash) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "select created_at from match_shares where match_id = $1 and secret_hash = $2",
            sqlite: "select created_at_ms from match_shares where match_id = $1 and secret_hash = $2",
        };
        let row = fetch_optional!(self, (TimeColumn,), sql, match_id.0, secret.0.as_slice());
        Ok(row.map_err(StoreError::database("look up a share link"))?.is_some())
    }

    /// Removes a player's share link of a match. Returns false if there is none.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the link may not have been removed.
    pub async fn remove_share(&self, match_id: MatchId, player: UserId) -> Result<bool, StoreError> {
        let sql = Sql::both("delete from match_shares where match_id = $1 and user_id = $2");
        let removed = execute!(self, sql, match_id.0, player.0);
        Ok(removed.map_err(StoreError::database("remove a share link"))? > 0)
    }
}
