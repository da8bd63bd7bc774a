//! Direct access to the database of a server, for statements that no client can cause.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::database::Database;
use crate::postgres::Postgres;
use crate::server::Launch;

/// A direct connection to the database of a server.
pub enum RawSql<'a> {
    /// The path of the SQLite file.
    Sqlite(std::path::PathBuf),
    /// The Postgres server. The database is its first one.
    Postgres(&'a Postgres),
}

impl<'a> RawSql<'a> {
    /// Returns the database of a server with this launch configuration.
    ///
    /// # Errors
    /// If the test does not own the Postgres server.
    pub fn of(launch: &'a Launch) -> Result<Self> {
        match launch.database() {
            Database::Sqlite => Ok(Self::Sqlite(launch.data().join("quadrex.db"))),
            Database::Postgres(postgres) => Ok(Self::Postgres(postgres)),
            Database::At(url) => bail!("the test does not own {url}"),
        }
    }

    /// Runs SQL without a result: a statement, or several statements in one transaction.
    ///
    /// # Errors
    /// The message of the database, if it refuses a statement.
    pub async fn run(&self, sql: &str) -> Result<()> {
        match self {
            Self::Sqlite(file) => {
                let url = format!("sqlite://{}", file.display());
                let mut connection = SqliteConnection::connect(&url).await?;
                let mut transaction = connection.begin_with("begin immediate").await?;
                let script = AssertSqlSafe(sql.to_owned());
                sqlx::raw_sql(script).execute(&mut *transaction).await.with_context(|| sql.to_owned())?;
                transaction.commit().await?;
                connection.close().await.context("closing the database")
            }
            // psql runs all statements of one `--command` in one transaction.
            Self::Postgres(postgres) => postgres.sql("postgres", sql).map(drop),
        }
    }

    /// Keeps everybody else from writing to an SQLite database until the result is dropped.
    ///
    /// # Errors
    /// If the database is not SQLite, or somebody else writes for long.
    pub async fn block_writers(&self) -> Result<SqliteConnection> {
        let Self::Sqlite(file) = self else { bail!("the database is not SQLite") };
        let mut connection = SqliteConnection::connect(&format!("sqlite://{}", file.display())).await?;
        sqlx::raw_sql("begin immediate").execute(&mut connection).await?;
        Ok(connection)
    }

    /// Returns the whole content for a comparison: the database file and the files beside it
    /// without the shared memory of readers, or the output of `pg_dump`.
    ///
    /// # Errors
    /// If the content cannot be read.
    pub fn image(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        match self {
            Self::Sqlite(file) => files(file.parent().context("the file is in a folder")?),
            Self::Postgres(postgres) => {
                // Each dump contains a random key (`\restrict`), which is removed.
                let dump = postgres.dump("postgres")?;
                let lines = dump
                    .lines()
                    .filter(|line| !line.starts_with("\\restrict") && !line.starts_with("\\unrestrict"));
                let text = lines.collect::<Vec<_>>().join("\n");
                Ok(BTreeMap::from([("dump".to_owned(), text.into_bytes())]))
            }
        }
    }
}

fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut files = BTreeMap::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.ends_with("-shm") {
            files.insert(name, std::fs::read(entry.path())?);
        }
    }
    Ok(files)
}
