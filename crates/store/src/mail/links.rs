//! The links that users have requested by mail, and the queue of those that are not sent yet.
//!
//! A user has at most one link of each kind; a newer one replaces it. The server that sends a link
//! makes its secret, so the database never contains the secret itself.

use std::fmt;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use crate::database::{Sql, execute, execute_in, execute_returning, fetch_all, fetch_all_in, fetch_optional};
use crate::error::{StoreError, TransactionError, unreadable};
use crate::revocations::{Retries, Revocation};
use crate::sessions::read_hash;
use crate::time_column::TimeColumn;
use crate::{SecretHash, Store};

/// The purpose of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailLinkKind {
    /// The link confirms the address to which it was sent.
    Confirm,
    /// The link sets a new password.
    Reset,
}

impl MailLinkKind {
    const ALL: [Self; 2] = [Self::Confirm, Self::Reset];

    /// Returns the name in the database.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Reset => "reset",
        }
    }

    fn read(text: String) -> Result<Self, StoreError> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == text);
        found.ok_or_else(|| unreadable("mail_links.kind", text))
    }
}

/// A request for a link that confirms an address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NewConfirmation<'a> {
    /// The user.
    pub user: UserId,
    /// The address.
    pub address: &'a str,
    /// The language of the mails.
    pub language: &'a str,
    /// True if the address will receive notifications.
    pub notifies: bool,
    /// The time of the request.
    pub at: Timestamp,
    /// The time until which the link works.
    pub expires: Timestamp,
}

/// `Debug` does not show the address.
impl fmt::Debug for NewConfirmation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewConfirmation").field("user", &self.user).finish_non_exhaustive()
    }
}

/// A link that a server has begun to send.
#[derive(Clone, PartialEq, Eq)]
pub struct DueMailLink {
    /// The user.
    pub user: UserId,
    /// The purpose.
    pub kind: MailLinkKind,
    /// The address.
    pub address: String,
    /// The language of the mail.
    pub language: String,
    /// The time of the request, which distinguishes it from a later one.
    pub created_at: Timestamp,
    /// The number of attempts, with the one that has begun.
    pub attempts: u32,
    /// The time until which the link works.
    pub expires: Timestamp,
}

/// `Debug` does not show the address.
impl fmt::Debug for DueMailLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DueMailLink")
            .field("user", &self.user)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// A new password that was set with a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordReset {
    /// The user.
    pub user: UserId,
    /// The sessions and tokens that have ended.
    pub ended: Vec<SecretHash>,
}

/// A row of `mail_links` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawLink {
    user_id: Uuid,
    kind: String,
    address: String,
    language: String,
    created_at: TimeColumn,
    attempts: i32,
    expires_at: TimeColumn,
}

impl RawLink {
    fn read(self) -> Result<DueMailLink, StoreError> {
        Ok(DueMailLink {
            user: UserId(self.user_id),
            kind: MailLinkKind::read(self.kind)?,
            address: self.address,
            language: self.language,
            created_at: self.created_at.read("mail_links.created_at")?,
            attempts: u32::try_from(self.attempts).unwrap_or(0),
            expires: self.expires_at.read("mail_links.expires_at")?,
        })
    }
}

