//! The webhooks of users: URLs that receive the events of the tables that a user has created.

use std::fmt;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use crate::Store;
use crate::database::{Sql, execute, execute_in, execute_returning, fetch_all, fetch_optional};
use crate::error::{StoreError, unreadable};
use crate::time_column::TimeColumn;

/// The longest reason for which a webhook is off, in characters.
const MAX_REASON: usize = 500;

/// The events that a webhook receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WebhookEvents {
    /// A table was opened.
    pub opened: bool,
    /// A match has started.
    pub started: bool,
    /// A match has ended.
    pub ended: bool,
}

/// A webhook to be added.
#[derive(Clone, PartialEq, Eq)]
pub struct NewWebhook {
    /// The id.
    pub id: Uuid,
    /// The user.
    pub user: UserId,
    /// The URL.
    pub url: String,
    /// The secret with which the requests are signed.
    pub secret: [u8; 32],
    /// The events that the webhook receives.
    pub events: WebhookEvents,
    /// True if the webhook also receives the events of private tables.
    pub with_private: bool,
    /// The time at which the webhook is added.
    pub at: Timestamp,
}

/// `Debug` shows neither the URL, which often contains a secret, nor the secret.
impl fmt::Debug for NewWebhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewWebhook").field("id", &self.id).field("user", &self.user).finish_non_exhaustive()
    }
}

/// The end of a webhook after many failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookOff {
    /// The time since which the webhook is off.
    pub at: Timestamp,
    /// The last failure.
    pub reason: String,
}

/// A webhook in the store.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredWebhook {
    /// The id.
    pub id: Uuid,
    /// The URL.
    pub url: String,
    /// The secret with which the requests are signed.
    pub secret: [u8; 32],
    /// The events that the webhook receives.
    pub events: WebhookEvents,
    /// True if the webhook also receives the events of private tables.
    pub with_private: bool,
    /// The time at which the webhook was added.
    pub created_at: Timestamp,
    /// The time of the last successful request.
    pub sent_at: Option<Timestamp>,
    /// The end of the webhook, if it is off.
    pub off: Option<WebhookOff>,
}

/// `Debug` shows neither the URL, which often contains a secret, nor the secret.
impl fmt::Debug for StoredWebhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredWebhook").field("id", &self.id).field("off", &self.off).finish_non_exhaustive()
    }
}

/// A row of `webhooks` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawWebhook {
    id: Uuid,
    url: String,
    secret: Vec<u8>,
    on_opened: bool,
    on_started: bool,
    on_ended: bool,
    with_private: bool,
    created_at: TimeColumn,
    sent_at: Option<TimeColumn>,
    off_at: Option<TimeColumn>,
    off_reason: Option<String>,
}

impl RawWebhook {
    fn read(self) -> Result<StoredWebhook, StoreError> {
        let size = self.secret.len();
        let secret = self.secret.try_into();
        let off = match self.off_at.zip(self.off_reason) {
            Some((at, reason)) => Some(WebhookOff { at: at.read("webhooks.off_at")?, reason }),
            None => None,
        };
        Ok(StoredWebhook {
            id: self.id,
            url: self.url,
            secret: secret.map_err(|_| unreadable("webhooks.secret", format!("{size} bytes")))?,
            events: WebhookEvents { opened: self.on_opened, started: self.on_started, ended: self.on_ended },
            with_private: self.with_private,
            created_at: self.created_at.read("webhooks.created_at")?,
            sent_at: self.sent_at.map(|at| at.read("webhooks.sent_at")).transpose()?,
            off,
        })
    }
}

