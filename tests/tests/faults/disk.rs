//! The disk of a SQLite file is full.

use anyhow::{Result, ensure};
use quadrex_tests::{Database, Launch, fault_injection};

use crate::{is_whole, plan};

/// The environment variable with the path of a marker file. The disk counts as full while that file
/// exists.
const FULL_WHILE: &str = "QUADREX_FULL_WHILE";

#[tokio::test]
async fn a_server_that_cannot_write_is_not_ready() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let sign = launch.sibling_path("full");
    let server = launch.with_env(FULL_WHILE, sign.display()).start().await?;
    let http = server.http();
    http.until_status("/readyz", 200).await?;
    std::fs::write(&sign, "")?;
    http.until_status("/readyz", 503).await?;
    ensure!(http.get("/healthz").await?.status == 200);
    std::fs::remove_file(&sign)?;
    http.until_status("/readyz", 200).await?;
    Ok(())
}

#[tokio::test]
async fn a_command_on_a_full_disk_is_refused_and_not_partly_written() -> Result<()> {
    let plan = plan(3, 400);
    let report = fault_injection::full_sqlite_file(&plan).await?;
    ensure!(
        report.checked.faulted_but_logged == 0,
        "what is refused for want of room is not there: {report:?}"
    );
    is_whole(&report, &plan)
}
