//! The database under a server, past the server: for what no client may do.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::database::Database;
use crate::postgres::Postgres;
use crate::server::Launch;

/// The database of a server's data folder, or a Postgres of the test's own.
pub enum RawSql<'a> {
    /// The file, and the folder it is in.
    Sqlite(std::path::PathBuf),
    /// The server; the database is its first one.
    Postgres(&'a Postgres),
}

impl<'a> RawSql<'a> {
    /// Returns the database of a server with this launch configuration.
    ///
    /// # Errors
    /// If it is a Postgres that somebody else holds.
    pub fn of(launch: &'a Launch) -> Result<Self> {
        match launch.database() {
            Database::Sqlite => Ok(Self::Sqlite(launch.data().join("quadrex.db"))),
            Database::Postgres(postgres) => Ok(Self::Postgres(postgres)),
            Database::At(url) => bail!("{url} is not this test's own"),
        }
    }

    /// Runs SQL that gives nothing back: a statement, or several in one transaction.
    ///
    /// # Errors
    /// The message of the database, if it refused.
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
            // psql sends all of one --command as one transaction.
            Self::Postgres(postgres) => postgres.sql("postgres", sql).map(drop),
        }
    }

    /// Returns the whole content for a comparison: the database file and the files beside it except
    /// for the readers' shared memory, or the output of `pg_dump`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn image(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        match self {
            Self::Sqlite(file) => files(file.parent().context("the file is in a folder")?),
            Self::Postgres(postgres) => {
                // Each dump has a key of its own against what is planted into it.
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
