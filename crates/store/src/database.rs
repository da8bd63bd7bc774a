//! The open database, and macros that execute a statement on SQLite or Postgres.
//!
//! Both databases execute the same statements with the same values. The texts differ only in the
//! names and types of some columns. An [`Sql`] contains both texts, and the macros execute the text
//! for the open database. In both texts `$1` stands for the first value.

use std::io;
use std::time::Duration;

use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;

use super::error::StoreError;
use super::postgres::{self, Postgres};
use super::seat_holders::SeatHolder;
#[cfg(feature = "simulation")]
use super::simulated::{SimulatedDatabase, SimulatedTransaction, block_on};
use super::sqlite::{self, Sqlite};

#[derive(Clone, Debug)]
pub(super) enum Database {
    Sqlite(Sqlite),
    Postgres(Postgres),
    #[cfg(feature = "simulation")]
    Simulated(SimulatedDatabase),
}

/// A statement with its texts for both databases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sql {
    pub(super) postgres: &'static str,
    pub(super) sqlite: &'static str,
}

impl Sql {
    /// Returns a statement with the same text for both databases.
    pub(super) const fn both(text: &'static str) -> Self {
        Self { postgres: text, sqlite: text }
    }
}

/// The time after which a statement of a database server without an answer counts as failed. If a
/// connection is interrupted, the operating system may need many minutes to notice it, and everything
/// that waits for the answer, such as a table, would stand still.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Waits for the answer of a database server, but not for ever. When there is no answer, the statement
/// may have been executed.
pub(super) async fn answered<T>(
    answer: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    if quadrex_runtime::has_planted!(UnlimitedWait) {
        return answer.await;
    }
    tokio::time::timeout(ANSWER_TIMEOUT, answer).await.unwrap_or_else(|_| {
        let text = format!("the database has not answered for {} s", ANSWER_TIMEOUT.as_secs());
        Err(sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, text)))
    })
}

/// Executes an [`Sql`] on a store with the given values. Returns the number of changed rows.
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
                $crate::database::answered(query.execute(&database.pool)).await.map(|done| done.rows_affected())
            }
            #[cfg(feature = "simulation")]
            $crate::database::Database::Simulated(database) => {
                let query = sqlx::query(sql.sqlite)$(.bind($value))+;
                let execute = |connection: &mut sqlx::SqliteConnection| {
                    $crate::simulated::block_on(query.execute(connection))
                };
                $crate::database::answered(database.write(sql.sqlite, execute)).await.map(|done| done.rows_affected())
            }
        }
    }};
}

/// Executes an [`Sql`] on a store with the given values. Returns the first row, if there is one.
macro_rules! fetch_optional {
    ($store:expr, $row:ty, $sql:expr $(, $value:expr)* $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match &$store.database {
            $crate::database::Database::Sqlite(database) => {
                sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))*.fetch_optional(&database.readers).await
            }
            $crate::database::Database::Postgres(database) => {
                $crate::database::answered(sqlx::query_as::<_, $row>(sql.postgres)$(.bind($value))*.fetch_optional(&database.pool)).await
            }
            #[cfg(feature = "simulation")]
            $crate::database::Database::Simulated(database) => {
                let query = sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))*;
                let fetch = |connection: &mut sqlx::SqliteConnection| {
                    $crate::simulated::block_on(query.fetch_optional(connection))
                };
                $crate::database::answered(database.read(sql.sqlite, fetch)).await
            }
        }
    }};
}

/// Executes an [`Sql`] on a store with the given values. Returns all rows.
macro_rules! fetch_all {
    ($store:expr, $row:ty, $sql:expr $(, $value:expr)* $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match &$store.database {
            $crate::database::Database::Sqlite(database) => {
                sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))*.fetch_all(&database.readers).await
            }
            $crate::database::Database::Postgres(database) => {
                $crate::database::answered(sqlx::query_as::<_, $row>(sql.postgres)$(.bind($value))*.fetch_all(&database.pool)).await
            }
            #[cfg(feature = "simulation")]
            $crate::database::Database::Simulated(database) => {
                let query = sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))*;
                let fetch = |connection: &mut sqlx::SqliteConnection| {
                    $crate::simulated::block_on(query.fetch_all(connection))
                };
                $crate::database::answered(database.read(sql.sqlite, fetch)).await
            }
        }
    }};
}

