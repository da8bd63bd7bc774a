//! State shared by the threads of one search, and its limits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::request::{Limits, SearchControl};

/// The number of nodes between two checks of the time and of the control.
const CHECK_INTERVAL: u64 = 512;

/// The limits of a search, its stop flag, and the nodes of all threads.
pub(crate) struct SharedState<'a> {
    pub(super) limits: Limits,
    control: &'a dyn SearchControl,
    is_stopped: AtomicBool,
    nodes: AtomicU64,
}

impl<'a> SharedState<'a> {
    pub(crate) fn new(limits: Limits, control: &'a dyn SearchControl) -> Self {
        Self { limits, control, is_stopped: AtomicBool::new(false), nodes: AtomicU64::new(0) }
    }

    pub(crate) fn control(&self) -> &dyn SearchControl {
        self.control
    }

    /// Ends the search in all threads.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }

    /// Returns the number of nodes that the counters of all threads have flushed.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

/// One thread's node counter.
#[derive(Debug, Default)]
pub(super) struct NodeCounter {
    unflushed: u64,
}

impl NodeCounter {
    /// Counts a node, and stops the search at a limit. A single thread stops at exactly the node
    /// limit.
    pub(super) fn count_node(&mut self, shared: &SharedState<'_>) {
        if shared.is_stopped() {
            return;
        }
        self.unflushed += 1;
        let nodes_left = shared.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(shared.nodes()));
        if self.unflushed >= CHECK_INTERVAL.min(nodes_left) {
            self.flush(shared);
            let limits = &shared.limits;
            let is_spent = limits.nodes.is_some_and(|limit| shared.nodes() >= limit);
            let is_late = || limits.hard.is_some_and(|hard| shared.control.elapsed() >= hard);
            if is_spent || shared.control.is_stopped() || is_late() {
                shared.stop();
            }
        }
    }

    /// Adds the nodes counted since the last flush to the nodes of the search.
    pub(super) fn flush(&mut self, shared: &SharedState<'_>) {
        shared.nodes.fetch_add(std::mem::take(&mut self.unflushed), Relaxed);
    }
}
