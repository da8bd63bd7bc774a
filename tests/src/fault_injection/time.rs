//! The time is set forwards and backwards, for the server alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::scenario::Scenario;
use super::{FaultPlan, FaultReport};
use crate::server::Launch;
use crate::{Database, PATIENCE, swarm};

/// Names the library that shows a process another time than the system's; `cargo xtask test` sets it.
const VARIABLE: &str = "LIBFAKETIME";

/// Offsets of the server's time from the system's, one after the other; seconds.
const OFFSETS: [i64; 2] = [3_600, -3_600];

/// Allowed deviation of a time in the log, seconds: the machine may be slow.
const SLACK: i64 = 300;

/// Interval between two reads of the server's log.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

const DAY: i64 = 86_400;

/// The time is set an hour forwards, then an hour backwards, again and again; each time the server is killed a little
/// later, and starts at that time.
///
/// # Errors
/// As [`killed_server`](super::killed_server); or if the library for it is not installed.
pub async fn stepped_clock(database: &Database, plan: &FaultPlan) -> Result<FaultReport> {
    let launch = Launch::new(database)?;
    let file = launch.sibling_path("offset");
    set(&file, 0)?;
    let launch = launch
        .with_env("LD_PRELOAD", library()?.display())
        .with_env("FAKETIME_TIMESTAMP_FILE", file.display())
        .with_env("FAKETIME_NO_CACHE", 1)
        .with_env("DONT_FAKE_MONOTONIC", 1)
        .with_env("QUADREX_LOG__FILTER", "info,quadrex_server::actor=trace");
    let mut scenario = Scenario::start(launch, plan).await?;
    let mut offset = 0;
    for injection in 1..=plan.injections {
        scenario.wait_for_injection(injection).await?;
        let since = swarm::now();
        let next = OFFSETS[usize::try_from(injection - 1)? % OFFSETS.len()];
        let before = last_time(&scenario.launch).context("the server's log has no time")?;
        set(&file, next)?;
        let is_set = until_logged(&scenario.launch, before + next - offset);
        tokio::time::timeout(PATIENCE, is_set).await.context("waiting for another time in the log")?;
        offset = next;
        scenario.until_served().await;
        scenario.restart().await.with_context(|| format!("starting {offset} s away"))?;
        scenario.until_served().await;
        scenario.took += since.elapsed();
    }
    scenario.finish().await
}

/// Sets the server's time so many seconds from the system's.
fn set(file: &Path, seconds: i64) -> Result<()> {
    let fresh = file.with_extension("new");
    fs::write(&fresh, format!("{seconds:+}\n")).context("writing the offset")?;
    // The server reads it all the time: it must never be half written.
    fs::rename(&fresh, file).context("setting the offset")
}

/// Waits until the server's log is written at about this second of the day: then the server sees the time it was set.
async fn until_logged(launch: &Launch, second: i64) {
    let is_near = |time: i64| {
        let away = (time - second).rem_euclid(DAY);
        away.min(DAY - away) < SLACK
    };
    while !last_time(launch).is_some_and(is_near) {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// The second of the day at which the log's last whole line was written: `2026-01-31T12:34:56.789012Z ...`.
fn last_time(launch: &Launch) -> Option<i64> {
    let log = launch.log();
    let (whole, _) = log.rsplit_once('\n')?;
    let (_, time) = whole.rsplit('\n').next()?.split_once('T')?;
    let mut fields = time.get(..8)?.split(':').map(str::parse::<i64>);
    let mut field = || fields.next()?.ok();
    Some((field()? * 60 + field()?) * 60 + field()?)
}

/// The library: as the variable says, or where Debian puts it.
fn library() -> Result<PathBuf> {
    if let Some(library) = std::env::var_os(VARIABLE) {
        return Ok(PathBuf::from(library));
    }
    let folders = fs::read_dir("/usr/lib").context("/usr/lib")?.filter_map(Result::ok);
    let places = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
    places.into_iter().find(|place| place.is_file()).context(
        "libfaketime is not installed: install it (Debian: apt-get install faketime), or name it in LIBFAKETIME",
    )
}