/// Executes an [`Sql`] with a RETURNING clause on a store. Returns all rows.
///
/// The macro fetches all rows even if only one is expected, because `fetch_optional` returns
/// SQLite's first row before the COMMIT and would hide an error of the COMMIT.
macro_rules! execute_returning {
    ($store:expr, $row:ty, $sql:expr, $($value:expr),+ $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match &$store.database {
            $crate::database::Database::Sqlite(database) => {
                sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))+.fetch_all(&database.writer).await
            }
            $crate::database::Database::Postgres(database) => {
                $crate::database::answered(sqlx::query_as::<_, $row>(sql.postgres)$(.bind($value))+.fetch_all(&database.pool)).await
            }
            #[cfg(feature = "simulation")]
            $crate::database::Database::Simulated(database) => {
                let query = sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))+;
                let fetch = |connection: &mut sqlx::SqliteConnection| {
                    $crate::simulated::block_on(query.fetch_all(connection))
                };
                $crate::database::answered(database.write(sql.sqlite, fetch)).await
            }
        }
    }};
}

/// Executes an [`Sql`] in a [`Transaction`] with the given values. Returns the number of changed
/// rows.
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
                $crate::database::answered(query.execute(&mut **transaction)).await.map(|done| done.rows_affected())
            }
            #[cfg(feature = "simulation")]
            $crate::database::Transaction::Simulated(transaction) => {
                let query = sqlx::query(sql.sqlite)$(.bind($value))+;
                let execute = |connection: &mut sqlx::SqliteConnection| {
                    $crate::simulated::block_on(query.execute(connection))
                };
                $crate::database::answered(transaction.write(sql.sqlite, execute)).await.map(|done| done.rows_affected())
            }
        }
    }};
}

/// Executes an [`Sql`] in a [`Transaction`] with the given values. Returns the first row.
macro_rules! fetch_one_in {
    ($transaction:expr, $row:ty, $sql:expr, $($value:expr),+ $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match $transaction {
            $crate::database::Transaction::Sqlite(transaction) => {
                sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))+.fetch_one(&mut **transaction).await
            }
            $crate::database::Transaction::Postgres(transaction) => {
                $crate::database::answered(sqlx::query_as::<_, $row>(sql.postgres)$(.bind($value))+.fetch_one(&mut **transaction)).await
            }
            #[cfg(feature = "simulation")]
            $crate::database::Transaction::Simulated(transaction) => {
                let query = sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))+;
                let fetch = |connection: &mut sqlx::SqliteConnection| {
                    $crate::simulated::block_on(query.fetch_one(connection))
                };
                $crate::database::answered(transaction.write(sql.sqlite, fetch)).await
            }
        }
    }};
}

/// Executes an [`Sql`] in a [`Transaction`] with the given values. Returns the first row, if there is
/// one.
macro_rules! fetch_optional_in {
    ($transaction:expr, $row:ty, $sql:expr, $($value:expr),+ $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match $transaction {
            $crate::database::Transaction::Sqlite(transaction) => {
                sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))+.fetch_optional(&mut **transaction).await
            }
            $crate::database::Transaction::Postgres(transaction) => {
                $crate::database::answered(sqlx::query_as::<_, $row>(sql.postgres)$(.bind($value))+.fetch_optional(&mut **transaction)).await
            }
            #[cfg(feature = "simulation")]
            $crate::database::Transaction::Simulated(transaction) => {
                let query = sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))+;
                let fetch = |connection: &mut sqlx::SqliteConnection| {
                    $crate::simulated::block_on(query.fetch_optional(connection))
                };
                $crate::database::answered(transaction.write(sql.sqlite, fetch)).await
            }
        }
    }};
}

/// Executes an [`Sql`] in a [`Transaction`] with the given values. Returns all rows.
macro_rules! fetch_all_in {
    ($transaction:expr, $row:ty, $sql:expr $(, $value:expr)* $(,)?) => {{
        let sql: $crate::database::Sql = $sql;
        match $transaction {
            $crate::database::Transaction::Sqlite(transaction) => {
                sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))*.fetch_all(&mut **transaction).await
            }
            $crate::database::Transaction::Postgres(transaction) => {
                $crate::database::answered(sqlx::query_as::<_, $row>(sql.postgres)$(.bind($value))*.fetch_all(&mut **transaction)).await
            }
            #[cfg(feature = "simulation")]
            $crate::database::Transaction::Simulated(transaction) => {
                let query = sqlx::query_as::<_, $row>(sql.sqlite)$(.bind($value))*;
                let fetch = |connection: &mut sqlx::SqliteConnection| {
                    $crate::simulated::block_on(query.fetch_all(connection))
                };
                $crate::database::answered(transaction.write(sql.sqlite, fetch)).await
            }
        }
    }};
}

