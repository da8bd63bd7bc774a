//! The threads that look for moves: few, of the lowest priority, with one queue before them.
//!
//! A table has at most one search in the queue, so that first come, first served is fair. Where nobody watches, a search
//! counts as come a little later than it did: it stands behind those that people wait for, but not for ever.
//!
//! Analyses come after all tables. One that is under way when a table finds no thread free gives up its own, and is begun
//! again when it is the next: so a bot never waits for somebody's curiosity.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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
    /// How many of the best moves are wanted ([`Task::lines`]).
    pub(super) lines: usize,
    pub(super) urgency: Urgency,
}

/// Who waits for a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    /// People at a table.
    Watched,
    /// A table at which nobody is.
    Unwatched,
    /// Somebody who analyses.
    Analysis,
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
    /// For how many tables a thread is lacking: what [`Waiting::lacking`] was when it changed last.
    lacking: AtomicUsize,
}

#[derive(Debug, Default)]
struct Waiting {
    jobs: BTreeMap<Turn, Job>,
    count: u64,
    /// How many of the jobs are tables'.
    tables: usize,
    /// Threads that have nothing to do.
    idle: usize,
    /// Threads that are about to have nothing to do: they give up an analysis for a table.
    yielding: usize,
    is_closed: bool,
}

/// When the turn of a search comes: tables before analyses, then by the time they count as come, then by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    is_analysis: bool,
    counts_from: Timestamp,
    number: u64,
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
    queue: Arc<Queue>,
    turn: Turn,
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
        let mut waiting = self.queue.lock();
        waiting.count += 1;
        let turn = Turn {
            is_analysis: job.search.urgency == Urgency::Analysis,
            counts_from: match job.search.urgency {
                Urgency::Watched | Urgency::Analysis => now,
                Urgency::Unwatched => now + UNWATCHED,
            },
            number: waiting.count,
        };
        waiting.put(turn, job);
        self.queue.told(&waiting);
        drop(waiting);
        self.queue.came.notify_one();
        Searching { queue: self.queue.clone(), turn, is_given_up, answer: wait }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut waiting = self.queue.lock();
        waiting.is_closed = true;
        let gone = std::mem::take(&mut waiting.jobs);
        drop(waiting);
        drop(gone);
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
        let mut waiting = self.queue.lock();
        let gone = waiting.take(self.turn);
        self.queue.told(&waiting);
        drop(waiting);
        drop(gone);
    }
}

impl Waiting {
    fn put(&mut self, turn: Turn, job: Job) {
        self.tables += usize::from(!turn.is_analysis);
        self.jobs.insert(turn, job);
    }

    fn take(&mut self, turn: Turn) -> Option<Job> {
        let job = self.jobs.remove(&turn)?;
        self.tables -= usize::from(!turn.is_analysis);
        Some(job)
    }

    fn take_first(&mut self) -> Option<(Turn, Job)> {
        let turn = *self.jobs.first_key_value()?.0;
        self.take(turn).map(|job| (turn, job))
    }

