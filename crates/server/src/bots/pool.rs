//! The threads that look for moves: few, of the lowest priority, with one queue before them.
//!
//! A table has at most one search in the queue, so that first come, first served is fair. Where nobody watches, a search
//! counts as come a little later than it did: it stands behind those that people wait for, but not for ever.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_engine::{Engine, Found, Level, Limits, Task, Watch};
use quadrex_rules::{AnyPosition, Timestamp};
use tokio::sync::oneshot;

use crate::clock::Clock;
use crate::config::BotsConfig;

/// How much later than it came a search counts as come for which nobody waits.
const UNWATCHED: Duration = Duration::from_secs(5);

/// The nice value of the threads: the lowest priority there is (setpriority(2)).
pub(super) const NICE: i32 = 19;

/// What is to be looked for.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) position: AnyPosition,
    /// Keys of the positions that occurred before ([`Task::earlier`]).
    pub(super) earlier: Vec<u64>,
    pub(super) level: Level,
    pub(super) seed: u64,
    pub(super) limits: Limits,
    /// Whether somebody waits for it.
    pub(super) is_watched: bool,
}

/// The threads. They end when this is dropped.
#[derive(Debug)]
pub(super) struct Pool {
    queue: Arc<Queue>,
    clock: Clock,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    came: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    /// By the time they count as come, and then by their number.
    jobs: BTreeMap<(Timestamp, u64), Job>,
    count: u64,
    is_closed: bool,
}

#[derive(Debug)]
struct Job {
    search: Search,
    is_given_up: Arc<AtomicBool>,
    answer: oneshot::Sender<Found>,
}

/// A search under way, or waiting; dropped, it is given up.
#[derive(Debug)]
pub(super) struct Searching {
    is_given_up: Arc<AtomicBool>,
    answer: oneshot::Receiver<Found>,
}

impl Pool {
    pub(super) fn start(config: &BotsConfig, clock: Clock) -> Self {
        let queue = Arc::<Queue>::default();
        for number in 1..=config.threads() {
            let (queue, clock, table_mib) = (queue.clone(), clock.clone(), config.table_mib);
            let run = move || work(&queue, &clock, table_mib);
            if let Err(error) = std::thread::Builder::new().name(format!("bots-{number}")).spawn(run) {
                tracing::error!("a thread for bots cannot be started: {error}");
            }
        }
        Self { queue, clock }
    }

    /// Has it looked for when its turn comes.
    pub(super) fn search(&self, search: Search) -> Searching {
        let (answer, wait) = oneshot::channel();
        let is_given_up = Arc::<AtomicBool>::default();
        let job = Job { is_given_up: is_given_up.clone(), answer, search };
        let now = self.clock.now();
        let counts_from = if job.search.is_watched { now } else { now + UNWATCHED };
        let mut waiting = self.queue.lock();
        waiting.count += 1;
        let number = waiting.count;
        waiting.jobs.insert((counts_from, number), job);
        drop(waiting);
        self.queue.came.notify_one();
        Searching { is_given_up, answer: wait }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut waiting = self.queue.lock();
        waiting.is_closed = true;
        waiting.jobs.clear();
        drop(waiting);
        self.queue.came.notify_all();
    }
}