pub(super) use {
    execute, execute_in, execute_returning, fetch_all, fetch_all_in, fetch_one_in, fetch_optional,
    fetch_optional_in,
};

/// An open transaction that may write.
pub(super) enum Transaction {
    Sqlite(sqlx::Transaction<'static, sqlx::Sqlite>),
    Postgres(sqlx::Transaction<'static, sqlx::Postgres>),
    #[cfg(feature = "simulation")]
    Simulated(SimulatedTransaction),
}

impl Database {
    pub(super) async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        match self {
            // A transaction that does not begin as `immediate` could fail at its first write.
            Self::Sqlite(database) => {
                database.writer.begin_with("begin immediate").await.map(Transaction::Sqlite)
            }
            Self::Postgres(database) => answered(database.pool.begin()).await.map(Transaction::Postgres),
            #[cfg(feature = "simulation")]
            Self::Simulated(database) => answered(database.begin()).await.map(Transaction::Simulated),
        }
    }

    pub(super) async fn ping(&self) -> Result<(), StoreError> {
        let answer = match self {
            Self::Sqlite(database) => sqlx::query("select 1").execute(&database.readers).await.map(drop),
            Self::Postgres(database) => {
                answered(sqlx::query("select 1").execute(&database.pool)).await.map(drop)
            }
            #[cfg(feature = "simulation")]
            Self::Simulated(database) => answered(database.read("select 1", |_| Ok(()))).await,
        };
        answer.map_err(StoreError::database("answer"))
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(database) => database.close().await,
            Self::Postgres(database) => database.close().await,
            #[cfg(feature = "simulation")]
            Self::Simulated(database) => database.close(),
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
                answered(postgres::append::insert_first_events(transaction, match_id, at, by, events)).await
            }
            #[cfg(feature = "simulation")]
            Self::Simulated(transaction) => {
                let insert = |connection: &mut sqlx::SqliteConnection| {
                    block_on(sqlite::append::insert_first_events(connection, match_id, at, by, events))
                };
                answered(transaction.write("insert the first events", insert)).await
            }
        }
    }

    /// Inserts the seat holders of a match that has none.
    pub(super) async fn insert_holders(
        &mut self,
        match_id: MatchId,
        holders: &[SeatHolder],
    ) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction) => sqlite::append::insert_holders(transaction, match_id, holders).await,
            Self::Postgres(transaction) => {
                answered(postgres::append::insert_holders(transaction, match_id, holders)).await
            }
            #[cfg(feature = "simulation")]
            Self::Simulated(transaction) => {
                let insert = |connection: &mut sqlx::SqliteConnection| {
                    block_on(sqlite::append::insert_holders(connection, match_id, holders))
                };
                answered(transaction.write("insert seat holders", insert)).await
            }
        }
    }

    /// Queues a new match for the archive, unless it is open.
    pub(super) async fn queue_for_archive(
        &mut self,
        match_id: MatchId,
        phase: Phase,
    ) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction) => {
                sqlite::append::queue_for_archive(transaction, match_id, phase).await
            }
            Self::Postgres(transaction) => {
                answered(postgres::append::queue_for_archive(transaction, match_id, phase)).await
            }
            #[cfg(feature = "simulation")]
            Self::Simulated(transaction) => {
                let insert = |connection: &mut sqlx::SqliteConnection| {
                    block_on(sqlite::append::queue_for_archive(connection, match_id, phase))
                };
                answered(transaction.write("queue for the archive", insert)).await
            }
        }
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await,
            Self::Postgres(transaction) => answered(transaction.commit()).await,
            #[cfg(feature = "simulation")]
            Self::Simulated(transaction) => answered(transaction.commit()).await,
        }
    }

    pub(super) async fn roll_back(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction) => transaction.rollback().await,
            Self::Postgres(transaction) => transaction.rollback().await,
            #[cfg(feature = "simulation")]
            Self::Simulated(transaction) => {
                transaction.roll_back();
                Ok(())
            }
        }
    }
}
