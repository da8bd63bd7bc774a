//! Fault: the server's system time is set forwards and backwards.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::scenario::Scenario;
use super::{FaultPlan, FaultReport};
use crate::server::Launch;
use crate::{Database, PATIENCE, swarm};

/// The environment variable with the path of libfaketime, which shows a process another time.
/// `cargo xtask test` sets it.
const VARIABLE: &str = "LIBFAKETIME";

/// The successive offsets of the server's time from the real time, in seconds.
const OFFSETS: [i64; 2] = [3_600, -3_600];

/// The allowed deviation of a time in the log, in seconds. It is large because the machine may be
/// slow.
const SLACK: i64 = 300;

/// The interval between two reads of the server's log.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

const DAY: i64 = 86_400;

/// Sets the server's time an hour forwards and then an hour backwards, repeatedly. After each
/// change the server is killed and started with the changed time.
///
/// # Errors
/// As [`killed_server`](super::killed_server), or if libfaketime is not installed.
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
        tokio::time::timeout(PATIENCE, is_set).await.context("waiting for the changed time in the log")?;
        offset = next;
        scenario.until_served().await;
        scenario.restart().await.with_context(|| format!("starting {offset} s away"))?;
        scenario.until_served().await;
        scenario.took += since.elapsed();
    }
    scenario.finish().await
}

/// Sets the offset of the server's time in seconds.
fn set(file: &Path, seconds: i64) -> Result<()> {
    let fresh = file.with_extension("new");
    fs::write(&fresh, format!("{seconds:+}\n")).context("writing the offset")?;
    // The file is replaced atomically, because the server reads it all the time.
    fs::rename(&fresh, file).context("setting the offset")
}

/// Waits until the server writes a log line with the changed time.
async fn until_logged(launch: &Launch, second: i64) {
    let is_near = |time: i64| {
        let away = (time - second).rem_euclid(DAY);
        away.min(DAY - away) < SLACK
    };
    while !last_time(launch).is_some_and(is_near) {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Returns the second of the day at which the log's last complete line was written:
/// `2026-01-31T12:34:56.789012Z ...`.
fn last_time(launch: &Launch) -> Option<i64> {
    let log = launch.log();
    let (whole, _) = log.rsplit_once('\n')?;
    let (_, time) = whole.rsplit('\n').next()?.split_once('T')?;
    let mut fields = time.get(..8)?.split(':').map(str::parse::<i64>);
    let mut field = || fields.next()?.ok();
    Some((field()? * 60 + field()?) * 60 + field()?)
}

/// Returns the path of libfaketime: the value of the variable, or Debian's path.
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
