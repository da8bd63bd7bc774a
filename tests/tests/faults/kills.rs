//! The server or its database is killed repeatedly while a swarm plays.

use anyhow::{Result, ensure};
use quadrex_tests::{Database, fault_injection};

use crate::{LINES, is_whole, plan};

async fn killed_under_a_swarm(database: &Database) -> Result<()> {
    let plan = plan(5, 400);
    let report = fault_injection::killed_server(database, &plan).await?;
    ensure!(report.broken >= 5 * LINES, "every connection broke at every kill: {report:?}");
    is_whole(&report, &plan)
}

#[tokio::test]
async fn a_killed_server_on_sqlite_loses_no_command() -> Result<()> {
    killed_under_a_swarm(&Database::Sqlite).await
}

#[tokio::test]
async fn a_killed_server_on_postgres_loses_no_command() -> Result<()> {
    killed_under_a_swarm(&Database::postgres().await?).await
}

#[tokio::test]
async fn a_killed_database_loses_no_command() -> Result<()> {
    let plan = plan(2, 150);
    is_whole(&fault_injection::killed_postgres(&plan).await?, &plan)
}

#[tokio::test]
async fn a_restarted_database_loses_no_command() -> Result<()> {
    let plan = plan(3, 200);
    is_whole(&fault_injection::restarted_postgres(&plan).await?, &plan)
}