/// The requests for links.
impl Store {
    /// Queues a link that confirms an address. It replaces an earlier link of this kind.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn request_confirmation(&self, new: NewConfirmation<'_>) -> Result<(), StoreError> {
        let sql = Sql {
            postgres:
                "insert into mail_links (user_id, kind, address, language, notifies, created_at, due_at,
                                               expires_at)
                       values ($1, 'confirm', $2, $3, $4, $5, $5, $6)
                       on conflict (user_id, kind) do update
                       set address = excluded.address, language = excluded.language,
                           notifies = excluded.notifies, secret_hash = null, attempts = 0,
                           created_at = excluded.created_at, due_at = excluded.due_at,
                           expires_at = excluded.expires_at",
            sqlite: "insert into mail_links (user_id, kind, address, language, notifies, created_at_ms,
                                             due_at_ms, expires_at_ms)
                     values ($1, 'confirm', $2, $3, $4, $5, $5, $6)
                     on conflict (user_id, kind) do update
                     set address = excluded.address, language = excluded.language,
                         notifies = excluded.notifies, secret_hash = null, attempts = 0,
                         created_at_ms = excluded.created_at_ms, due_at_ms = excluded.due_at_ms,
                         expires_at_ms = excluded.expires_at_ms",
        };
        let NewConfirmation { user, address, language, notifies, at, expires } = new;
        let (at, expires) = (TimeColumn::from(at), TimeColumn::from(expires));
        let queued = execute!(self, sql, user.0, address, language, notifies, at, expires);
        queued.map(drop).map_err(StoreError::database("queue a link by mail"))
    }

    /// Queues a link that sets a new password for the account with this name, if the account has a
    /// mail address. It replaces an earlier link of this kind.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn request_reset(
        &self,
        name_key: &str,
        language: &str,
        at: Timestamp,
        expires: Timestamp,
    ) -> Result<(), StoreError> {
        let sql = Sql {
            postgres:
                "insert into mail_links (user_id, kind, address, language, notifies, created_at, due_at,
                                               expires_at)
                       select target.user_id, 'reset', target.address, $2, target.notifies, $3, $3, $4
                       from mail_addresses as target join accounts on accounts.user_id = target.user_id
                       where accounts.name_key = $1
                       on conflict (user_id, kind) do update
                       set address = excluded.address, language = excluded.language, secret_hash = null,
                           attempts = 0, created_at = excluded.created_at, due_at = excluded.due_at,
                           expires_at = excluded.expires_at",
            sqlite: "insert into mail_links (user_id, kind, address, language, notifies, created_at_ms,
                                             due_at_ms, expires_at_ms)
                     select target.user_id, 'reset', target.address, $2, target.notifies, $3, $3, $4
                     from mail_addresses as target join accounts on accounts.user_id = target.user_id
                     where accounts.name_key = $1
                     on conflict (user_id, kind) do update
                     set address = excluded.address, language = excluded.language, secret_hash = null,
                         attempts = 0, created_at_ms = excluded.created_at_ms,
                         due_at_ms = excluded.due_at_ms, expires_at_ms = excluded.expires_at_ms",
        };
        let (at, expires) = (TimeColumn::from(at), TimeColumn::from(expires));
        let queued = execute!(self, sql, name_key, language, at, expires);
        queued.map(drop).map_err(StoreError::database("queue a link by mail"))
    }

    /// Removes the links that have expired.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_expired_mail_links(&self, now: Timestamp) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "delete from mail_links where expires_at <= $1",
            sqlite: "delete from mail_links where expires_at_ms <= $1",
        };
        let removed = execute!(self, sql, TimeColumn::from(now));
        removed.map(drop).map_err(StoreError::database("remove expired links"))
    }
}

/// The queue of links.
impl Store {
    /// Begins to send up to `max` links. Until `again`, no other server sends them.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn claim_mail_links(
        &self,
        now: Timestamp,
        again: Timestamp,
        max: u16,
    ) -> Result<Vec<DueMailLink>, StoreError> {
        let due = Sql {
            postgres: "select 1::bigint from mail_links where due_at <= $1 and expires_at > $1 limit 1",
            sqlite: "select 1 from mail_links where due_at_ms <= $1 and expires_at_ms > $1 limit 1",
        };
        // Most attempts find nothing, and must not keep others from writing.
        let rows = fetch_all!(self, (i64,), due, TimeColumn::from(now));
        if rows.map_err(StoreError::database("look for links to send"))?.is_empty() {
            return Ok(Vec::new());
        }
        let sql = Sql {
            postgres: "
                with due as (
                    select user_id, kind from mail_links
                    where due_at <= $1 and expires_at > $1 order by due_at limit $3 for update skip locked
                )
                update mail_links set due_at = $2, attempts = attempts + 1
                from due where mail_links.user_id = due.user_id and mail_links.kind = due.kind
                returning mail_links.user_id, mail_links.kind, address, language, created_at, attempts,
                          expires_at",
            sqlite: "
                update mail_links set due_at_ms = $2, attempts = attempts + 1
                where (user_id, kind) in (
                    select user_id, kind from mail_links
                    where due_at_ms <= $1 and expires_at_ms > $1 order by due_at_ms limit $3
                )
                returning user_id, kind, address, language, created_at_ms as created_at, attempts,
                          expires_at_ms as expires_at",
        };
        let (now, again, max) = (TimeColumn::from(now), TimeColumn::from(again), i64::from(max));
        let rows = execute_returning!(self, RawLink, sql, now, again, max);
        let rows = rows.map_err(StoreError::database("begin to send links"))?;
        rows.into_iter().map(RawLink::read).collect()
    }

    /// Sets the secret of a link that is about to be sent. Returns false if the link was removed or
    /// replaced.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn set_mail_link_secret(
        &self,
        link: &DueMailLink,
        secret: SecretHash,
    ) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "update mail_links set secret_hash = $4
                       where user_id = $1 and kind = $2 and created_at = $3 and due_at is not null",
            sqlite: "update mail_links set secret_hash = $4
                     where user_id = $1 and kind = $2 and created_at_ms = $3 and due_at_ms is not null",
        };
        let at = TimeColumn::from(link.created_at);
        let set = execute!(self, sql, link.user.0, link.kind.as_str(), at, secret.0.as_slice());
        Ok(set.map_err(StoreError::database("set the secret of a link"))? > 0)
    }

    /// Records that a link was sent, or that it is sent again at a later time.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The link may then be sent again.
    pub async fn reschedule_mail_link(
        &self,
        link: &DueMailLink,
        due: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "update mail_links set due_at = $4
                       where user_id = $1 and kind = $2 and created_at = $3 and due_at is not null",
            sqlite: "update mail_links set due_at_ms = $4
                     where user_id = $1 and kind = $2 and created_at_ms = $3 and due_at_ms is not null",
        };
        let (at, due) = (TimeColumn::from(link.created_at), due.map(TimeColumn::from));
        let set = execute!(self, sql, link.user.0, link.kind.as_str(), at, due);
        set.map(drop).map_err(StoreError::database("record that a link was sent"))
    }

    /// Removes a link that cannot be sent.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_mail_link(&self, link: &DueMailLink) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "delete from mail_links where user_id = $1 and kind = $2 and created_at = $3",
            sqlite: "delete from mail_links where user_id = $1 and kind = $2 and created_at_ms = $3",
        };
        let at = TimeColumn::from(link.created_at);
        let removed = execute!(self, sql, link.user.0, link.kind.as_str(), at);
        removed.map(drop).map_err(StoreError::database("remove a link"))
    }
}