    /// For how many tables no thread is free, nor about to be.
    fn lacking(&self) -> usize {
        self.tables.saturating_sub(self.idle + self.yielding)
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What has changed is seen by those who look for moves.
    fn told(&self, waiting: &Waiting) {
        self.lacking.store(waiting.lacking(), Ordering::Relaxed);
    }

    /// Waits for the next search; `None` when there will be no more.
    fn next(&self) -> Option<(Turn, Job)> {
        let mut waiting = self.lock();
        waiting.idle += 1;
        loop {
            if waiting.is_closed {
                return None;
            }
            match waiting.take_first() {
                Some((_, job)) if job.is_given_up.load(Ordering::Relaxed) => {}
                Some(next) => {
                    waiting.idle -= 1;
                    self.told(&waiting);
                    return Some(next);
                }
                None => waiting = self.came.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Whether a thread that is at an analysis is to give it up for a table. If so, it is counted on.
    fn claims_thread(&self) -> bool {
        if self.lacking.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let mut waiting = self.lock();
        let is_lacking = waiting.lacking() > 0;
        waiting.yielding += usize::from(is_lacking);
        self.told(&waiting);
        is_lacking
    }

    /// Takes back an analysis whose thread was claimed.
    fn put_back(&self, turn: Turn, job: Job) {
        let mut waiting = self.lock();
        waiting.yielding -= 1;
        if !waiting.is_closed && !job.is_given_up.load(Ordering::Relaxed) {
            waiting.put(turn, job);
        }
    }
}

/// What a thread does.
fn work(queue: &Queue, clock: &Clock, table_mib: usize) {
    come_last();
    let mut engine = Engine::new(table_mib);
    while let Some((turn, job)) = queue.next() {
        let search = &job.search;
        let watch = Patience {
            clock,
            since: clock.now(),
            is_given_up: &job.is_given_up,
            queue: turn.is_analysis.then_some(queue),
            is_claimed: AtomicBool::new(false),
        };
        let task = Task {
            earlier: &search.earlier,
            level: search.level,
            lines: search.lines,
            seed: search.seed,
            ..Task::new(&search.position, search.limits)
        };
        engine.clear();
        let looked = catch_unwind(AssertUnwindSafe(|| {
            let mut found = engine.search(&task, &watch, &mut |_| ());
            engine.weigh(&search.position, &mut found.report.lines, &watch);
            found
        }));
        if watch.is_claimed.into_inner() {
            queue.put_back(turn, job);
            continue;
        }
        match looked {
            // Whoever asked may have given up by now.
            Ok(found) => drop(job.answer.send(found)),
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

/// How long a search has gone on, whether anybody still wants it, and whether its thread is wanted more elsewhere.
struct Patience<'a> {
    clock: &'a Clock,
    since: Timestamp,
    is_given_up: &'a AtomicBool,
    /// Where tables wait that come before it, if it is an analysis.
    queue: Option<&'a Queue>,
    is_claimed: AtomicBool,
}

impl Watch for Patience<'_> {
    fn elapsed(&self) -> Duration {
        self.clock.now().since(self.since)
    }

    fn is_stopped(&self) -> bool {
        if self.is_given_up.load(Ordering::Relaxed) || self.is_claimed.load(Ordering::Relaxed) {
            return true;
        }
        let is_claimed = self.queue.is_some_and(Queue::claims_thread);
        if is_claimed {
            self.is_claimed.store(true, Ordering::Relaxed);
        }
        is_claimed
    }
}

#[cfg(test)]
impl Pool {
    /// One without threads: what stands in its queue stays there.
    pub(super) fn idle(clock: &Clock) -> Self {
        Self { queue: Arc::default(), clock: clock.clone() }
    }
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{Setup, Variant};

    use super::*;
    use crate::bots::usual;

    fn search(urgency: Urgency, nodes: u64) -> Search {
        Search {
            position: AnyPosition::new(&Setup::start(Variant::Classic)).unwrap(),
            earlier: Vec::new(),
            level: Level::FULL,
            seed: 1,
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            lines: 1,
            urgency,
        }
    }

    fn endless(urgency: Urgency) -> Search {
        Search { limits: Limits::default(), ..search(urgency, 1) }
    }

    fn job(pool: &Pool, urgency: Urgency) -> Searching {
        pool.search(search(urgency, 1))
    }

    fn one_thread() -> Pool {
        Pool::start(&BotsConfig { threads: 1, table_mib: 1, ..usual() }, Clock::system())
    }

    fn order(pool: &Pool) -> Vec<Urgency> {
        pool.queue.lock().jobs.values().map(|job| job.search.urgency).collect()
    }

    /// Waits until the pool is as it should be.
    async fn until(pool: &Pool, what: &str, is_so: impl Fn(&Waiting) -> bool) {
        let waits = async {
            while !is_so(&pool.queue.lock()) {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), waits)
            .await
            .unwrap_or_else(|_| panic!("never: {what}"));
    }

    #[test]
    fn who_is_waited_for_comes_first_but_not_for_ever_and_analyses_come_last() {
        use Urgency::{Analysis, Unwatched, Watched};
        let clock = Clock::manual(Timestamp::from_millis(1_000));
        let pool = Pool::idle(&clock);
        let _analysis = job(&pool, Analysis);
        let _unwatched = job(&pool, Unwatched);
        let _watched = job(&pool, Watched);
        assert_eq!(order(&pool), [Watched, Unwatched, Analysis]);
        clock.advance(UNWATCHED + Duration::from_millis(1));
        let _later = job(&pool, Watched);
        assert_eq!(order(&pool), [Watched, Unwatched, Watched, Analysis]);
    }

    #[test]
    fn what_was_given_up_leaves_the_queue_at_once() {
        let pool = Pool::idle(&Clock::manual(Timestamp::from_millis(1_000)));
        drop(job(&pool, Urgency::Watched));
        drop(job(&pool, Urgency::Analysis));
        let _wanted = job(&pool, Urgency::Unwatched);
        assert_eq!(order(&pool), [Urgency::Unwatched]);
        assert_eq!(pool.queue.lock().tables, 1);
    }

    #[tokio::test]
    async fn a_search_is_answered_and_a_pool_without_threads_says_so() {
        let found = one_thread().search(search(Urgency::Watched, 2_000)).found().await.unwrap();
        assert!(search(Urgency::Watched, 1).position.is_legal(found.best.unwrap()));
        let idle = Pool::idle(&Clock::system());
        let searching = idle.search(search(Urgency::Watched, 1));
        drop(idle);
        assert_eq!(searching.found().await, None);
    }

    /// A search without any limit ends soon after nobody wants it any more, so that the next one is answered.
    #[tokio::test]
    async fn a_search_that_was_given_up_leaves_its_thread() {
        let pool = one_thread();
        drop(pool.search(endless(Urgency::Watched)));
        assert!(pool.search(search(Urgency::Watched, 100)).found().await.is_some());
    }

    /// The only thread leaves an analysis that would never end for a table, and goes back to it.
    #[tokio::test]
    async fn an_analysis_gives_its_thread_to_a_table_and_gets_it_back() {
        let pool = one_thread();
        let analysis = pool.search(endless(Urgency::Analysis));
        until(&pool, "the analysis is under way", |waiting| waiting.jobs.is_empty() && waiting.idle == 0)
            .await;
        assert!(pool.search(search(Urgency::Unwatched, 100)).found().await.is_some());
        until(&pool, "it is under way again", |waiting| waiting.jobs.is_empty() && waiting.idle == 0).await;
        drop(analysis);
        until(&pool, "nobody has anything to do", |waiting| waiting.idle == 1 && waiting.yielding == 0).await;
    }

    #[test]
    fn no_more_analyses_give_up_their_threads_than_tables_lack_one() {
        let pool = Pool::idle(&Clock::manual(Timestamp::from_millis(1_000)));
        let claims = || (0..5).filter(|_| pool.queue.claims_thread()).count();
        pool.queue.lock().idle = 1;
        let _served = job(&pool, Urgency::Watched);
        assert_eq!(claims(), 0, "a thread is free");
        let _waits = [job(&pool, Urgency::Watched), job(&pool, Urgency::Unwatched)];
        let _curious = job(&pool, Urgency::Analysis);
        assert_eq!(claims(), 2);
        assert_eq!(claims(), 0, "two are on their way");
    }
}
