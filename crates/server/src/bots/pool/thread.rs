//! A thread of the pool, which makes one search after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_engine::{Engine, SearchControl, SearchRequest};
use quadrex_rules::Timestamp;

use super::Urgency;
use super::queue::{Job, Queue, Turn, Yielding};

/// The nice value of the threads. It gives the lowest priority (setpriority(2)).
pub(in crate::bots) const NICE: i32 = 19;

/// Makes searches until the pool is closed.
pub(super) fn run(queue: &Queue, clock: &Clock, table_mib: usize) {
    lower_priority();
    let mut worker = Worker::new(table_mib, Engine::LINE_NODES);
    while let Some(next) = queue.next() {
        worker.make(queue, clock, next);
    }
}

/// An engine that makes searches, one at a time.
#[derive(Debug)]
pub(super) struct Worker {
    engine: Engine,
    table_mib: usize,
    /// The largest number of nodes of the search that scores a line.
    line_nodes: u64,
}

impl Worker {
    pub(super) fn new(table_mib: usize, line_nodes: u64) -> Self {
        Self { engine: Engine::new(table_mib), table_mib, line_nodes }
    }

    /// Makes a search, and sends its result. If the search yields, puts it back into the queue.
    pub(super) fn make(&mut self, queue: &Queue, clock: &Clock, next: (Turn, Job, Yielding)) {
        let (turn, job, yielding) = next;
        let search = &job.search;
        let control = PoolSearchControl {
            clock,
            started_at: clock.now(),
            is_cancelled: &job.is_cancelled,
            yields_to: (yielding == Yielding::ToMoreUrgent).then_some((queue, turn.urgency)),
            has_yielded: AtomicBool::new(false),
        };
        let request = SearchRequest {
            earlier: &search.earlier,
            root_moves: &search.root_moves,
            level: search.level,
            lines: search.lines,
            seed: search.seed,
            ..SearchRequest::new(&search.position, search.limits)
        };
        let (engine, line_nodes) = (&mut self.engine, self.line_nodes);
        engine.clear();
        let result = catch_unwind(AssertUnwindSafe(|| {
            let mut result = engine.search(&request, &control, &mut |_| ());
            engine.score_lines_max_n(&search.position, &mut result.report.lines, line_nodes, &control);
            result
        }));
        if control.has_yielded.into_inner() {
            queue.requeue(turn, job);
            return;
        }
        queue.record_finished(turn);
        match result {
            // If the search was cancelled, nobody receives the result.
            Ok(found) => drop(job.answer.send(found)),
            Err(_) => {
                tracing::error!(position = %search.position.setup(), "the engine panicked on a position");
                self.engine = Engine::new(self.table_mib);
            }
        }
    }
}

/// Gives this thread the lowest priority.
fn lower_priority() {
    // Only on Linux does this change the priority of a single thread. On other systems it would
    // change the priority of the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::warn!("the bots' threads keep their normal priority: {error}");
    }
}

/// The control of a search on a thread of the pool. It stops the search when the search is
/// cancelled or must yield its thread.
struct PoolSearchControl<'a> {
    clock: &'a Clock,
    started_at: Timestamp,
    is_cancelled: &'a AtomicBool,
    /// The queue to whose more urgent searches this search yields its thread, and the urgency of
    /// this search. `None` if the search keeps its thread.
    yields_to: Option<(&'a Queue, Urgency)>,
    /// True if the search has been stopped to yield its thread.
    has_yielded: AtomicBool,
}

impl SearchControl for PoolSearchControl<'_> {
    fn elapsed(&self) -> Duration {
        self.clock.now().since(self.started_at)
    }

    fn is_stopped(&self) -> bool {
        if self.is_cancelled.load(Ordering::Relaxed) || self.has_yielded.load(Ordering::Relaxed) {
            return true;
        }
        let must_yield = self.yields_to.is_some_and(|(queue, urgency)| queue.must_yield(urgency));
        if must_yield {
            self.has_yielded.store(true, Ordering::Relaxed);
        }
        must_yield
    }
}
