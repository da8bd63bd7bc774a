//! The recovery keys of users.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, execute, fetch_optional};
use super::error::StoreError;
use super::secret_hash::SecretHash;
use super::time_column::TimeColumn;

impl Store {
    /// Stores the recovery key of a user. It replaces an earlier key.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or there is no such user.
    pub async fn set_recovery_key(
        &self,
        user: UserId,
        key: SecretHash,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "insert into recovery_keys (user_id, key_hash, created_at) values ($1, $2, $3)
                       on conflict (user_id)
                       do update set key_hash = excluded.key_hash, created_at = excluded.created_at",
            sqlite: "insert into recovery_keys (user_id, key_hash, created_at_ms) values ($1, $2, $3)
                     on conflict (user_id)
                     do update set key_hash = excluded.key_hash, created_at_ms = excluded.created_at_ms",
        };
        let stored = execute!(self, sql, user.0, key.0.as_slice(), TimeColumn::from(at));
        stored.map(drop).map_err(StoreError::database("store a recovery key"))
    }

    /// Removes the recovery key of a user. Returns false if there is none.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the key may not have been removed.
    pub async fn remove_recovery_key(&self, user: UserId) -> Result<bool, StoreError> {
        let sql = Sql::both("delete from recovery_keys where user_id = $1");
        let removed = execute!(self, sql, user.0);
        Ok(removed.map_err(StoreError::database("remove a recovery key"))? > 0)
    }

    /// Returns the user of a recovery key, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn recovery_key_user(&self, key: SecretHash) -> Result<Option<UserId>, StoreError> {
        let sql = Sql::both("select user_id from recovery_keys where key_hash = $1");
        let row = fetch_optional!(self, (Uuid,), sql, key.0.as_slice());
        Ok(row.map_err(StoreError::database("look up a recovery key"))?.map(|(user,)| UserId(user)))
    }

    /// Returns whether a user has a recovery key.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn has_recovery_key(&self, user: UserId) -> Result<bool, StoreError> {
        let sql = Sql::both("select user_id from recovery_keys where user_id = $1");
        let row = fetch_optional!(self, (Uuid,), sql, user.0);
        Ok(row.map_err(StoreError::database("look up the recovery key of a user"))?.is_some())
    }
}
