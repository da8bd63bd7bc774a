//! The pool of threads that search for bots. There are few threads, and they have the lowest
//! priority. Searches wait in a queue, ordered by [`Urgency`].
//!
//! Tables with players come first. Tables with spectators only, and tables at which nobody is
//! present, use the threads that tables with players do not need. A search for such a table yields
//! its thread to a table with players and starts again later. If tables with players need all
//! threads, one of [`SHARE_INTERVAL`] searches is still for another table, and this search does not
//! yield. Otherwise the other tables would never make progress.
//!
//! Searches of the same urgency are made in rounds, and each user has one search in a round
//! (Demers, Keshav and Shenker, "Analysis and simulation of a fair queueing algorithm", 1989, with
//! searches of equal cost). A user with fifty tables therefore waits longer, but does not delay
//! other users.
//!
//! Analyses come after all tables, and always yield their thread to a table. Reviews of past
//! matches come after analyses, and yield their thread to analyses and tables.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_engine::{Engine, Level, Limits, SearchControl, SearchRequest, SearchResult};
use quadrex_protocol::UserId;
use quadrex_rules::{AnyPosition, Move, Timestamp};
use tokio::sync::oneshot;

use crate::config::BotsConfig;

/// The number of searches of which one is for a table without players, if searches for tables with
/// players and for other tables wait.
const SHARE_INTERVAL: u32 = 8;

/// The nice value of the threads. It gives the lowest priority (setpriority(2)).
pub(super) const NICE: i32 = 19;

/// A request for a search.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) position: AnyPosition,
    /// The hash keys of the earlier positions of the game ([`SearchRequest::earlier`]).
    pub(super) earlier: Vec<u64>,
    /// The moves to choose from ([`SearchRequest::root_moves`]).
    pub(super) root_moves: Vec<Move>,
    pub(super) level: Level,
    pub(super) seed: u64,
    pub(super) limits: Limits,
    /// The number of best moves to find ([`SearchRequest::lines`]).
    pub(super) lines: usize,
    pub(super) urgency: Urgency,
    /// The user to whose share of the rounds the search belongs. It is the host of the table, or
    /// the user who requested the analysis.
    pub(super) requester: UserId,
}

/// The urgency of a search, most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Urgency {
    /// A search for a table at which a person plays and somebody is present.
    Player,
    /// A search for a table at which only bots play and somebody watches.
    Spectators,
    /// A search for a table at which nobody is present.
    Unattended,
    /// An analysis.
    Analysis,
    /// A review of a past match.
    Review,
}

impl Urgency {
    /// Returns whether a search of this urgency yields its thread to a waiting search of the
    /// urgency `other`.
    fn yields_to(self, other: Self) -> bool {
        match other {
            Self::Player => self != Self::Player,
            Self::Spectators | Self::Unattended => self >= Self::Analysis,
            Self::Analysis => self == Self::Review,
            Self::Review => false,
        }
    }

    /// Returns whether a search of this urgency is for a move at a table.
    fn is_table(self) -> bool {
        self < Self::Analysis
    }
}

/// A handle to the pool. The threads end when it is dropped.
#[derive(Debug)]
pub(super) struct Pool {
    queue: Arc<Queue>,
}

/// The queue that the threads and the requesters share.
#[derive(Debug, Default)]
struct Queue {
    state: Mutex<QueueState>,
    /// Notified when a search is added.
    added: Condvar,
    /// The number of threads that waiting searches for tables with players lack. It is a copy of
    /// [`QueueState::lacking`] that a running search can read without the lock.
    lacking_for_players: AtomicUsize,
    /// The number of threads that waiting searches for all tables lack, copied in the same way.
    lacking_for_tables: AtomicUsize,
    /// The number of threads that waiting searches for tables and analyses lack, copied in the same
    /// way.
    lacking_for_analyses: AtomicUsize,
}

/// The waiting searches, and the numbers by which the next search is chosen.
#[derive(Debug, Default)]
struct QueueState {
    jobs: BTreeMap<Turn, Job>,
    /// The number of all searches that have been added to the queue.
    added_count: u64,
    /// The current round of each urgency.
    round: BTreeMap<Urgency, u64>,
    /// The round of each user's last search, by urgency.
    last_round: HashMap<(Urgency, UserId), u64>,
    /// The number of waiting searches of each urgency.
    counts: BTreeMap<Urgency, usize>,
    /// The number of searches for tables with players since the last search for another table.
    since_share: u32,
    /// The number of idle threads.
    idle: usize,
    /// The number of threads whose search is being stopped to yield the thread.
    yielding: usize,
    is_closed: bool,
}

