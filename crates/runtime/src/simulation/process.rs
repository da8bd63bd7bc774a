//! Simulated processes: groups of tasks that stop, go on and die together.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use super::task::Task;

thread_local! {
    /// The process whose task is being polled.
    static CURRENT: RefCell<Option<Process>> = const { RefCell::new(None) };
}

/// A group of tasks, like the process of a server. Tasks belong to the process of the task that
/// started them. Clones are the same process.
#[derive(Clone)]
pub struct Process(Arc<Shared>);

struct Shared {
    name: String,
    state: Mutex<State>,
}

struct State {
    phase: Phase,
    /// The next number of a task.
    next: u64,
    /// The tasks that have been polled and have not ended.
    tasks: BTreeMap<u64, Waker>,
}

/// The state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Running,
    /// The process gets no processor time.
    Stopped,
    Killed,
}

impl Process {
    /// Returns a new process without tasks.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let state = State { phase: Phase::Running, next: 0, tasks: BTreeMap::new() };
        Self(Arc::new(Shared { name: name.to_owned(), state: Mutex::new(state) }))
    }

    /// Returns the process whose task is being polled, if there is one.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Starts a task of this process.
    pub fn spawn<F>(&self, future: F)
    where
        F: Future<Output: Send> + Send + 'static,
    {
        tokio::spawn(Task::of(Some(self.clone()), future));
    }

    /// Kills the process, as SIGKILL does. None of its tasks goes on after its present poll. The
    /// tasks are dropped one after another as soon as they are next polled, and never complete.
    pub fn kill(&self) {
        self.change(Phase::Killed);
    }

    /// Stops the process, as SIGSTOP does, until [`resume`](Self::resume). Its sockets stay open.
    pub fn stop(&self) {
        self.change(Phase::Stopped);
    }

    /// Lets a stopped process go on.
    pub fn resume(&self) {
        self.change(Phase::Running);
    }

    /// Changes the phase, unless the process is dead, and wakes all its tasks.
    fn change(&self, phase: Phase) {
        let wakers: Vec<Waker> = {
            let mut state = self.lock();
            if state.phase == Phase::Killed {
                return;
            }
            state.phase = phase;
            state.tasks.values().cloned().collect()
        };
        wakers.iter().for_each(Waker::wake_by_ref);
    }

    pub(super) fn phase(&self) -> Phase {
        self.lock().phase
    }

    /// Runs a function as a part of a process.
    pub(super) fn enter<T>(process: Option<&Self>, run: impl FnOnce() -> T) -> T {
        let _restore = Restore(CURRENT.replace(process.cloned()));
        run()
    }

    /// Returns the number of a new task.
    pub(super) fn add_task(&self) -> u64 {
        let mut state = self.lock();
        state.next += 1;
        state.next
    }

    pub(super) fn set_waker(&self, task: u64, waker: &Waker) {
        let mut state = self.lock();
        match state.tasks.get_mut(&task) {
            Some(known) => known.clone_from(waker),
            None => drop(state.tasks.insert(task, waker.clone())),
        }
    }

    pub(super) fn remove_task(&self, task: u64) {
        let removed = self.lock().tasks.remove(&task);
        // Dropping a waker may drop a task, so the state is unlocked first.
        drop(removed);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Process").field(&self.0.name).finish()
    }
}

/// Restores the process that was current before.
struct Restore(Option<Process>);

impl Drop for Restore {
    fn drop(&mut self) {
        let entered = CURRENT.replace(self.0.take());
        drop(entered);
    }
}
