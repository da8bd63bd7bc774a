//! When a search ends.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::task::{Limits, Watch};

/// Nodes between two looks at the watch.
const INTERVAL: u64 = 512;

/// What all threads of a search share about its end.
pub(crate) struct Control<'a> {
    pub(super) limits: Limits,
    watch: &'a dyn Watch,
    is_over: AtomicBool,
    nodes: AtomicU64,
}

impl<'a> Control<'a> {
    pub(crate) fn new(limits: Limits, watch: &'a dyn Watch) -> Self {
        Self { limits, watch, is_over: AtomicBool::new(false), nodes: AtomicU64::new(0) }
    }

    pub(crate) fn watch(&self) -> &dyn Watch {
        self.watch
    }

    /// Ends the search in all threads.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Relaxed);
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    /// Positions looked at in all threads, as far as they have told.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

/// One thread's count of nodes.
#[derive(Debug, Default)]
pub(super) struct Count {
    untold: u64,
}

impl Count {
    /// Counts a node. With limited nodes one thread alone ends at exactly so many.
    pub(super) fn add(&mut self, control: &Control<'_>) {
        if control.is_over() {
            return;
        }
        self.untold += 1;
        let left = control.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(control.nodes()));
        if self.untold >= INTERVAL.min(left) {
            self.tell(control);
            let limits = &control.limits;
            let is_spent = limits.nodes.is_some_and(|most| control.nodes() >= most);
            let is_late = || limits.hard.is_some_and(|hard| control.watch.elapsed() >= hard);
            if is_spent || control.watch.is_stopped() || is_late() {
                control.end();
            }
        }
    }

    pub(super) fn tell(&mut self, control: &Control<'_>) {
        control.nodes.fetch_add(std::mem::take(&mut self.untold), Relaxed);
    }
}
