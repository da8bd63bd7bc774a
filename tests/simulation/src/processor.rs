//! The processor on which a simulation runs.

use std::time::Duration;

/// Lets all threads that this thread starts from now on run on the processor of this thread.
///
/// A simulation waits for the thread of its database after each statement, and the other way round. On
/// one processor such a change of threads takes a fraction of the time.
#[cfg(target_os = "linux")]
pub(crate) fn stay_on_one() {
    let mut this = rustix::thread::CpuSet::new();
    this.set(rustix::thread::sched_getcpu());
    // If the system refuses, the simulation is slower, and otherwise the same.
    rustix::thread::sched_setaffinity(None, &this).ok();
}

/// Does nothing on this system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn stay_on_one() {}

/// Returns the processor time that this process has used.
pub(crate) fn used_time() -> Duration {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(used).unwrap_or_default()
}
