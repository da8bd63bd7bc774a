//! The mail addresses of accounts.

use std::fmt;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use crate::database::{Sql, Transaction, execute, execute_in, fetch_all_in, fetch_optional};
use crate::error::StoreError;
use crate::time_column::TimeColumn;
use crate::{SecretHash, Store};

/// The confirmed mail address of an account.
#[derive(Clone, PartialEq, Eq)]
pub struct MailAddress {
    /// The id. Another address of the same user has another id.
    pub id: Uuid,
    /// The address.
    pub address: String,
    /// The language of the mails.
    pub language: String,
    /// True if the address receives notifications.
    pub notifies: bool,
    /// The secret with which the recipient ends the notifications.
    pub unsubscribe_key: String,
}

/// `Debug` shows neither the address nor the secret.
impl fmt::Debug for MailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailAddress").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A mail address that its user has not confirmed yet.
#[derive(Clone, PartialEq, Eq)]
pub struct PendingAddress {
    /// The address.
    pub address: String,
    /// The language of the mails.
    pub language: String,
    /// True if the address will receive notifications.
    pub notifies: bool,
}

/// `Debug` does not show the address.
impl fmt::Debug for PendingAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PendingAddress(..)")
    }
}

/// The id and the secret that an address gets when it is confirmed. `Debug` does not show the secret.
#[derive(Clone, PartialEq, Eq)]
pub struct ConfirmedAddress {
    /// The id.
    pub id: Uuid,
    /// The secret with which the recipient ends the notifications.
    pub unsubscribe_key: String,
}

impl fmt::Debug for ConfirmedAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConfirmedAddress").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A row of `mail_addresses` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawAddress {
    id: Uuid,
    address: String,
    language: String,
    notifies: bool,
    unsubscribe_key: String,
}

impl From<RawAddress> for MailAddress {
    fn from(raw: RawAddress) -> Self {
        let RawAddress { id, address, language, notifies, unsubscribe_key } = raw;
        Self { id, address, language, notifies, unsubscribe_key }
    }
}