/// The position of a search in the queue. Searches are ordered by urgency, then by round, then by
/// number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    urgency: Urgency,
    round: u64,
    number: u64,
}

/// A search in the queue or on a thread.
#[derive(Debug)]
struct Job {
    search: Search,
    is_cancelled: Arc<AtomicBool>,
    answer: oneshot::Sender<SearchResult>,
}

/// A handle to a search that waits or runs. Dropping it cancels the search.
#[derive(Debug)]
pub(super) struct PendingSearch {
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

    /// Adds a search to the queue.
    pub(super) fn search(&self, search: Search) -> PendingSearch {
        let (sender, answer) = oneshot::channel();
        let is_cancelled = Arc::<AtomicBool>::default();
        let job = Job { is_cancelled: is_cancelled.clone(), answer: sender, search };
        let mut state = self.queue.lock();
        let turn = state.new_turn(job.search.urgency, job.search.requester);
        state.add(turn, job);
        self.queue.copy_lacking(&state);
        drop(state);
        self.queue.added.notify_one();
        PendingSearch { queue: self.queue.clone(), turn, is_cancelled, answer }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.is_closed = true;
        let dropped_jobs = std::mem::take(&mut state.jobs);
        // Dropping a job wakes its requester, so the queue is unlocked first.
        drop(state);
        drop(dropped_jobs);
        self.queue.added.notify_all();
    }
}

impl PendingSearch {
    /// Waits for the result. Returns `None` if no thread could make the search.
    pub(super) async fn result(mut self) -> Option<SearchResult> {
        (&mut self.answer).await.ok()
    }
}

impl Drop for PendingSearch {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        let mut state = self.queue.lock();
        let dropped_job = state.take(self.turn);
        self.queue.copy_lacking(&state);
        drop(state);
        drop(dropped_job);
    }
}

impl QueueState {
    /// Returns the position of a new search in the queue.
    fn new_turn(&mut self, urgency: Urgency, requester: UserId) -> Turn {
        self.added_count += 1;
        let current = self.round.get(&urgency).copied().unwrap_or_default();
        let round = self.last_round.get(&(urgency, requester)).map_or(current, |last| current.max(last + 1));
        self.last_round.insert((urgency, requester), round);
        Turn { urgency, round, number: self.added_count }
    }

    fn add(&mut self, turn: Turn, job: Job) {
        *self.counts.entry(turn.urgency).or_default() += 1;
        self.jobs.insert(turn, job);
    }

    fn take(&mut self, turn: Turn) -> Option<Job> {
        let job = self.jobs.remove(&turn)?;
        let left = self.counts.entry(turn.urgency).or_default();
        *left -= 1;
        if *left == 0 {
            // No search of this urgency waits any more, so the rounds start again for all users.
            self.round.remove(&turn.urgency);
            self.last_round.retain(|(urgency, _), _| *urgency != turn.urgency);
        }
        Some(job)
    }

    fn waiting_count(&self, urgency: Urgency) -> usize {
        self.counts.get(&urgency).copied().unwrap_or_default()
    }

    /// Returns the position of the next search. This is the first search in the queue, unless a
    /// table without players is due for its share.
    fn next_turn(&self) -> Option<Turn> {
        let first = *self.jobs.first_key_value()?.0;
        if self.since_share + 1 < SHARE_INTERVAL || first.urgency != Urgency::Player {
            return Some(first);
        }
        let after_players = Turn { urgency: Urgency::Spectators, round: 0, number: 0 };
        let other = self.jobs.range(after_players..).next().map(|(turn, _)| *turn);
        Some(other.filter(|turn| turn.urgency.is_table()).unwrap_or(first))
    }

    /// Removes the next search from the queue. Returns it with the rule by which it yields its
    /// thread.
    fn take_next(&mut self) -> Option<(Turn, Job, Yielding)> {
        let turn = self.next_turn()?;
        let players_wait = self.waiting_count(Urgency::Player) > 0;
        let job = self.take(turn)?;
        self.round.insert(turn.urgency, turn.round);
        let yielding = match turn.urgency {
            Urgency::Player => {
                self.since_share += 1;
                Yielding::Never
            }
            Urgency::Spectators | Urgency::Unattended if players_wait => {
                self.since_share = 0;
                Yielding::Never
            }
            Urgency::Spectators | Urgency::Unattended | Urgency::Analysis | Urgency::Review => {
                Yielding::ToMoreUrgent
            }
        };
        Some((turn, job, yielding))
    }

