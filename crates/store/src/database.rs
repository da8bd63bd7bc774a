//! The open database, and statements that run on either kind of it.
//!
//! Both databases execute the same statements with the same values; their texts differ where a
//! column or a type does. An [`Sql`] holds both texts, and the macros here execute the one of the
//! database that is open. `$1` names the first value in both.

use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;

use super::error::StoreError;
use super::postgres::{self, Postgres};
use super::sqlite::{self, Sqlite};

#[derive(Clone, Debug)]
pub(super) enum Database {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// One statement in the texts of both databases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sql {
    pub(super) postgres: &'static str,
    pub(super) sqlite: &'static str,
}

impl Sql {
    /// Returns a statement with the same text for both.
    pub(super) const fn both(text: &'static str) -> Self {
        Self { postgres: text, sqlite: text }
    }
}

/// Executes an [`Sql`] on a store with these values; returns the number of rows that it changed.
macro_rules! execute {
    ($store:expr, $sql:expr, $($value:expr),+ $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match &$store.database {
            $crate::database::Database::Sqlite(database) => {
                let query = sqlx::query(sql.sqlite)$(.bind($value))+;
                query.execute(&database.writer).await.map(|done| done.rows_affected())
            }
            $crate::database::Database::Postgres(database) => {
                let query = sqlx::query(sql.postgres)$(.bind($value))+;
                query.execute(&database.pool).await.map(|done| done.rows_affected())
            }
        }
    }};
}

/// Reads at most one row of a type by an [`Sql`] on a store with these values.
macro_rules! fetch_optional {
    ($store:expr, $row:ty, $sql:expr $(, $value:expr)* $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match &$store.database {
            $crate::database::Database::Sqlite(database) => {
                sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))*.fetch_optional(&database.readers).await
            }
            $crate::database::Database::Postgres(database) => {
                sqlx::query_as::<_, $row>(sql.postgres)$(.bind($value))*.fetch_optional(&database.pool).await
            }
        }
    }};
}

/// Reads all rows of a type by an [`Sql`] on a store with these values.
macro_rules! fetch_all {
    ($store:expr, $row:ty, $sql:expr $(, $value:expr)* $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match &$store.database {
            $crate::database::Database::Sqlite(database) => {
                sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))*.fetch_all(&database.readers).await
            }
            $crate::database::Database::Postgres(database) => {
                sqlx::query_as::<_, $row>(sql.postgres)$(.bind($value))*.fetch_all(&database.pool).await
            }
        }
    }};
}

/// Executes an [`Sql`] that writes on a store, and returns the rows that it returned.
///
/// It reads them to the end: `fetch_optional` would return the first row of SQLite before the
/// COMMIT, and hide an error of that.
macro_rules! execute_returning {
    ($store:expr, $row:ty, $sql:expr, $($value:expr),+ $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match &$store.database {
            $crate::database::Database::Sqlite(database) => {
                sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))+.fetch_all(&database.writer).await
            }
            $crate::database::Database::Postgres(database) => {
                sqlx::query_as::<_, $row>(sql.postgres)$(.bind($value))+.fetch_all(&database.pool).await
            }
        }
    }};
}

/// Executes an [`Sql`] in a [`Transaction`] with these values; returns the number of rows that it
/// changed.
macro_rules! execute_in {
    ($transaction:expr, $sql:expr, $($value:expr),+ $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match $transaction {
            $crate::database::Transaction::Sqlite(transaction) => {
                let query = sqlx::query(sql.sqlite)$(.bind($value))+;
                query.execute(&mut **transaction).await.map(|done| done.rows_affected())
            }
            $crate::database::Transaction::Postgres(transaction) => {
                let query = sqlx::query(sql.postgres)$(.bind($value))+;
                query.execute(&mut **transaction).await.map(|done| done.rows_affected())
            }
        }
    }};
}

/// Reads one row of a type by an [`Sql`] in a [`Transaction`] with these values.
macro_rules! fetch_one_in {
    ($transaction:expr, $row:ty, $sql:expr, $($value:expr),+ $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match $transaction {
            $crate::database::Transaction::Sqlite(transaction) => {
                sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))+.fetch_one(&mut **transaction).await
            }
            $crate::database::Transaction::Postgres(transaction) => {
                sqlx::query_as::<_, $row>(sql.postgres)$(.bind($value))+.fetch_one(&mut **transaction).await
            }
        }
    }};
}

pub(super) use {execute, execute_in, execute_returning, fetch_all, fetch_one_in, fetch_optional};

/// A transaction that writes.
pub(super) enum Transaction {
    Sqlite(sqlx::Transaction<'static, sqlx::Sqlite>),
    Postgres(sqlx::Transaction<'static, sqlx::Postgres>),
}

impl Database {
    pub(super) async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        match self {
            // One that begins as a reader could fail when it first writes.
            Self::Sqlite(database) => {
                database.writer.begin_with("begin immediate").await.map(Transaction::Sqlite)
            }
            Self::Postgres(database) => database.pool.begin().await.map(Transaction::Postgres),
        }
    }

    pub(super) async fn ping(&self) -> Result<(), StoreError> {
        let answer = match self {
            Self::Sqlite(database) => sqlx::query("select 1").execute(&database.readers).await.map(drop),
            Self::Postgres(database) => sqlx::query("select 1").execute(&database.pool).await.map(drop),
        };
        answer.map_err(StoreError::database("answer"))
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(database) => database.close().await,
            Self::Postgres(database) => database.close().await,
        }
    }
}

impl Transaction {
    /// Inserts the first events of a match.
    pub(super) async fn insert_first_events(
        &mut self,
        match_id: MatchId,
        at: Timestamp,
        by: Option<UserId>,
        events: &[String],
    ) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction) => {
                sqlite::append::insert_first_events(transaction, match_id, at, by, events).await
            }
            Self::Postgres(transaction) => {
                postgres::append::insert_first_events(transaction, match_id, at, by, events).await
            }
        }
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await,
            Self::Postgres(transaction) => transaction.commit().await,
        }
    }

    pub(super) async fn roll_back(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction) => transaction.rollback().await,
            Self::Postgres(transaction) => transaction.rollback().await,
        }
    }
}
