//! The server or its database dies again and again under a swarm.

use anyhow::{Result, ensure};
use quadrex_tests::{Database, ordeal};

use crate::{LINES, is_whole, ordeal};

async fn killed_under_a_swarm(database: &Database) -> Result<()> {
    let ordeal = ordeal(5, 400);
    let survived = ordeal::killed_server(database, &ordeal).await?;
    ensure!(survived.broken >= 5 * LINES, "every line broke at every kill: {survived:?}");
    is_whole(&survived, &ordeal)
}

#[tokio::test]
async fn a_server_on_sqlite_that_is_killed_loses_nothing() -> Result<()> {
    killed_under_a_swarm(&Database::Sqlite).await
}

#[tokio::test]
async fn a_server_on_postgres_that_is_killed_loses_nothing() -> Result<()> {
    killed_under_a_swarm(&Database::postgres().await?).await
}

#[tokio::test]
async fn a_database_that_is_killed_loses_nothing() -> Result<()> {
    let ordeal = ordeal(2, 150);
    is_whole(&ordeal::killed_postgres(&ordeal).await?, &ordeal)
}

#[tokio::test]
async fn a_database_that_is_restarted_loses_nothing() -> Result<()> {
    let ordeal = ordeal(3, 200);
    is_whole(&ordeal::restarted_postgres(&ordeal).await?, &ordeal)
}
