//! Handovers: secrets with which a user continues on another device.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::database::{Sql, Transaction, execute, execute_in, execute_returning, fetch_optional};
use super::secret_hash::SecretHash;
use super::time_column::TimeColumn;
use super::{Store, StoreError};

/// The statement that removes all handovers of a user.
const REMOVE_ALL: &str = "delete from handovers where user_id = $1";

/// A single-use secret. The first client that sends the secret may act as the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    /// The secret's hash.
    pub secret: SecretHash,
    /// The user as whom the client continues.
    pub user: UserId,
    /// The time at which the handover was created.
    pub created_at: Timestamp,
    /// The time at which the handover expires.
    pub expires_at: Timestamp,
}

impl Store {
    /// Adds a new handover and removes all expired handovers.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or there is no such user.
    pub async fn add_handover(&self, handover: &Handover) -> Result<(), StoreError> {
        let failed = || StoreError::database("add a handover");
        let remove_expired = Sql {
            postgres: "delete from handovers where expires_at <= $1",
            sqlite: "delete from handovers where expires_at_ms <= $1",
        };
        execute!(self, remove_expired, TimeColumn::from(handover.created_at)).map_err(failed())?;
        let sql = Sql {
            postgres: "insert into handovers (secret_hash, user_id, created_at, expires_at)
                       values ($1, $2, $3, $4)",
            sqlite: "insert into handovers (secret_hash, user_id, created_at_ms, expires_at_ms)
                     values ($1, $2, $3, $4)",
        };
        let added = execute!(
            self,
            sql,
            handover.secret.0.as_slice(),
            handover.user.0,
            TimeColumn::from(handover.created_at),
            TimeColumn::from(handover.expires_at),
        );
        added.map(drop).map_err(failed())
    }

    /// Returns the user of a handover without using the handover. Returns `None` if the handover is
    /// unknown, used, or expired at `now`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn handover_user(
        &self,
        secret: SecretHash,
        now: Timestamp,
    ) -> Result<Option<UserId>, StoreError> {
        let sql = Sql {
            postgres: "select user_id from handovers where secret_hash = $1 and expires_at > $2",
            sqlite: "select user_id from handovers where secret_hash = $1 and expires_at_ms > $2",
        };
        let row = fetch_optional!(self, (Uuid,), sql, secret.0.as_slice(), TimeColumn::from(now));
        Ok(row.map_err(StoreError::database("look up a handover"))?.map(|(user,)| UserId(user)))
    }

    /// Uses a handover and returns its user. Returns `None` if the handover is unknown, used, or
    /// expired at `now`. If several calls happen at the same time, exactly one returns the user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The handover may then be marked as used
    /// although no user was returned.
    pub async fn use_handover(
        &self,
        secret: SecretHash,
        now: Timestamp,
    ) -> Result<Option<UserId>, StoreError> {
        let sql = Sql {
            postgres: "delete from handovers where secret_hash = $1 and expires_at > $2 returning user_id",
            sqlite: "delete from handovers where secret_hash = $1 and expires_at_ms > $2 returning user_id",
        };
        let rows = execute_returning!(self, (Uuid,), sql, secret.0.as_slice(), TimeColumn::from(now));
        let rows = rows.map_err(StoreError::database("use a handover"))?;
        Ok(rows.into_iter().next().map(|(user,)| UserId(user)))
    }

    /// Removes all handovers of a user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_handovers_of(&self, user: UserId) -> Result<(), StoreError> {
        let removed = execute!(self, Sql::both(REMOVE_ALL), user.0);
        removed.map(drop).map_err(StoreError::database("remove the handovers of a user"))
    }
}

impl Transaction {
    /// Removes all handovers of a user.
    pub(super) async fn remove_handovers_of(&mut self, user: Uuid) -> Result<(), sqlx::Error> {
        execute_in!(self, Sql::both(REMOVE_ALL), user).map(drop)
    }
}
