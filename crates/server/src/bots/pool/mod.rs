//! The threads that search for bots' moves: few, of the lowest priority, with a queue for each
//! [`Urgency`].
//!
//! Tables with players are served first. Tables with spectators only, and tables without anybody,
//! use the threads that are left over: such a search yields its thread to a player's table, and
//! starts again later. So that they make progress nevertheless, one search in [`SHARE`] is theirs
//! when players leave no thread over; that one does not yield.
//!
//! Within a queue users take turns: each search of the same user comes one round later than the one
//! before (Demers, Keshav and Shenker, "Analysis and simulation of a fair queueing algorithm",
//! 1989, with searches of equal cost). A user with fifty tables waits for those, and nobody else
//! does.
//!
//! Analyses come after all tables and always yield their thread to one.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_engine::{Engine, Level, Limits, SearchControl, SearchRequest, SearchResult};
use quadrex_protocol::UserId;
use quadrex_rules::{AnyPosition, Timestamp};
use tokio::sync::oneshot;

use crate::config::BotsConfig;

/// One search in so many is for a table without players when both kinds wait.
const SHARE: u32 = 8;

/// The nice value of the threads: the lowest priority (setpriority(2)).
pub(super) const NICE: i32 = 19;

/// A search to make.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) position: AnyPosition,
    /// Keys of the positions that occurred before ([`SearchRequest::earlier`]).
    pub(super) earlier: Vec<u64>,
    pub(super) level: Level,
    pub(super) seed: u64,
    pub(super) limits: Limits,
    /// The number of best moves ([`SearchRequest::lines`]).
    pub(super) lines: usize,
    pub(super) urgency: Urgency,
    /// The user to whom it is charged: the host of the table, or the user who analyses.
    pub(super) account: UserId,
}

/// The urgency of a search, most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Urgency {
    /// A table with a player present.
    Player,
    /// A table with bots only, and spectators.
    Spectators,
    /// A table without anybody.
    Unattended,
    /// An analysis.
    Analysis,
}

impl Urgency {
    /// Returns whether a search yields its thread to a table of that urgency that lacks one.
    fn yields_to(self, other: Self) -> bool {
        match other {
            Self::Player => self != Self::Player,
            Self::Spectators | Self::Unattended => self == Self::Analysis,
            Self::Analysis => false,
        }
    }
}

/// The threads. They end when this is dropped.
#[derive(Debug)]
pub(super) struct Pool {
    queue: Arc<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    added: Condvar,
    /// The number of tables that lack a thread: [`Waiting::lacking`] at its last change.
    lacking_for_players: AtomicUsize,
    lacking_for_tables: AtomicUsize,
}

#[derive(Debug, Default)]
struct Waiting {
    jobs: BTreeMap<Turn, Job>,
    count: u64,
    /// The current round, by urgency.
    round: BTreeMap<Urgency, u64>,
    /// The round of the last search of each user with searches in the queue, by urgency.
    last_round: HashMap<(Urgency, UserId), u64>,
    /// The jobs by urgency.
    counts: BTreeMap<Urgency, usize>,
    /// The number of searches for players since the last one for another table.
    since_share: u32,
    /// The number of idle threads.
    idle: usize,
    /// The number of threads that are about to be idle: they yield their search for a table.
    yielding: usize,
    is_closed: bool,
}

/// The position of a search in the queue: by urgency, then by its user's round, then by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    urgency: Urgency,
    round: u64,
    number: u64,
}

#[derive(Debug)]
struct Job {
    search: Search,
    is_cancelled: Arc<AtomicBool>,
    answer: oneshot::Sender<SearchResult>,
}

/// A search under way or waiting; dropping it cancels it.
#[derive(Debug)]
pub(super) struct Searching {
    queue: Arc<Queue>,
    turn: Turn,
    is_cancelled: Arc<AtomicBool>,
    answer: oneshot::Receiver<SearchResult>,
}

impl Pool {
    pub(super) fn start(config: &BotsConfig, clock: &Clock) -> Self {
        let queue = Arc::<Queue>::default();
        for number in 1..=config.threads() {
            let (queue, clock, table_mib) = (queue.clone(), clock.clone(), config.table_mib);
            let run = move || run_thread(&queue, &clock, table_mib);
            if let Err(error) = std::thread::Builder::new().name(format!("bots-{number}")).spawn(run) {
                tracing::error!("a thread for bots cannot be started: {error}");
            }
        }
        Self { queue }
    }

