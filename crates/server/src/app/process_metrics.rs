//! The metrics of the process, with the names that all Prometheus clients use. They come from the
//! files of `/proc` (proc(5)). A value that is not there is left out.

use std::time::Duration;

use quadrex_metrics::Define;

/// Defines the metrics with their present values.
pub(super) fn define(define: &mut Define<'_>) {
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        if let Some(kib) = field(&status, "VmRSS:") {
            define.bytes("resident_memory", "Resident memory", kib * 1024);
        }
        if let Some(threads) = field(&status, "Threads:").and_then(|count| usize::try_from(count).ok()) {
            define.gauge("threads", "Threads of the operating system", threads);
        }
    }
    if let Ok(stat) = std::fs::read_to_string("/proc/self/stat") {
        if let Some(time) = cpu_time(&stat) {
            define.counter_of_seconds("cpu", "Time of processors that the process has used", time);
        }
        let system = std::fs::read_to_string("/proc/stat").unwrap_or_default();
        if let Some(start) = start_time(&stat, &system) {
            define.seconds("start_time", "Start of the process since the Unix epoch", start);
        }
    }
    if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
        // One of them is the descriptor of the folder.
        define.gauge("open_fds", "Open file descriptors", open.count().saturating_sub(1));
    }
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    if let Some(most) = most.and_then(|most| usize::try_from(most).ok()) {
        define.gauge("max_fds", "Limit of open file descriptors", most);
    }
}

/// Returns the number after a name at the beginning of a line.
fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the time in user mode and in the kernel, from `/proc/self/stat`.
fn cpu_time(stat: &str) -> Option<Duration> {
    Some(ticks(stat, 14)? + ticks(stat, 15)?)
}

/// Returns the time of the start since the Unix epoch, from `/proc/self/stat` and `/proc/stat`.
fn start_time(stat: &str, system: &str) -> Option<Duration> {
    Some(Duration::from_secs(field(system, "btime ")?) + ticks(stat, 22)?)
}

/// Returns a duration in `/proc/self/stat`, by the number of its field. The second field is the
/// name of the program in parentheses, and may contain spaces.
fn ticks(stat: &str, number: usize) -> Option<Duration> {
    let third_and_later = stat.rsplit_once(')')?.1;
    let ticks: u64 = third_and_later.split_whitespace().nth(number - 3)?.parse().ok()?;
    Some(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_kernel_are_parsed() {
        let status = "Name:\tquadrex\nVmRSS:\t   12345 kB\nThreads:\t7\n";
        assert_eq!((field(status, "VmRSS:"), field(status, "Threads:")), (Some(12_345), Some(7)));
        assert_eq!(field(status, "VmSwap:"), None);
        let stat = "42 (a) b) S 1 42 42 0 -1 4194560 900 0 0 0 250 50 0 0 20 0 9 0 1234 5 6";
        let per_second = rustix::param::clock_ticks_per_second() as f64;
        assert_eq!(cpu_time(stat), Some(Duration::from_secs_f64(300.0 / per_second)));
        let started = start_time(stat, "cpu 1 2\nbtime 1700000000\n").unwrap();
        let after_boot = Duration::from_secs_f64(1_234.0 / per_second);
        assert_eq!(started, Duration::from_secs(1_700_000_000) + after_boot);
        assert_eq!(cpu_time("42 (a) S 1"), None);
    }
}