/// The links that set a new password.
impl Store {
    /// Returns the user whose password a secret can set now. The secret can still be used after this.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn reset_user(&self, secret: SecretHash, now: Timestamp) -> Result<Option<UserId>, StoreError> {
        let sql = Sql {
            postgres: "select user_id from mail_links
                       where secret_hash = $1 and kind = 'reset' and expires_at > $2",
            sqlite: "select user_id from mail_links
                     where secret_hash = $1 and kind = 'reset' and expires_at_ms > $2",
        };
        let row = fetch_optional!(self, (Uuid,), sql, secret.0.as_slice(), TimeColumn::from(now));
        let row = row.map_err(StoreError::database("look up a link that sets a password"))?;
        Ok(row.map(|(user,)| UserId(user)))
    }

    /// Sets the password of the account for which a secret was sent, and ends all sessions, tokens and
    /// handovers of the user. The secret works once. Returns `None` if the secret sets no password; then nothing
    /// changes.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. Then nothing has changed.
    pub async fn reset_password(
        &self,
        secret: SecretHash,
        password_hash: &str,
        now: Timestamp,
    ) -> Result<Option<PasswordReset>, StoreError> {
        let mut retries = Retries::default();
        loop {
            match self.try_to_reset(secret, password_hash, now).await {
                Err(TransactionError::Database(error)) if retries.allow(&error) => {}
                reset => return reset.map_err(TransactionError::during("set a new password")),
            }
        }
    }

    async fn try_to_reset(
        &self,
        secret: SecretHash,
        password_hash: &str,
        now: Timestamp,
    ) -> Result<Option<PasswordReset>, TransactionError> {
        let mut transaction = self.database.begin().await?;
        let used = Sql {
            postgres: "delete from mail_links where secret_hash = $1 and kind = 'reset' and expires_at > $2
                       returning user_id",
            sqlite: "delete from mail_links where secret_hash = $1 and kind = 'reset' and expires_at_ms > $2
                     returning user_id",
        };
        let at = TimeColumn::from(now);
        let rows = fetch_all_in!(&mut transaction, (Uuid,), used, secret.0.as_slice(), at)?;
        let Some((user,)) = rows.into_iter().next() else { return Ok(None) };
        let change = Sql::both("update accounts set password_hash = $2 where user_id = $1");
        execute_in!(&mut transaction, change, user, password_hash)?;
        transaction.remove_handovers_of(user).await?;
        let sessions = Sql::both("delete from sessions where user_id = $1 returning token_hash");
        let mut ended = Vec::new();
        for (hash,) in fetch_all_in!(&mut transaction, (Vec<u8>,), sessions, user)? {
            let session = read_hash(&hash, "sessions.token_hash")?;
            transaction.record_revocation(Revocation::Session(session), now).await?;
            ended.push(session);
        }
        transaction.remove_old_revocations(now).await?;
        transaction.commit().await?;
        Ok(Some(PasswordReset { user: UserId(user), ended }))
    }
}