impl Store {
    /// Adds a webhook, if the user has fewer than `max`. Returns false if the user has too many.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn add_webhook(&self, new: &NewWebhook, max: u16) -> Result<bool, StoreError> {
        let failed = || StoreError::database("add a webhook");
        let mut transaction = self.database.begin().await.map_err(failed())?;
        transaction.lock_user(new.user).await.map_err(failed())?;
        let sql = Sql {
            postgres: "insert into webhooks (id, user_id, url, secret, on_opened, on_started, on_ended,
                                             with_private, created_at)
                       select $1, $2, $3, $4, $5, $6, $7, $8, $9
                       where (select count(*) from webhooks where user_id = $2) < $10",
            sqlite: "insert into webhooks (id, user_id, url, secret, on_opened, on_started, on_ended,
                                           with_private, created_at_ms)
                     select $1, $2, $3, $4, $5, $6, $7, $8, $9
                     where (select count(*) from webhooks where user_id = $2) < $10",
        };
        let WebhookEvents { opened, started, ended } = new.events;
        let added = execute_in!(
            &mut transaction,
            sql,
            new.id,
            new.user.0,
            new.url.as_str(),
            new.secret.as_slice(),
            opened,
            started,
            ended,
            new.with_private,
            TimeColumn::from(new.at),
            i64::from(max),
        );
        let added = added.map_err(failed())?;
        transaction.commit().await.map_err(failed())?;
        Ok(added > 0)
    }

    /// Returns the webhooks of a user, the oldest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn webhooks_of(&self, user: UserId) -> Result<Vec<StoredWebhook>, StoreError> {
        let sql = Sql {
            postgres: "select id, url, secret, on_opened, on_started, on_ended, with_private, created_at,
                              sent_at, off_at, off_reason
                       from webhooks where user_id = $1 order by created_at, id",
            sqlite: "select id, url, secret, on_opened, on_started, on_ended, with_private,
                            created_at_ms as created_at, sent_at_ms as sent_at, off_at_ms as off_at, off_reason
                     from webhooks where user_id = $1 order by created_at_ms, id",
        };
        let rows = fetch_all!(self, RawWebhook, sql, user.0);
        let rows = rows.map_err(StoreError::database("list the webhooks of a user"))?;
        rows.into_iter().map(RawWebhook::read).collect()
    }

    /// Returns a webhook, if it exists.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn webhook(&self, id: Uuid) -> Result<Option<StoredWebhook>, StoreError> {
        let sql = Sql {
            postgres: "select id, url, secret, on_opened, on_started, on_ended, with_private, created_at,
                              sent_at, off_at, off_reason
                       from webhooks where id = $1",
            sqlite: "select id, url, secret, on_opened, on_started, on_ended, with_private,
                            created_at_ms as created_at, sent_at_ms as sent_at, off_at_ms as off_at, off_reason
                     from webhooks where id = $1",
        };
        let row = fetch_optional!(self, RawWebhook, sql, id);
        row.map_err(StoreError::database("look up a webhook"))?.map(RawWebhook::read).transpose()
    }

    /// Changes a webhook of a user, and turns it on again if it is off. Returns the webhook, or
    /// `None` if the user has no such webhook.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn change_webhook(
        &self,
        user: UserId,
        id: Uuid,
        url: &str,
        events: WebhookEvents,
        with_private: bool,
    ) -> Result<Option<StoredWebhook>, StoreError> {
        let sql = Sql {
            postgres: "update webhooks set url = $3, on_opened = $4, on_started = $5, on_ended = $6,
                              with_private = $7, failures = 0, off_at = null, off_reason = null
                       where id = $2 and user_id = $1
                       returning id, url, secret, on_opened, on_started, on_ended, with_private, created_at,
                                 sent_at, off_at, off_reason",
            sqlite: "update webhooks set url = $3, on_opened = $4, on_started = $5, on_ended = $6,
                            with_private = $7, failures = 0, off_at_ms = null, off_reason = null
                     where id = $2 and user_id = $1
                     returning id, url, secret, on_opened, on_started, on_ended, with_private,
                               created_at_ms as created_at, sent_at_ms as sent_at, off_at_ms as off_at,
                               off_reason",
        };
        let WebhookEvents { opened, started, ended } = events;
        let rows =
            execute_returning!(self, RawWebhook, sql, user.0, id, url, opened, started, ended, with_private);
        let rows = rows.map_err(StoreError::database("change a webhook"))?;
        rows.into_iter().next().map(RawWebhook::read).transpose()
    }

    /// Removes a webhook of a user. Returns false if the user has no such webhook.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_webhook(&self, user: UserId, id: Uuid) -> Result<bool, StoreError> {
        let sql = Sql::both("delete from webhooks where user_id = $1 and id = $2");
        let removed = execute!(self, sql, user.0, id);
        Ok(removed.map_err(StoreError::database("remove a webhook"))? > 0)
    }

    /// Records a successful request to a webhook.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn record_webhook_success(&self, id: Uuid, at: Timestamp) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "update webhooks set sent_at = $2, failures = 0 where id = $1",
            sqlite: "update webhooks set sent_at_ms = $2, failures = 0 where id = $1",
        };
        let recorded = execute!(self, sql, id, TimeColumn::from(at));
        recorded.map(drop).map_err(StoreError::database("record a request to a webhook"))
    }

    /// Records a failed request to a webhook. Turns the webhook off if this is failure number `max`
    /// in a row.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn record_webhook_failure(
        &self,
        id: Uuid,
        at: Timestamp,
        reason: &str,
        max: u32,
    ) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "update webhooks set failures = failures + 1,
                              off_at = case when failures + 1 >= $4 then $2::timestamptz end,
                              off_reason = case when failures + 1 >= $4 then $3::text end
                       where id = $1 and off_at is null",
            sqlite: "update webhooks set failures = failures + 1,
                            off_at_ms = case when failures + 1 >= $4 then $2 end,
                            off_reason = case when failures + 1 >= $4 then $3 end
                     where id = $1 and off_at_ms is null",
        };
        let reason: String = reason.chars().take(MAX_REASON).collect();
        let recorded = execute!(self, sql, id, TimeColumn::from(at), reason, i64::from(max));
        recorded.map(drop).map_err(StoreError::database("record a failed request to a webhook"))
    }
}
