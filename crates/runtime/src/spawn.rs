//! The start of tasks. Servers start all their tasks here, so that a simulation can order them.

use tokio::task::{AbortHandle, JoinHandle, JoinSet};

#[cfg(feature = "simulation")]
use crate::simulation::{self, Task};

/// Starts a task. Must be called within a Tokio runtime.
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    #[cfg(feature = "simulation")]
    if simulation::is_active() {
        return tokio::spawn(Task::new(future));
    }
    tokio::spawn(future)
}

/// Starts a task in a set. Must be called within a Tokio runtime.
pub fn spawn_in<F>(set: &mut JoinSet<F::Output>, future: F) -> AbortHandle
where
    F: Future<Output: Send> + Send + 'static,
{
    #[cfg(feature = "simulation")]
    if simulation::is_active() {
        return set.spawn(Task::new(future));
    }
    set.spawn(future)
}

/// Runs work that would block its thread on a thread for such work. In a simulation, it runs in a
/// task, and virtual time does not pass meanwhile.
pub fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    #[cfg(feature = "simulation")]
    if simulation::is_active() {
        return tokio::spawn(Task::new(async move { work() }));
    }
    tokio::task::spawn_blocking(work)
}

/// Returns whether this thread runs a simulation. In a simulation no other thread may be started.
#[must_use]
pub fn is_simulated() -> bool {
    #[cfg(feature = "simulation")]
    return simulation::is_active();
    #[cfg(not(feature = "simulation"))]
    false
}
