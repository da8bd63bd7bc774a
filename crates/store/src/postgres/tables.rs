//! Tables and links in a Postgres database.

use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Postgres, datetime, moment};
use crate::log::{count_column, event_text};
use crate::table::{RawLink, RawTable, read_lot_key, read_secret};
use crate::{Epoch, Link, LotKey, NewTable, SecretHash, StoreError, TableRow, column};

/// The columns of [`RawTable`], as they come.
type TableColumns = (Uuid, Uuid, String, OffsetDateTime, Uuid, i64, String);

/// The columns of [`RawLink`], as they come.
type LinkColumns = (Uuid, String, Option<String>, String, OffsetDateTime, OffsetDateTime, Option<Uuid>);

/// The same with the secret's hash.
type ListedLink =
    (Uuid, String, Option<String>, String, OffsetDateTime, OffsetDateTime, Option<Uuid>, Vec<u8>);

fn read_table(row: TableColumns) -> Result<TableRow, StoreError> {
    let (table, host, privacy, created_at, match_id, head_seq, status) = row;
    let created_at = moment("tables.created_at", created_at)?;
    RawTable { table, host, privacy, created_at, match_id, head_seq, status }.read()
}

/// Writes the rows of a table, its first match and that match's first events.
pub(super) async fn insert_table(connection: &mut PgConnection, new: &NewTable) -> Result<(), sqlx::Error> {
    let head_seq = new.events.len() as u64;
    sqlx::query("insert into tables (id, host, privacy, created_at, lot_key) values ($1, $2, $3, $4, $5)")
        .bind(new.table.0)
        .bind(new.host.0)
        .bind(column::privacy(new.privacy))
        .bind(datetime(new.at))
        .bind(new.lot_key.0.as_slice())
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "insert into matches (id, table_id, number, epoch, head_seq, status, created_at)
         values ($1, $2, 1, $3, $4, $5, $6)",
    )
    .bind(new.match_id.0)
    .bind(new.table.0)
    .bind(count_column(Epoch::FIRST.0))
    .bind(count_column(head_seq))
    .bind(column::phase(column::phase_after(&new.events).unwrap_or(Phase::Open)))
    .bind(datetime(new.at))
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "insert into match_event (match_id, seq, epoch, at, by_user, event)
         select $1, written.seq, $2, $3, $4, written.event::jsonb
         from unnest($5::text[]) with ordinality as written (event, seq)",
    )
    .bind(new.match_id.0)
    .bind(count_column(Epoch::FIRST.0))
    .bind(datetime(new.at))
    .bind(new.host.0)
    .bind(new.events.iter().map(event_text).collect::<Vec<_>>())
    .execute(&mut *connection)
    .await?;
    Ok(())
}

impl Postgres {
    pub(crate) async fn open_table(&self, new: &NewTable) -> Result<u64, StoreError> {
        let fault = || StoreError::database("open a table");
        let mut transaction = self.pool.begin().await.map_err(fault())?;
        insert_table(&mut transaction, new).await.map_err(fault())?;
        transaction.commit().await.map_err(fault())?;
        Ok(new.events.len() as u64)
    }

