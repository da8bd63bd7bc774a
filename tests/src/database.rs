//! The database that a test runs on: the same test runs on each.

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::postgres::Postgres;

/// The database under a server.
#[derive(Clone)]
pub enum Database {
    /// A file in the server's data folder.
    Sqlite,
    /// A Postgres server of the test's own, which ends with it.
    Postgres(Arc<Postgres>),
    /// A server that the test itself stops and starts, by its URL.
    At(String),
}

impl Database {
    /// A new Postgres server.
    ///
    /// # Errors
    /// Says what to install if there is none on this machine.
    pub async fn postgres() -> Result<Self> {
        let started = tokio::task::spawn_blocking(Postgres::start).await.context("starting Postgres")?;
        Ok(Self::Postgres(Arc::new(started?)))
    }

    /// Returns the value of `DATABASE_URL`, if there is one.
    pub fn url(&self) -> Option<String> {
        match self {
            Self::Sqlite => None,
            Self::Postgres(postgres) => Some(postgres.url()),
            Self::At(url) => Some(url.clone()),
        }
    }

    /// The processes of a server of the test's own.
    pub fn processes(&self) -> Vec<u32> {
        match self {
            Self::Postgres(postgres) => postgres.processes(),
            Self::Sqlite | Self::At(_) => Vec::new(),
        }
    }
}
