//! The links of tables: invites and watch links.

use quadrex_protocol::http::Uses;
use quadrex_protocol::{TableId, UserId};
use quadrex_rules::{Color, Timestamp};
use uuid::Uuid;

use super::Store;
use super::column;
use super::database::{Sql, Transaction, execute, execute_in, fetch_all, fetch_optional};
use super::error::{StoreError, unreadable};
use super::secret_hash::SecretHash;
use super::time_column::TimeColumn;

/// The right that a link's secret gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPurpose {
    /// The right to take a seat.
    Invite {
        /// The only seat that the invite grants; any open seat if `None`.
        seat: Option<Color>,
        /// The number of users who can use the invite.
        uses: Uses,
    },
    /// The right to watch the table.
    Watch,
}

/// An invite or a watch link of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The secret's hash.
    pub secret: SecretHash,
    /// The table.
    pub table: TableId,
    /// The right that the link gives.
    pub purpose: LinkPurpose,
    /// The time at which the link was created.
    pub created_at: Timestamp,
    /// The time at which the link expires.
    pub expires_at: Timestamp,
    /// The user who used the link last. After that, only this user can use a single-use invite.
    pub used_by: Option<UserId>,
}

/// A row of `links` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawLink {
    secret_hash: Vec<u8>,
    table_id: Uuid,
    purpose: String,
    seat: Option<String>,
    uses: String,
    created_at: TimeColumn,
    expires_at: TimeColumn,
    used_by: Option<Uuid>,
}

impl RawLink {
    fn read(self) -> Result<Link, StoreError> {
        let purpose = match self.purpose.as_str() {
            "watch" => LinkPurpose::Watch,
            "invite" => LinkPurpose::Invite {
                seat: self
                    .seat
                    .map(|seat| seat.parse().map_err(|_| unreadable("links.seat", seat)))
                    .transpose()?,
                uses: column::read_uses(&self.uses).ok_or(unreadable("links.uses", self.uses))?,
            },
            _ => return Err(unreadable("links.purpose", self.purpose)),
        };
        let size = self.secret_hash.len();
        let secret = self.secret_hash.try_into();
        Ok(Link {
            secret: SecretHash(secret.map_err(|_| unreadable("links.secret_hash", format!("{size} bytes")))?),
            table: TableId(self.table_id),
            purpose,
            created_at: self.created_at.read("links.created_at")?,
            expires_at: self.expires_at.read("links.expires_at")?,
            used_by: self.used_by.map(UserId),
        })
    }
}

impl LinkPurpose {
    /// Returns the values of the columns `purpose`, `seat` and `uses`.
    fn columns(self) -> (&'static str, Option<String>, &'static str) {
        match self {
            Self::Invite { seat, uses } => ("invite", seat.map(|seat| seat.to_string()), column::uses(uses)),
            Self::Watch => ("watch", None, column::uses(Uses::Open)),
        }
    }
}

impl Store {
    /// Adds a new link and removes all expired links. Returns false and adds nothing if the table
    /// already has `max` links.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or there is no such table.
    pub async fn add_link(&self, link: &Link, max: u32) -> Result<bool, StoreError> {
        let added = async {
            let mut transaction = self.database.begin().await?;
            transaction.remove_expired_links(link.created_at).await?;
            let is_added = transaction.insert_link(link, max).await?;
            transaction.commit().await?;
            Ok::<bool, sqlx::Error>(is_added)
        };
        added.await.map_err(StoreError::database("add a link"))
    }

    /// Returns a table's links that have not expired at `now`, oldest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn links(&self, table: TableId, now: Timestamp) -> Result<Vec<Link>, StoreError> {
        let sql = Sql {
            postgres: "select secret_hash, table_id, purpose, seat, uses, created_at, expires_at, used_by
                       from links where table_id = $1 and expires_at > $2 order by created_at, secret_hash",
            sqlite: "select secret_hash, table_id, purpose, seat, uses, created_at_ms as created_at,
                            expires_at_ms as expires_at, used_by
                     from links where table_id = $1 and expires_at_ms > $2 order by created_at_ms, secret_hash",
        };
        let rows = fetch_all!(self, RawLink, sql, table.0, TimeColumn::from(now));
        let rows = rows.map_err(StoreError::database("list links"))?;
        rows.into_iter().map(RawLink::read).collect()
    }

    /// Removes a link of a table. Returns false if the table has no such link.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The link may then still exist.
    pub async fn remove_link(&self, table: TableId, secret: SecretHash) -> Result<bool, StoreError> {
        let sql = Sql::both("delete from links where secret_hash = $1 and table_id = $2");
        let removed = execute!(self, sql, secret.0.as_slice(), table.0);
        Ok(removed.map_err(StoreError::database("remove a link"))? > 0)
    }

    /// Returns the link with the secret `secret`, even if the link has expired or was used.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn link(&self, secret: SecretHash) -> Result<Option<Link>, StoreError> {
        let sql = Sql {
            postgres: "select secret_hash, table_id, purpose, seat, uses, created_at, expires_at, used_by
                       from links where secret_hash = $1",
            sqlite: "select secret_hash, table_id, purpose, seat, uses, created_at_ms as created_at,
                            expires_at_ms as expires_at, used_by
                     from links where secret_hash = $1",
        };
        let row = fetch_optional!(self, RawLink, sql, secret.0.as_slice());
        row.map_err(StoreError::database("look up a link"))?.map(RawLink::read).transpose()
    }
}

impl Transaction {
    /// Adds a new link. Returns false and adds nothing if the table already has `max` links.
    pub(super) async fn insert_link(&mut self, link: &Link, max: u32) -> Result<bool, sqlx::Error> {
        let sql = Sql {
            postgres: "insert into links (secret_hash, table_id, purpose, seat, uses, created_at, expires_at)
                       select $1::bytea, $2::uuid, $3::text, $4::text, $5::text, $6::timestamptz, $7::timestamptz
                       where (select count(*) from links where table_id = $2) < $8",
            sqlite: "insert into links
                         (secret_hash, table_id, purpose, seat, uses, created_at_ms, expires_at_ms)
                     select $1, $2, $3, $4, $5, $6, $7
                     where (select count(*) from links where table_id = $2) < $8",
        };
        let (purpose, seat, uses) = link.purpose.columns();
        let added = execute_in!(
            self,
            sql,
            link.secret.0.as_slice(),
            link.table.0,
            purpose,
            seat,
            uses,
            TimeColumn::from(link.created_at),
            TimeColumn::from(link.expires_at),
            i64::from(max),
        );
        Ok(added? > 0)
    }

    /// Removes the links that have expired at `now`. Returns their number.
    pub(super) async fn remove_expired_links(&mut self, now: Timestamp) -> Result<u64, sqlx::Error> {
        let sql = Sql {
            postgres: "delete from links where expires_at <= $1",
            sqlite: "delete from links where expires_at_ms <= $1",
        };
        execute_in!(self, sql, TimeColumn::from(now))
    }
}
