//! The searches of a simulation. They are made by tasks instead of threads, and bounded by nodes,
//! because virtual time does not pass during a search.

use std::sync::{Arc, Mutex, PoisonError};

use quadrex_clock::Clock;

use super::queue::Queue;
use super::{Search, thread};

/// The largest number of nodes of a search.
const MAX_NODES: u64 = 40;

/// The size of the engine's transposition table, in MiB.
const TABLE_MIB: usize = 1;

/// An engine that all searches of a pool share.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    clock: Clock,
    engine: Arc<Mutex<Option<thread::Worker>>>,
}

impl Worker {
    pub(super) fn new(clock: &Clock) -> Self {
        Self { clock: clock.clone(), engine: Arc::default() }
    }

    /// Starts a task that makes the next search of the queue.
    pub(super) fn make_next(&self, queue: &Arc<Queue>) {
        let (this, queue) = (self.clone(), Arc::clone(queue));
        quadrex_runtime::spawn(async move {
            let Some(next) = queue.try_next() else { return };
            let mut engine = this.engine.lock().unwrap_or_else(PoisonError::into_inner);
            let engine = engine.get_or_insert_with(|| thread::Worker::new(TABLE_MIB, MAX_NODES));
            engine.make(&queue, &this.clock, next);
        });
    }
}

/// Limits the number of nodes of a search.
pub(super) fn bounded(mut search: Search) -> Search {
    let nodes = search.limits.nodes.map_or(MAX_NODES, |nodes| nodes.min(MAX_NODES));
    search.limits.nodes = Some(nodes);
    search
}
