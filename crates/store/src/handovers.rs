//! Handovers: secrets by which a user goes on from another device.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::database::{Sql, execute, execute_returning, fetch_optional};
use super::secret_hash::SecretHash;
use super::time_column::TimeColumn;
use super::{Store, StoreError};

/// A secret that lets the first client that shows it act as this user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    /// The secret's hash.
    pub secret: SecretHash,
    /// The user that it identifies.
    pub user: UserId,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time from which it is expired.
    pub expires_at: Timestamp,
}

impl Store {
    /// Adds a new handover, and removes those that have expired by then.
    ///
    /// # Errors
    /// [`StoreError`], also if there is no such user.
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

    /// Returns the user that a handover identifies at `now` and leaves the handover unused; `None`
    /// if it is unknown, used or expired.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
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

    /// Uses a handover up and returns the user that it identifies at `now`; `None` if it is
    /// unknown, used or expired. Of several calls at once, exactly one returns the user.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails; the handover may be used up all the same.
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
}