    pub(crate) async fn lot_key(&self, table: TableId) -> Result<Option<LotKey>, StoreError> {
        let kept: Option<Option<Vec<u8>>> = sqlx::query_scalar("select lot_key from tables where id = $1")
            .bind(table.0)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::database("look up a table's key"))?;
        kept.map(read_lot_key).transpose()
    }

    pub(crate) async fn table_of(&self, match_id: MatchId) -> Result<Option<TableId>, StoreError> {
        let table: Option<Uuid> = sqlx::query_scalar("select table_id from matches where id = $1")
            .bind(match_id.0)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::database("look up a match"))?;
        Ok(table.map(TableId))
    }

    pub(crate) async fn table(&self, table: TableId) -> Result<Option<TableRow>, StoreError> {
        let row: Option<TableColumns> = sqlx::query_as(
            "select tables.id, host, privacy, tables.created_at, matches.id, head_seq, status
             from tables join matches on matches.table_id = tables.id
             where tables.id = $1
             order by number desc limit 1",
        )
        .bind(table.0)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::database("look up a table"))?;
        row.map(read_table).transpose()
    }

    pub(crate) async fn unfinished(&self) -> Result<Vec<TableRow>, StoreError> {
        let rows: Vec<TableColumns> = sqlx::query_as(
            "select tables.id, host, privacy, tables.created_at, matches.id, head_seq, status
             from matches join tables on tables.id = matches.table_id
             where status <> 'ended'
             order by tables.created_at, tables.id",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::database("list unfinished matches"))?;
        rows.into_iter().map(read_table).collect()
    }

    pub(crate) async fn add_link(&self, link: &Link, most: u32) -> Result<bool, StoreError> {
        let (purpose, seat, uses) = link.purpose.columns();
        let written = async {
            sqlx::query("delete from links where expires_at <= $1")
                .bind(datetime(link.created_at))
                .execute(&self.pool)
                .await?;
            sqlx::query(
                "insert into links (secret_hash, table_id, purpose, seat, uses, created_at, expires_at)
                 select $1::bytea, $2::uuid, $3::text, $4::text, $5::text, $6::timestamptz, $7::timestamptz
                 where (select count(*) from links where table_id = $2) < $8",
            )
            .bind(link.secret.0.as_slice())
            .bind(link.table.0)
            .bind(purpose)
            .bind(seat)
            .bind(uses)
            .bind(datetime(link.created_at))
            .bind(datetime(link.expires_at))
            .bind(i64::from(most))
            .execute(&self.pool)
            .await
        };
        let written = written.await.map_err(StoreError::database("keep a link"))?;
        Ok(written.rows_affected() > 0)
    }

    pub(crate) async fn links(&self, table: TableId, now: Timestamp) -> Result<Vec<Link>, StoreError> {
        let rows: Vec<(Vec<u8>, LinkColumns)> = sqlx::query_as::<_, ListedLink>(
            "select table_id, purpose, seat, uses, created_at, expires_at, used_by, secret_hash
             from links where table_id = $1 and expires_at > $2 order by created_at, secret_hash",
        )
        .bind(table.0)
        .bind(datetime(now))
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::database("list links"))?
        .into_iter()
        .map(|(table, purpose, seat, uses, created, expires, used_by, secret)| {
            (secret, (table, purpose, seat, uses, created, expires, used_by))
        })
        .collect();
        rows.into_iter().map(|(secret, columns)| read_link(read_secret(secret)?, columns)).collect()
    }

    pub(crate) async fn remove_link(&self, table: TableId, secret: SecretHash) -> Result<bool, StoreError> {
        let removed = sqlx::query("delete from links where secret_hash = $1 and table_id = $2")
            .bind(secret.0.as_slice())
            .bind(table.0)
            .execute(&self.pool)
            .await
            .map_err(StoreError::database("remove a link"))?;
        Ok(removed.rows_affected() > 0)
    }

    pub(crate) async fn link(&self, secret: SecretHash) -> Result<Option<Link>, StoreError> {
        let row: Option<LinkColumns> = sqlx::query_as(
            "select table_id, purpose, seat, uses, created_at, expires_at, used_by
             from links where secret_hash = $1",
        )
        .bind(secret.0.as_slice())
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::database("look up a link"))?;
        row.map(|columns| read_link(secret, columns)).transpose()
    }
}

fn read_link(
    secret: SecretHash,
    (table, purpose, seat, uses, created_at, expires_at, used_by): LinkColumns,
) -> Result<Link, StoreError> {
    let created_at = moment("links.created_at", created_at)?;
    let expires_at = moment("links.expires_at", expires_at)?;
    RawLink { table, purpose, seat, uses, created_at, expires_at, used_by }.read(secret)
}