    /// Queues a search.
    pub(super) fn search(&self, search: Search) -> Searching {
        let (answer, wait) = oneshot::channel();
        let is_cancelled = Arc::<AtomicBool>::default();
        let job = Job { is_cancelled: is_cancelled.clone(), answer, search };
        let mut waiting = self.queue.lock();
        let turn = waiting.turn(job.search.urgency, job.search.account);
        waiting.put(turn, job);
        self.queue.publish(&waiting);
        drop(waiting);
        self.queue.added.notify_one();
        Searching { queue: self.queue.clone(), turn, is_cancelled, answer: wait }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut waiting = self.queue.lock();
        waiting.is_closed = true;
        let gone = std::mem::take(&mut waiting.jobs);
        drop(waiting);
        drop(gone);
        self.queue.added.notify_all();
    }
}

impl Searching {
    /// Returns the result; `None` if no thread could search.
    pub(super) async fn found(mut self) -> Option<SearchResult> {
        (&mut self.answer).await.ok()
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        let mut waiting = self.queue.lock();
        let gone = waiting.take(self.turn);
        self.queue.publish(&waiting);
        drop(waiting);
        drop(gone);
    }
}

impl Waiting {
    /// Returns the turn of a new search.
    fn turn(&mut self, urgency: Urgency, account: UserId) -> Turn {
        self.count += 1;
        let served = self.round.get(&urgency).copied().unwrap_or_default();
        let round = self.last_round.get(&(urgency, account)).map_or(served, |last| served.max(last + 1));
        self.last_round.insert((urgency, account), round);
        Turn { urgency, round, number: self.count }
    }

    fn put(&mut self, turn: Turn, job: Job) {
        *self.counts.entry(turn.urgency).or_default() += 1;
        self.jobs.insert(turn, job);
    }

    fn take(&mut self, turn: Turn) -> Option<Job> {
        let job = self.jobs.remove(&turn)?;
        let left = self.counts.entry(turn.urgency).or_default();
        *left -= 1;
        if *left == 0 {
            // The queue is empty: the next searches start equal.
            self.round.remove(&turn.urgency);
            self.last_round.retain(|(urgency, _), _| *urgency != turn.urgency);
        }
        Some(job)
    }

    fn count_of(&self, urgency: Urgency) -> usize {
        self.counts.get(&urgency).copied().unwrap_or_default()
    }

    /// Returns the first search in the queue, or the share of those that are not for players.
    fn next_turn(&self) -> Option<Turn> {
        let first = *self.jobs.first_key_value()?.0;
        if self.since_share + 1 < SHARE || first.urgency != Urgency::Player {
            return Some(first);
        }
        let others = Turn { urgency: Urgency::Spectators, round: 0, number: 0 };
        let other = self.jobs.range(others..).next().map(|(turn, _)| *turn);
        Some(other.filter(|turn| turn.urgency != Urgency::Analysis).unwrap_or(first))
    }

    /// Takes the next search, and whether it keeps its thread or yields.
    fn take_next(&mut self) -> Option<(Turn, Job, Tenure)> {
        let turn = self.next_turn()?;
        let players_wait = self.count_of(Urgency::Player) > 0;
        let job = self.take(turn)?;
        self.round.insert(turn.urgency, turn.round);
        let tenure = match turn.urgency {
            Urgency::Player => {
                self.since_share += 1;
                Tenure::Kept
            }
            Urgency::Spectators | Urgency::Unattended if players_wait => {
                self.since_share = 0;
                Tenure::Kept
            }
            Urgency::Spectators | Urgency::Unattended | Urgency::Analysis => Tenure::Yields,
        };
        Some((turn, job, tenure))
    }

    /// Returns the number of waiting tables that a search of this urgency yields to, less the
    /// threads that are free or about to be.
    fn lacking(&self, urgency: Urgency) -> usize {
        let waiting = self.counts.iter().filter(|(other, _)| urgency.yields_to(**other));
        let waiting: usize = waiting.map(|(_, count)| count).sum();
        waiting.saturating_sub(self.idle + self.yielding)
    }
}