    /// Returns the number of threads that more urgent searches lack. This is the number of waiting
    /// searches to which a search of this urgency yields, less the number of threads that are idle
    /// or are about to be idle.
    fn lacking(&self, urgency: Urgency) -> usize {
        let waiting = self.counts.iter().filter(|(other, _)| urgency.yields_to(**other));
        let waiting: usize = waiting.map(|(_, count)| count).sum();
        waiting.saturating_sub(self.idle + self.yielding)
    }
}

/// The rule by which a search yields its thread before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Yielding {
    /// The search keeps its thread until it is done.
    Never,
    /// The search yields its thread when a more urgent search lacks a thread.
    ToMoreUrgent,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies the numbers that running searches read without the lock.
    fn copy_lacking(&self, state: &QueueState) {
        self.lacking_for_players.store(state.lacking(Urgency::Unattended), Ordering::Relaxed);
        self.lacking_for_tables.store(state.lacking(Urgency::Analysis), Ordering::Relaxed);
        self.lacking_for_analyses.store(state.lacking(Urgency::Review), Ordering::Relaxed);
    }

    /// Waits for the next search and removes it from the queue. Returns `None` when the pool is
    /// closed.
    fn next(&self) -> Option<(Turn, Job, Yielding)> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if state.is_closed {
                return None;
            }
            match state.take_next() {
                Some((_, job, _)) if job.is_cancelled.load(Ordering::Relaxed) => {}
                Some(next) => {
                    state.idle -= 1;
                    self.copy_lacking(&state);
                    return Some(next);
                }
                None => state = self.added.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Returns whether a search of this urgency must yield its thread. If so, counts the thread as
    /// yielding.
    fn must_yield(&self, urgency: Urgency) -> bool {
        let lacking = match urgency {
            Urgency::Player => return false,
            Urgency::Spectators | Urgency::Unattended => &self.lacking_for_players,
            Urgency::Analysis => &self.lacking_for_tables,
            Urgency::Review => &self.lacking_for_analyses,
        };
        if lacking.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let mut state = self.lock();
        let is_lacking = state.lacking(urgency) > 0;
        state.yielding += usize::from(is_lacking);
        self.copy_lacking(&state);
        is_lacking
    }

    /// Records that a search is done. If it was for a table without players, such tables have just
    /// made progress, and the interval until their next share starts again.
    fn record_finished(&self, turn: Turn) {
        if matches!(turn.urgency, Urgency::Spectators | Urgency::Unattended) {
            self.lock().since_share = 0;
        }
    }

    /// Adds a search to the queue again after it has yielded its thread. The search keeps its
    /// position.
    fn requeue(&self, turn: Turn, job: Job) {
        let mut state = self.lock();
        state.yielding -= 1;
        if !state.is_closed && !job.is_cancelled.load(Ordering::Relaxed) {
            state.add(turn, job);
        }
    }
}

/// Runs a thread of the pool. It makes one search after the other until the pool is closed.
fn run_thread(queue: &Queue, clock: &Clock, table_mib: usize) {
    lower_priority();
    let mut engine = Engine::new(table_mib);
    while let Some((turn, job, yielding)) = queue.next() {
        let search = &job.search;
        let control = PoolSearchControl {
            clock,
            started: clock.now(),
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
        engine.clear();
        let result = catch_unwind(AssertUnwindSafe(|| {
            let mut found = engine.search(&request, &control, &mut |_| ());
            engine.score_lines_max_n(&search.position, &mut found.report.lines, &control);
            found
        }));
        if control.has_yielded.into_inner() {
            queue.requeue(turn, job);
            continue;
        }
        queue.record_finished(turn);
        match result {
            // If the search was cancelled, nobody receives the result.
            Ok(found) => drop(job.answer.send(found)),
            Err(_) => {
                tracing::error!(position = %search.position.setup(), "the engine panicked on a position");
                engine = Engine::new(table_mib);
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
    started: Timestamp,
    is_cancelled: &'a AtomicBool,
    /// The queue to whose more urgent searches this search yields its thread, and the urgency of
    /// this search. `None` if the search keeps its thread.
    yields_to: Option<(&'a Queue, Urgency)>,
    /// True if the search has been stopped to yield its thread.
    has_yielded: AtomicBool,
}

impl SearchControl for PoolSearchControl<'_> {
    fn elapsed(&self) -> Duration {
        self.clock.now().since(self.started)
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

#[cfg(test)]
impl Pool {
    /// Returns a pool without threads; searches stay in its queue.
    pub(super) fn idle() -> Self {
        Self { queue: Arc::default() }
    }
}

#[cfg(test)]
mod tests;