impl Store {
    /// Returns the confirmed mail address of a user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn mail_address_of(&self, user: UserId) -> Result<Option<MailAddress>, StoreError> {
        let sql = Sql::both(
            "select id, address, language, notifies, unsubscribe_key from mail_addresses where user_id = $1",
        );
        let row = fetch_optional!(self, RawAddress, sql, user.0);
        Ok(row.map_err(StoreError::database("look up the mail address of a user"))?.map(MailAddress::from))
    }

    /// Returns a mail address by its id, if it receives notifications.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn notified_mail_address(&self, id: Uuid) -> Result<Option<MailAddress>, StoreError> {
        let sql = Sql {
            postgres: "select id, address, language, notifies, unsubscribe_key from mail_addresses
                       where id = $1 and notifies",
            sqlite: "select id, address, language, notifies, unsubscribe_key from mail_addresses
                     where id = $1 and notifies = 1",
        };
        let row = fetch_optional!(self, RawAddress, sql, id);
        Ok(row.map_err(StoreError::database("look up a mail address"))?.map(MailAddress::from))
    }

    /// Returns the mail address that a user has added and not confirmed yet.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn pending_mail_address(
        &self,
        user: UserId,
        now: Timestamp,
    ) -> Result<Option<PendingAddress>, StoreError> {
        let sql = Sql {
            postgres: "select address, language, notifies from mail_links
                       where user_id = $1 and kind = 'confirm' and expires_at > $2",
            sqlite: "select address, language, notifies from mail_links
                     where user_id = $1 and kind = 'confirm' and expires_at_ms > $2",
        };
        let row = fetch_optional!(self, (String, String, bool), sql, user.0, TimeColumn::from(now));
        let row = row.map_err(StoreError::database("look up a mail address that waits"))?;
        Ok(row.map(|(address, language, notifies)| PendingAddress { address, language, notifies }))
    }

    /// Changes the language and the notifications of a user's confirmed address, and drops an address
    /// that waits. Returns false if `address` is not the confirmed address of the user; then nothing
    /// changes.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn change_mail_settings(
        &self,
        user: UserId,
        address: &str,
        language: &str,
        notifies: bool,
    ) -> Result<bool, StoreError> {
        let failed = || StoreError::database("change the mail settings of a user");
        let mut transaction = self.database.begin().await.map_err(failed())?;
        let sql = Sql::both(
            "update mail_addresses set language = $3, notifies = $4 where user_id = $1 and address = $2",
        );
        let changed = execute_in!(&mut transaction, sql, user.0, address, language, notifies);
        if changed.map_err(failed())? == 0 {
            return Ok(false);
        }
        let drop_pending = Sql::both("delete from mail_links where user_id = $1 and kind = 'confirm'");
        execute_in!(&mut transaction, drop_pending, user.0).map_err(failed())?;
        transaction.commit().await.map_err(failed())?;
        Ok(true)
    }

    /// Confirms the address to which a secret was sent. It replaces an earlier address of the user. The
    /// secret works once. Returns the user, or `None` if the secret confirms no address.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn confirm_mail_address(
        &self,
        secret: SecretHash,
        confirmed: &ConfirmedAddress,
        now: Timestamp,
    ) -> Result<Option<UserId>, StoreError> {
        let confirmed = self.try_to_confirm(secret, confirmed, now).await;
        confirmed.map_err(StoreError::database("confirm a mail address"))
    }

    async fn try_to_confirm(
        &self,
        secret: SecretHash,
        confirmed: &ConfirmedAddress,
        now: Timestamp,
    ) -> Result<Option<UserId>, sqlx::Error> {
        let mut transaction = self.database.begin().await?;
        let used = Sql {
            postgres: "delete from mail_links where secret_hash = $1 and kind = 'confirm' and expires_at > $2
                       returning user_id, address, language, notifies",
            sqlite:
                "delete from mail_links where secret_hash = $1 and kind = 'confirm' and expires_at_ms > $2
                     returning user_id, address, language, notifies",
        };
        type Used = (Uuid, String, String, bool);
        let now = TimeColumn::from(now);
        let rows = fetch_all_in!(&mut transaction, Used, used, secret.0.as_slice(), now)?;
        let Some((user, address, language, notifies)) = rows.into_iter().next() else { return Ok(None) };
        let add = Sql {
            postgres: "insert into mail_addresses (id, user_id, address, language, notifies, unsubscribe_key,
                                                   confirmed_at)
                       values ($1, $2, $3, $4, $5, $6, $7)
                       on conflict (user_id) do update
                       set id = excluded.id, address = excluded.address, language = excluded.language,
                           notifies = excluded.notifies, unsubscribe_key = excluded.unsubscribe_key,
                           confirmed_at = excluded.confirmed_at",
            sqlite: "insert into mail_addresses (id, user_id, address, language, notifies, unsubscribe_key,
                                                 confirmed_at_ms)
                     values ($1, $2, $3, $4, $5, $6, $7)
                     on conflict (user_id) do update
                     set id = excluded.id, address = excluded.address, language = excluded.language,
                         notifies = excluded.notifies, unsubscribe_key = excluded.unsubscribe_key,
                         confirmed_at_ms = excluded.confirmed_at_ms",
        };
        let key = confirmed.unsubscribe_key.as_str();
        execute_in!(&mut transaction, add, confirmed.id, user, address, language, notifies, key, now)?;
        // A link to the previous address no longer works.
        let others = Sql::both("delete from mail_links where user_id = $1");
        execute_in!(&mut transaction, others, user)?;
        transaction.commit().await?;
        Ok(Some(UserId(user)))
    }

    /// Removes the mail address of a user, and the links that were requested by mail.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_mail_address(&self, user: UserId) -> Result<(), StoreError> {
        let failed = || StoreError::database("remove a mail address");
        let mut transaction = self.database.begin().await.map_err(failed())?;
        transaction.remove_mail_of(user.0).await.map_err(failed())?;
        transaction.commit().await.map_err(failed())
    }

    /// Ends the notifications to the address with this key. Returns false if there is none.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn unsubscribe_mail_address(&self, key: &str) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "update mail_addresses set notifies = false where unsubscribe_key = $1",
            sqlite: "update mail_addresses set notifies = 0 where unsubscribe_key = $1",
        };
        let ended = execute!(self, sql, key);
        Ok(ended.map_err(StoreError::database("end the notifications of a mail address"))? > 0)
    }
}

impl Transaction {
    /// Removes the mail address of a user, and the links that were requested by mail.
    pub(crate) async fn remove_mail_of(&mut self, user: Uuid) -> Result<(), sqlx::Error> {
        for sql in
            ["delete from mail_links where user_id = $1", "delete from mail_addresses where user_id = $1"]
        {
            execute_in!(&mut *self, Sql::both(sql), user)?;
        }
        Ok(())
    }
}
