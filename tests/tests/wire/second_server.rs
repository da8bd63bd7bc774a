//! A second server on the same database reports the first one and exits. The first server's matches
//! are not affected.

use anyhow::{Context, Result, ensure};
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::{Database, Launch};

async fn check_second_server_exits(database: &Database) -> Result<()> {
    let launch = without_rate_limits(Launch::new(database)?);
    let server = launch.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    contest.play("e2e4".parse()?).await?;

    let ended = launch.run().await?;
    ensure!(ended.status.code() == Some(1), "{ended:?}");
    ensure!(ended.stderr.lines().count() == 1 && ended.stdout.is_empty(), "not one line: {ended:?}");
    let holder = format!(", process {}, since ", server.process()?);
    for words in ["another server (", holder.as_str(), " UTC) runs on this database: "] {
        ensure!(ended.stderr.contains(words), "{words:?} is not in {:?}", ended.stderr);
    }

    let checked = launch.clone().with_argument("--check").run().await?;
    ensure!(checked.status.success(), "a check beside a server: {checked:?}");
    let copied = launch.back_up(&launch.sibling_path("copy")).await?;
    ensure!(copied.status.success(), "a backup beside a server: {copied:?}");

    contest.play("e7e5".parse()?).await?;
    let path = format!("/api/matches/{}/record", contest.match_id);
    let record = server.http().get(&path).await?;
    ensure!(record.status == 200 && !record.body.contains("interrupted"), "{}", record.body);
    Ok(())
}

#[tokio::test]
async fn a_second_server_on_sqlite_reports_the_first_and_exits() -> Result<()> {
    check_second_server_exits(&Database::Sqlite).await
}

#[tokio::test]
async fn a_second_server_on_postgres_reports_the_first_and_exits() -> Result<()> {
    check_second_server_exits(&Database::postgres().await?).await
}

/// The lock of a dead process is free, even before its lease expires.
async fn check_quick_restart(database: &Database) -> Result<()> {
    let launch = Launch::new(database)?;
    for _ in 0..3 {
        launch.start().await?.kill().await?;
    }
    launch.start().await.context("after a kill")?;
    Ok(())
}

#[tokio::test]
async fn a_killed_server_on_sqlite_restarts_before_its_lease_expires() -> Result<()> {
    check_quick_restart(&Database::Sqlite).await
}

#[tokio::test]
async fn a_killed_server_on_postgres_restarts_before_its_lease_expires() -> Result<()> {
    check_quick_restart(&Database::postgres().await?).await
}

async fn check_concurrent_starts(database: &Database) -> Result<()> {
    let launch = Launch::new(database)?;
    let (one, other) = tokio::join!(launch.start(), launch.start());
    ensure!(one.is_ok() != other.is_ok(), "exactly one server runs");
    let log = launch.log();
    ensure!(log.contains("another server") && !log.contains("already exists"), "{log}");
    Ok(())
}

#[tokio::test]
async fn only_one_of_two_concurrent_first_starts_creates_the_sqlite_database() -> Result<()> {
    check_concurrent_starts(&Database::Sqlite).await
}

#[tokio::test]
async fn only_one_of_two_concurrent_first_starts_creates_the_postgres_schema() -> Result<()> {
    check_concurrent_starts(&Database::postgres().await?).await
}
