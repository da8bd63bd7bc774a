//! After all visitors have left, no table, match or connection is left behind.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_store::Store;
use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::stuck_matches::stuck_matches;
use quadrex_tests::{Crowd, Database, Launch, PATIENCE};
use tokio::time::{sleep, timeout};

/// The number of visits. Each kind occurs at least twice.
const VISITS: u64 = 16;

/// The interval between two checks of a condition.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Returns the number of open sockets of a process (proc(5)).
fn sockets(process: u32) -> Result<usize> {
    let folder = format!("/proc/{process}/fd");
    let mut sockets = 0;
    for entry in std::fs::read_dir(&folder).with_context(|| format!("reading {folder}"))? {
        // The descriptor may have been closed meanwhile.
        let target = std::fs::read_link(entry?.path());
        sockets += usize::from(target.is_ok_and(|target| target.to_string_lossy().starts_with("socket:")));
    }
    Ok(sockets)
}

#[tokio::test]
async fn all_memory_of_visitors_is_released_after_they_leave() -> Result<()> {
    let launch = without_rate_limits(Launch::new(&Database::Sqlite)?)
        .with_env("QUADREX_TABLES__CLOSE_OPEN_SECONDS", 1)
        .with_env("QUADREX_TABLES__CLOSE_ENDED_SECONDS", 1);
    let server = launch.start().await?;
    let process = server.process()?;
    let before = sockets(process)?;
    let (store, _) = Store::open_read_only(&launch.location()?).await?.context("the database is there")?;

    let mut crowd = Crowd::start(server.address(), 4);
    crowd.until_done(VISITS).await?;
    ensure!(!store.unfinished().await?.is_empty(), "{} visits, and nobody plays", crowd.done());
    let stuck_matches = stuck_matches(&store).await?;
    ensure!(stuck_matches.is_empty(), "no deadline would end {stuck_matches:?}");
    crowd.finish().await?;

    let quiet = async {
        while !store.unfinished().await?.is_empty() || sockets(process)? != before {
            sleep(POLL_INTERVAL).await;
        }
        anyhow::Ok(())
    };
    let became_quiet = timeout(PATIENCE, quiet).await;
    let (left, open) = (store.unfinished().await?, sockets(process)?);
    became_quiet.with_context(|| format!("{left:?} are left, {open} sockets and not {before}"))??;
    store.close().await;
    let log = launch.log();
    ensure!(!log.contains("ERROR"), "the log contains a fault: {log}");
    Ok(())
}