impl Searching {
    /// What was found; nothing if no thread could look for it.
    pub(super) async fn found(mut self) -> Option<Found> {
        (&mut self.answer).await.ok()
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        self.is_given_up.store(true, Ordering::Relaxed);
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next search; `None` when there will be no more.
    fn next(&self) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            if waiting.is_closed {
                return None;
            }
            match waiting.jobs.pop_first() {
                Some((_, job)) if job.is_given_up.load(Ordering::Relaxed) => {}
                Some((_, job)) => return Some(job),
                None => waiting = self.came.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// What a thread does.
fn work(queue: &Queue, clock: &Clock, table_mib: usize) {
    come_last();
    let mut engine = Engine::new(table_mib);
    while let Some(Job { search, is_given_up, answer }) = queue.next() {
        let watch = Patience { clock, since: clock.now(), is_given_up: &is_given_up };
        let task = Task {
            earlier: &search.earlier,
            level: search.level,
            seed: search.seed,
            ..Task::new(&search.position, search.limits)
        };
        engine.clear();
        let looked = catch_unwind(AssertUnwindSafe(|| engine.search(&task, &watch, &mut |_| ())));
        match looked {
            // Whoever asked may have given up by now.
            Ok(found) => drop(answer.send(found)),
            Err(_) => {
                tracing::error!(position = %search.position.setup(), "the engine broke over a position");
                engine = Engine::new(table_mib);
            }
        }
    }
}

/// Whatever else runs on this machine comes before this thread.
fn come_last() {
    // Elsewhere than on Linux the priority would be that of the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::warn!("the bots' threads keep their usual priority: {error}");
    }
}

/// How long a search has gone on, and whether anybody still wants it.
struct Patience<'a> {
    clock: &'a Clock,
    since: Timestamp,
    is_given_up: &'a AtomicBool,
}

impl Watch for Patience<'_> {
    fn elapsed(&self) -> Duration {
        self.clock.now().since(self.since)
    }

    fn is_stopped(&self) -> bool {
        self.is_given_up.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{Setup, Variant};

    use super::*;
    use crate::bots::usual;

    fn search(is_watched: bool, nodes: u64) -> Search {
        Search {
            position: AnyPosition::new(&Setup::start(Variant::Classic)).unwrap(),
            earlier: Vec::new(),
            level: Level::FULL,
            seed: 1,
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            is_watched,
        }
    }

    fn job(pool: &Pool, is_watched: bool) -> Searching {
        pool.search(search(is_watched, 1))
    }

    /// A pool without threads: what stands in the queue stays there.
    fn idle(clock: &Clock) -> Pool {
        Pool { queue: Arc::default(), clock: clock.clone() }
    }

    fn order(pool: &Pool) -> Vec<bool> {
        pool.queue.lock().jobs.values().map(|job| job.search.is_watched).collect()
    }

    #[test]
    fn who_is_waited_for_comes_first_but_not_for_ever() {
        let clock = Clock::manual(Timestamp::from_millis(1_000));
        let pool = idle(&clock);
        let _unwatched = job(&pool, false);
        let _watched = job(&pool, true);
        assert_eq!(order(&pool), [true, false]);
        clock.advance(UNWATCHED + Duration::from_millis(1));
        let _later = job(&pool, true);
        assert_eq!(order(&pool), [true, false, true]);
    }

    #[test]
    fn what_was_given_up_is_not_looked_for() {
        let pool = idle(&Clock::manual(Timestamp::from_millis(1_000)));
        drop(job(&pool, true));
        let _wanted = job(&pool, false);
        let next = pool.queue.next().unwrap();
        assert!(!next.search.is_watched);
    }

    #[tokio::test]
    async fn a_search_is_answered_and_a_pool_without_threads_says_so() {
        let clock = Clock::system();
        let config = BotsConfig { threads: 1, table_mib: 1, ..usual() };
        let pool = Pool::start(&config, clock.clone());
        let found = pool.search(search(true, 2_000)).found().await.unwrap();
        assert!(search(true, 1).position.is_legal(found.best.unwrap()));
        let idle = idle(&clock);
        let searching = idle.search(search(true, 1));
        drop(idle);
        assert_eq!(searching.found().await, None);
    }

    /// A search without any limit ends soon after nobody wants it any more, so that the next one is answered.
    #[tokio::test]
    async fn a_search_that_was_given_up_leaves_its_thread() {
        let config = BotsConfig { threads: 1, table_mib: 1, ..usual() };
        let pool = Pool::start(&config, Clock::system());
        let endless = pool.search(Search { limits: Limits::default(), ..search(true, 1) });
        drop(endless);
        assert!(pool.search(search(true, 100)).found().await.is_some());
    }
}