/// The right of a search to its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tenure {
    Kept,
    Yields,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes the changes to searches under way.
    fn publish(&self, waiting: &Waiting) {
        self.lacking_for_players.store(waiting.lacking(Urgency::Unattended), Ordering::Relaxed);
        self.lacking_for_tables.store(waiting.lacking(Urgency::Analysis), Ordering::Relaxed);
    }

    /// Waits for the next search; `None` when the pool is closed.
    fn next(&self) -> Option<(Turn, Job, Tenure)> {
        let mut waiting = self.lock();
        waiting.idle += 1;
        loop {
            if waiting.is_closed {
                return None;
            }
            match waiting.take_next() {
                Some((_, job, _)) if job.is_cancelled.load(Ordering::Relaxed) => {}
                Some(next) => {
                    waiting.idle -= 1;
                    self.publish(&waiting);
                    return Some(next);
                }
                None => waiting = self.added.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Returns whether a search of this urgency must yield its thread to a table. If so, the thread
    /// is counted as yielding.
    fn claims_thread(&self, from: Urgency) -> bool {
        let lacking = match from {
            Urgency::Player => return false,
            Urgency::Spectators | Urgency::Unattended => &self.lacking_for_players,
            Urgency::Analysis => &self.lacking_for_tables,
        };
        if lacking.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let mut waiting = self.lock();
        let is_lacking = waiting.lacking(from) > 0;
        waiting.yielding += usize::from(is_lacking);
        self.publish(&waiting);
        is_lacking
    }

    /// Counts a finished search: other tables that make progress by themselves need no share.
    fn finished(&self, turn: Turn) {
        if matches!(turn.urgency, Urgency::Spectators | Urgency::Unattended) {
            self.lock().since_share = 0;
        }
    }

    /// Puts back a search whose thread was claimed: it keeps its turn.
    fn put_back(&self, turn: Turn, job: Job) {
        let mut waiting = self.lock();
        waiting.yielding -= 1;
        if !waiting.is_closed && !job.is_cancelled.load(Ordering::Relaxed) {
            waiting.put(turn, job);
        }
    }
}

/// The loop of a thread.
fn run_thread(queue: &Queue, clock: &Clock, table_mib: usize) {
    lower_priority();
    let mut engine = Engine::new(table_mib);
    while let Some((turn, job, tenure)) = queue.next() {
        let search = &job.search;
        let control = PoolSearchControl {
            clock,
            since: clock.now(),
            is_cancelled: &job.is_cancelled,
            queue: (tenure == Tenure::Yields).then_some((queue, turn.urgency)),
            is_claimed: AtomicBool::new(false),
        };
        let request = SearchRequest {
            earlier: &search.earlier,
            level: search.level,
            lines: search.lines,
            seed: search.seed,
            ..SearchRequest::new(&search.position, search.limits)
        };
        engine.clear();
        let result = catch_unwind(AssertUnwindSafe(|| {
            let mut found = engine.search(&request, &control, &mut |_| ());
            engine.score_lines_max_n(&search.position, &mut found.report.lines, &control);
            found
        }));
        if control.is_claimed.into_inner() {
            queue.put_back(turn, job);
            continue;
        }
        queue.finished(turn);
        match result {
            // The caller may have cancelled by now.
            Ok(found) => drop(job.answer.send(found)),
            Err(_) => {
                tracing::error!(position = %search.position.setup(), "the engine panicked on a position");
                engine = Engine::new(table_mib);
            }
        }
    }
}

/// Lowers the priority of this thread below everything else on the machine.
fn lower_priority() {
    // Elsewhere than on Linux the priority would be that of the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::warn!("the bots' threads keep their normal priority: {error}");
    }
}

/// The control of a search: its time, its cancellation, and the claim of its thread by others.
struct PoolSearchControl<'a> {
    clock: &'a Clock,
    since: Timestamp,
    is_cancelled: &'a AtomicBool,
    /// The queue of the tables that it yields to, with its own urgency; `None` if it keeps its
    /// thread.
    queue: Option<(&'a Queue, Urgency)>,
    is_claimed: AtomicBool,
}

impl SearchControl for PoolSearchControl<'_> {
    fn elapsed(&self) -> Duration {
        self.clock.now().since(self.since)
    }

    fn is_stopped(&self) -> bool {
        if self.is_cancelled.load(Ordering::Relaxed) || self.is_claimed.load(Ordering::Relaxed) {
            return true;
        }
        let is_claimed = self.queue.is_some_and(|(queue, urgency)| queue.claims_thread(urgency));
        if is_claimed {
            self.is_claimed.store(true, Ordering::Relaxed);
        }
        is_claimed
    }
}

#[cfg(test)]
impl Pool {
    /// Returns a pool without threads: its queue stays as it is.
    pub(super) fn idle() -> Self {
        Self { queue: Arc::default() }
    }
}

#[cfg(test)]
mod tests;
