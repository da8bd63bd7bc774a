//! The server, its database or its lines die again and again under a swarm.

use std::time::Duration;

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

#[tokio::test]
async fn lines_that_are_reset_at_any_byte_lose_nothing() -> Result<()> {
    let ordeal = ordeal(100, 400);
    let survived = ordeal::reset_lines(&Database::Sqlite, &ordeal).await?;
    ensure!(survived.broken > 0, "{survived:?}");
    is_whole(&survived, &ordeal)
}

#[tokio::test]
async fn lines_that_go_silent_for_a_while_lose_nothing() -> Result<()> {
    let ordeal = ordeal(2, 200);
    let survived = ordeal::silent_lines(&Database::Sqlite, &ordeal, Duration::from_millis(1_500)).await?;
    ensure!(survived.broken == 0, "silence alone breaks no line so soon: {survived:?}");
    is_whole(&survived, &ordeal)
}
