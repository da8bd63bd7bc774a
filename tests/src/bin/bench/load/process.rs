//! Resource usage of another process, read from Linux's `/proc`.

use std::fs;

use anyhow::{Context, Result};

/// The number of clock ticks per second in `/proc/<id>/stat`, which is always 100 for user programs
/// (`USER_HZ`, proc(5)).
const TICKS: f64 = 100.0;

/// The size of the pages that `/proc/net/sockstat` counts.
const PAGE_KIB: u64 = 4;

/// The resources that a process has used so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    process: u32,
    ticks: u64,
    /// Resident memory, in KiB.
    pub(crate) resident_kib: u64,
    /// The number of open files and connections.
    pub(crate) descriptors: usize,
}

/// Returns the memory that the system uses for all TCP connections of this machine, at both ends,
/// in KiB.
///
/// # Errors
/// If the system is not Linux.
pub(crate) fn socket_buffers_kib() -> Result<u64> {
    let path = "/proc/net/sockstat";
    let text = fs::read_to_string(path).with_context(|| format!("reading {path}"))?;
    let tcp = text.lines().find(|line| line.starts_with("TCP:")).context("no TCP in sockstat")?;
    let (_, pages) = tcp.rsplit_once("mem ").context("no mem in sockstat")?;
    Ok(pages.trim().parse::<u64>().context("mem is not a number")? * PAGE_KIB)
}

impl Usage {
    /// Returns the present usage of a process.
    ///
    /// # Errors
    /// If the process does not exist, or the system is not Linux.
    pub(crate) fn of(process: u32) -> Result<Self> {
        let read = |name: &str| {
            let path = format!("/proc/{process}/{name}");
            fs::read_to_string(&path).with_context(|| format!("reading {path}"))
        };
        let stat = read("stat")?;
        // The name is in parentheses and may contain blanks. User and system time are the 14th and
        // 15th fields.
        let (_, after_name) = stat.rsplit_once(')').context("no name in stat")?;
        let mut times = after_name.split_whitespace().skip(11);
        let mut time =
            || times.next().and_then(|ticks| ticks.parse::<u64>().ok()).context("no times in stat");
        let ticks = time()? + time()?;
        let status = read("status")?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        let resident = resident.trim().trim_end_matches(" kB").parse().context("VmRSS is not a number")?;
        let descriptors = format!("/proc/{process}/fd");
        let descriptors =
            fs::read_dir(&descriptors).with_context(|| format!("reading {descriptors}"))?.count();
        Ok(Self { process, ticks, resident_kib: resident, descriptors })
    }

    pub(crate) fn process(&self) -> u32 {
        self.process
    }

    /// Returns the processor time used since an earlier sample, in seconds.
    pub(crate) fn cpu_since(&self, then: &Self) -> f64 {
        self.ticks.saturating_sub(then.ticks) as f64 / TICKS
    }

    /// Returns the processor time used from this sample until now, in seconds, or `None` if the
    /// process has ended.
    pub(crate) fn cpu_until_now(&self) -> Option<f64> {
        Self::of(self.process).ok().map(|now| now.cpu_since(self))
    }
}
