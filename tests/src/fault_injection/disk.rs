//! Faults: the disk of a SQLite file is full for a while.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::scenario::Scenario;
use super::{FaultPlan, FaultReport};
use crate::server::Launch;
use crate::{Database, swarm};

/// The environment variable of the server with the path of a marker file. The SQLite file cannot
/// grow while that file exists.
const FULL_WHILE: &str = "QUADREX_FULL_WHILE";

/// The number of internal errors that players must receive before the disk has space again.
const FAULTS: u64 = 20;

/// The maximum number of times that the disk is filled to get these errors.
const ROUNDS: u32 = 30;

/// Prevents the SQLite file from growing for a while repeatedly, as if the disk were full.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn full_sqlite_file(plan: &FaultPlan) -> Result<FaultReport> {
    let launch = Launch::new(&Database::Sqlite)?;
    let sign = launch.sibling_path("full");
    let launch = launch.with_env(FULL_WHILE, sign.display());
    let fill = || fs::write(&sign, "").context("filling the disk");
    let clear = || fs::remove_file(&sign).context("freeing the disk");
    filled(Scenario::start(launch, plan).await?, plan, fill, clear).await
}

/// Fills a small disk with the server's data to the last byte repeatedly.
///
/// # Errors
/// As [`killed_server`](super::killed_server), or if no file system can be mounted, for which the
/// test must run as root.
pub async fn full_disk(plan: &FaultPlan) -> Result<FaultReport> {
    let launch = Launch::new(&Database::Sqlite)?;
    let disk = SmallDisk::mount(&launch.data())?;
    let filler = launch.data().join("filler");
    let fill = || fill(&filler);
    let clear = || fs::remove_file(&filler).context("removing the filler");
    let report = filled(Scenario::start(launch.clone(), plan).await?, plan, fill, clear).await;
    drop(disk);
    report
}

async fn filled(
    mut scenario: Scenario,
    plan: &FaultPlan,
    fill: impl Fn() -> Result<()>,
    clear: impl Fn() -> Result<()>,
) -> Result<FaultReport> {
    for injection in 1..=plan.injections {
        scenario.wait_for_injection(injection).await?;
        let since = swarm::now();
        let mut rounds = 0;
        loop {
            fill()?;
            // On a full disk the lease cannot be renewed either, and the server answers nothing
            // after it has expired.
            let is_enough = scenario.has_faults(FAULTS * injection).await;
            clear()?;
            scenario.until_served().await;
            scenario.until_ready().await?;
            if is_enough {
                break;
            }
            rounds += 1;
            ensure!(rounds < ROUNDS, "fewer than {FAULTS} faults in {ROUNDS} rounds of a full disk");
        }
        scenario.took += since.elapsed();
    }
    let log = scenario.launch.log();
    ensure!(log.contains("database or disk is full"), "the server's log does not contain the reason");
    scenario.finish().await
}

/// Writes until the disk has no space for another byte.
fn fill(path: &Path) -> Result<()> {
    let mut file = fs::File::create(path).context("making the filler")?;
    for part in [64 * 1024, 1] {
        let zeros = vec![0; part];
        loop {
            match file.write(&zeros) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::StorageFull => break,
                Err(error) => return Err(error).context("filling the disk"),
            }
        }
    }
    Ok(())
}

/// A file system of some MiB in memory.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Result<Self> {
        fs::create_dir_all(at)?;
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]).arg(at).output();
        let mounted = mounted.context("mount cannot be run")?;
        let said = String::from_utf8_lossy(&mounted.stderr);
        ensure!(mounted.status.success(), "mounting a small disk needs root: {}", said.trim());
        Ok(Self(at.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // The unmount is lazy, because processes may still have files open.
        Command::new("umount").arg("--lazy").arg(&self.0).status().ok();
    }
}
