//! The database of a test. The same tests run on SQLite and on Postgres.

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::postgres::Postgres;

/// The database of a server under test.
#[derive(Clone)]
pub enum Database {
    /// A SQLite file in the server's data folder.
    Sqlite,
    /// A Postgres server that is stopped when its last user is dropped.
    Postgres(Arc<Postgres>),
    /// A Postgres server that the test itself starts and stops, given by its URL.
    At(String),
}

impl Database {
    /// Starts a new Postgres server.
    ///
    /// # Errors
    /// If Postgres is not installed; the message says what to install.
    pub async fn postgres() -> Result<Self> {
        let started = tokio::task::spawn_blocking(Postgres::start).await.context("starting Postgres")?;
        Ok(Self::Postgres(Arc::new(started?)))
    }

    /// Returns the value for `DATABASE_URL`, or `None` for SQLite.
    pub fn url(&self) -> Option<String> {
        match self {
            Self::Sqlite => None,
            Self::Postgres(postgres) => Some(postgres.url()),
            Self::At(url) => Some(url.clone()),
        }
    }

    /// Returns the process ids of the Postgres server.
    pub fn processes(&self) -> Vec<u32> {
        match self {
            Self::Postgres(postgres) => postgres.processes(),
            Self::Sqlite | Self::At(_) => Vec::new(),
        }
    }
}
