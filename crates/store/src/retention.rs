//! The removal of old data. Each function removes a batch in one transaction, so that other
//! statements never wait long.

use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, Transaction, execute, execute_in, fetch_all_in};
use super::error::{StoreError, TransactionError};
use super::revocations::Retries;
use super::time_column::TimeColumn;

/// The name of all removed guests.
pub const REMOVED_GUEST: &str = "Guest";

impl Store {
    /// Acquires the right to remove old data until `next`. Returns false if another server has it
    /// at `now`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn claim_retention(&self, now: Timestamp, next: Timestamp) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "insert into retention_runs (id, next_at) values (1, $2)
                       on conflict (id) do update set next_at = excluded.next_at
                       where retention_runs.next_at <= $1",
            sqlite: "insert into retention_runs (id, next_at_ms) values (1, $2)
                     on conflict (id) do update set next_at_ms = excluded.next_at_ms
                     where retention_runs.next_at_ms <= $1",
        };
        let claimed = execute!(self, sql, TimeColumn::from(now), TimeColumn::from(next));
        Ok(claimed.map_err(StoreError::database("begin to remove old data"))? > 0)
    }

    /// Removes up to `max` guests who were created and have used their last session before
    /// `unused_since`, and who hold no seat and host no table in an unfinished match. Their
    /// sessions, recovery keys, links and warnings are removed, and their name is [`REMOVED_GUEST`]
    /// from now on. Their matches stay, with the names that they had. Returns the number of removed
    /// guests.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. Then nothing has changed.
    pub async fn remove_guests(
        &self,
        unused_since: Timestamp,
        now: Timestamp,
        max: u16,
    ) -> Result<u64, StoreError> {
        let mut retries = Retries::default();
        loop {
            match self.try_to_remove_guests(unused_since, now, max).await {
                Err(TransactionError::Database(error)) if retries.allow(&error) => {}
                removed => return removed.map_err(TransactionError::during("remove guests")),
            }
        }
    }

    async fn try_to_remove_guests(
        &self,
        unused_since: Timestamp,
        now: Timestamp,
        max: u16,
    ) -> Result<u64, TransactionError> {
        let sql = Sql {
            postgres: "
                select id from users
                where removed_at is null and deleted_at is null and created_at < $1
                  and (bot is null or bot ->> 'kind' = 'account')
                  and not exists (select 1 from accounts where user_id = users.id)
                  and not exists (select 1 from account_names where user_id = users.id)
                  and not exists (select 1 from seat_holders where user_id = users.id)
                  and not exists (select 1 from recovery_keys
                                  where user_id = users.id and recovery_keys.created_at >= $1)
                  and not exists (select 1 from sessions where user_id = users.id
                                  and coalesce(seen_at, sessions.created_at) >= $1)
                limit $2",
            sqlite: "
                select id from users
                where removed_at_ms is null and deleted_at_ms is null and created_at_ms < $1
                  and (bot is null or bot ->> '$.kind' = 'account')
                  and not exists (select 1 from accounts where user_id = users.id)
                  and not exists (select 1 from account_names where user_id = users.id)
                  and not exists (select 1 from seat_holders where user_id = users.id)
                  and not exists (select 1 from recovery_keys
                                  where user_id = users.id and recovery_keys.created_at_ms >= $1)
                  and not exists (select 1 from sessions where user_id = users.id
                                  and coalesce(seen_at_ms, sessions.created_at_ms) >= $1)
                limit $2",
        };
        let mut transaction = self.database.begin().await?;
        let (unused_since, limit) = (TimeColumn::from(unused_since), i64::from(max));
        let guests = fetch_all_in!(&mut transaction, (Uuid,), sql, unused_since, limit)?;
        if guests.is_empty() {
            return Ok(0);
        }
        for (guest,) in &guests {
            transaction.remove_guest(*guest, now).await?;
        }
        transaction.remove_old_revocations(now).await?;
        transaction.commit().await?;
        Ok(guests.len() as u64)
    }

    /// Removes the links, invitations, handovers, notifications and links by mail that have expired at
    /// `now`, and the revocations that all servers have read. Returns the number of removed links,
    /// invitations, handovers and sign-ins.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_expired(&self, now: Timestamp) -> Result<u64, StoreError> {
        let removed = async {
            let expired = [
                Sql {
                    postgres: "delete from handovers where expires_at <= $1",
                    sqlite: "delete from handovers where expires_at_ms <= $1",
                },
                Sql {
                    postgres: "delete from provider_sign_ins where expires_at <= $1",
                    sqlite: "delete from provider_sign_ins where expires_at_ms <= $1",
                },
                Sql {
                    postgres: "delete from provider_sign_ups where expires_at <= $1",
                    sqlite: "delete from provider_sign_ups where expires_at_ms <= $1",
                },
            ];
            let mut transaction = self.database.begin().await?;
            let at = TimeColumn::from(now);
            let mut removed = transaction.remove_expired_links(now).await?
                + transaction.remove_expired_invitations(now).await?;
            for sql in expired {
                removed += execute_in!(&mut transaction, sql, at)?;
            }
            transaction.remove_old_revocations(now).await?;
            transaction.commit().await?;
            Ok::<u64, sqlx::Error>(removed)
        };
        let removed = removed.await.map_err(StoreError::database("remove what has expired"))?;
        self.remove_expired_notifications(now).await?;
        self.remove_expired_mail_links(now).await?;
        Ok(removed)
    }

    /// Removes up to `max` reports that were closed before a time. Returns the number of removed
    /// reports.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_closed_reports(&self, closed_before: Timestamp, max: u16) -> Result<u64, StoreError> {
        let sql = Sql {
            postgres: "delete from reports where number in (
                           select number from reports where closed_at < $1 order by closed_at limit $2)",
            sqlite: "delete from reports where number in (
                         select number from reports where closed_at_ms < $1 order by closed_at_ms limit $2)",
        };
        let removed = execute!(self, sql, TimeColumn::from(closed_before), i64::from(max));
        removed.map_err(StoreError::database("remove closed reports"))
    }
}

impl Transaction {
    async fn remove_guest(&mut self, guest: Uuid, now: Timestamp) -> Result<(), TransactionError> {
        self.remove_access(guest, now).await?;
        let mark = Sql {
            postgres: "update users set name = $2, removed_at = $3 where id = $1",
            sqlite: "update users set name = $2, removed_at_ms = $3 where id = $1",
        };
        execute_in!(&mut *self, mark, guest, REMOVED_GUEST, TimeColumn::from(now))?;
        Ok(())
    }
}
