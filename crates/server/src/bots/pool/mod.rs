//! The threads that search for bots' moves: few, of the lowest priority, with a queue for each [`Urgency`] before them.
//!
//! Tables where somebody plays are served first. Tables that are only watched, and tables where nobody is, run on the
//! threads that are left over: such a search gives up its thread to a person's table, and is begun again later. So that
//! they get on all the same, one search in [`SHARE`] is theirs when people leave no thread over; that one is not given up.
//!
//! Within a queue users take turns: each search of the same user comes one round later than the one before
//! (Demers, Keshav and Shenker, "Analysis and simulation of a fair queueing algorithm", 1989, with searches of equal
//! cost). A user with fifty tables waits for those, and nobody else does.
//!
//! Analyses come after all tables and always give up their thread to one.

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

/// One search in so many is not for a person's table when both kinds wait.
const SHARE: u32 = 8;

/// The nice value of the threads: the lowest priority there is (setpriority(2)).
pub(super) const NICE: i32 = 19;

/// What is to be looked for.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) position: AnyPosition,
    /// Keys of the positions that occurred before ([`SearchRequest::earlier`]).
    pub(super) earlier: Vec<u64>,
    pub(super) level: Level,
    pub(super) seed: u64,
    pub(super) limits: Limits,
    /// How many of the best moves are wanted ([`SearchRequest::lines`]).
    pub(super) lines: usize,
    pub(super) urgency: Urgency,
    /// The user on whose account it is: the table's host, or whoever analyses.
    pub(super) account: UserId,
}

/// The person or table a search is for, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Urgency {
    /// A table where a person plays and somebody is.
    Player,
    /// A table where only bots are left, with spectators.
    Spectators,
    /// A table where nobody is.
    Unattended,
    /// Somebody who analyses.
    Analysis,
}

impl Urgency {
    /// Whether a search gives up its thread for a table of that urgency that lacks one.
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
    came: Condvar,
    /// The tables that lack a thread: [`Waiting::lacking`] as it was when it changed last.
    lacking_for_players: AtomicUsize,
    lacking_for_tables: AtomicUsize,
}

#[derive(Debug, Default)]
struct Waiting {
    jobs: BTreeMap<Turn, Job>,
    count: u64,
    /// The round that is being served, by urgency.
    round: BTreeMap<Urgency, u64>,
    /// The round of the last search of each user who has any in the queue, by urgency.
    last_round: HashMap<(Urgency, UserId), u64>,
    /// The jobs by urgency.
    counts: BTreeMap<Urgency, usize>,
    /// Searches for players since the last of another table.
    since_share: u32,
    /// Threads that have nothing to do.
    idle: usize,
    /// Threads that are about to have nothing to do: they give up their search for a table.
    yielding: usize,
    is_closed: bool,
}

/// When the turn of a search comes: by its urgency, then by its user's round, then by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    urgency: Urgency,
    round: u64,
    number: u64,
}

#[derive(Debug)]
struct Job {
    search: Search,
    is_given_up: Arc<AtomicBool>,
    answer: oneshot::Sender<SearchResult>,
}

/// A search under way, or waiting; dropped, it is given up.
#[derive(Debug)]
pub(super) struct Searching {
    queue: Arc<Queue>,
    turn: Turn,
    is_given_up: Arc<AtomicBool>,
    answer: oneshot::Receiver<SearchResult>,
}

impl Pool {
    pub(super) fn start(config: &BotsConfig, clock: &Clock) -> Self {
        let queue = Arc::<Queue>::default();
        for number in 1..=config.threads() {
            let (queue, clock, table_mib) = (queue.clone(), clock.clone(), config.table_mib);
            let run = move || work(&queue, &clock, table_mib);
            if let Err(error) = std::thread::Builder::new().name(format!("bots-{number}")).spawn(run) {
                tracing::error!("a thread for bots cannot be started: {error}");
            }
        }
        Self { queue }
    }

    /// Has it looked for when its turn comes.
    pub(super) fn search(&self, search: Search) -> Searching {
        let (answer, wait) = oneshot::channel();
        let is_given_up = Arc::<AtomicBool>::default();
        let job = Job { is_given_up: is_given_up.clone(), answer, search };
        let mut waiting = self.queue.lock();
        let turn = waiting.turn(job.search.urgency, job.search.account);
        waiting.put(turn, job);
        self.queue.publish(&waiting);
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
    pub(super) async fn found(mut self) -> Option<SearchResult> {
        (&mut self.answer).await.ok()
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        self.is_given_up.store(true, Ordering::Relaxed);
        let mut waiting = self.queue.lock();
        let gone = waiting.take(self.turn);
        self.queue.publish(&waiting);
        drop(waiting);
        drop(gone);
    }
}

impl Waiting {
    /// The turn of a search that comes now.
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
            // Nobody waits: the next who come start alike.
            self.round.remove(&turn.urgency);
            self.last_round.retain(|(urgency, _), _| *urgency != turn.urgency);
        }
        Some(job)
    }

    fn count_of(&self, urgency: Urgency) -> usize {
        self.counts.get(&urgency).copied().unwrap_or_default()
    }

    /// The first search in the queue, or the share of those that are not for players.
    fn next_turn(&self) -> Option<Turn> {
        let first = *self.jobs.first_key_value()?.0;
        if self.since_share + 1 < SHARE || first.urgency != Urgency::Player {
            return Some(first);
        }
        let others = Turn { urgency: Urgency::Spectators, round: 0, number: 0 };
        let other = self.jobs.range(others..).next().map(|(turn, _)| *turn);
        Some(other.filter(|turn| turn.urgency != Urgency::Analysis).unwrap_or(first))
    }

    /// Takes the next search; with it, whether it may keep its thread whoever comes.
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

    /// The waiting tables that a search of this urgency yields to, less the threads that are free or about to be.
    fn lacking(&self, urgency: Urgency) -> usize {
        let waiting = self.counts.iter().filter(|(other, _)| urgency.yields_to(**other));
        let waiting: usize = waiting.map(|(_, count)| count).sum();
        waiting.saturating_sub(self.idle + self.yielding)
    }
}

/// Whether a search keeps its thread to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tenure {
    Kept,
    Yields,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets searches under way see what has changed.
    fn publish(&self, waiting: &Waiting) {
        self.lacking_for_players.store(waiting.lacking(Urgency::Unattended), Ordering::Relaxed);
        self.lacking_for_tables.store(waiting.lacking(Urgency::Analysis), Ordering::Relaxed);
    }

    /// Waits for the next search; `None` when there will be no more.
    fn next(&self) -> Option<(Turn, Job, Tenure)> {
        let mut waiting = self.lock();
        waiting.idle += 1;
        loop {
            if waiting.is_closed {
                return None;
            }
            match waiting.take_next() {
                Some((_, job, _)) if job.is_given_up.load(Ordering::Relaxed) => {}
                Some(next) => {
                    waiting.idle -= 1;
                    self.publish(&waiting);
                    return Some(next);
                }
                None => waiting = self.came.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Whether a search of this urgency is to give up its thread for a table. If so, the thread is counted on.
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

    /// Counts a search that came to its end: other tables that get on by themselves need no share.
    fn finished(&self, turn: Turn) {
        if matches!(turn.urgency, Urgency::Spectators | Urgency::Unattended) {
            self.lock().since_share = 0;
        }
    }

    /// Takes back a search whose thread was claimed: it keeps its turn.
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
    while let Some((turn, job, tenure)) = queue.next() {
        let search = &job.search;
        let watch = Patience {
            clock,
            since: clock.now(),
            is_given_up: &job.is_given_up,
            queue: (tenure == Tenure::Yields).then_some((queue, turn.urgency)),
            is_claimed: AtomicBool::new(false),
        };
        let task = SearchRequest {
            earlier: &search.earlier,
            level: search.level,
            lines: search.lines,
            seed: search.seed,
            ..SearchRequest::new(&search.position, search.limits)
        };
        engine.clear();
        let looked = catch_unwind(AssertUnwindSafe(|| {
            let mut found = engine.search(&task, &watch, &mut |_| ());
            engine.score_lines_max_n(&search.position, &mut found.report.lines, &watch);
            found
        }));
        if watch.is_claimed.into_inner() {
            queue.put_back(turn, job);
            continue;
        }
        queue.finished(turn);
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
    /// Where tables wait that it gives up its thread for, and its own urgency; none if it keeps its thread.
    queue: Option<(&'a Queue, Urgency)>,
    is_claimed: AtomicBool,
}

impl SearchControl for Patience<'_> {
    fn elapsed(&self) -> Duration {
        self.clock.now().since(self.since)
    }

    fn is_stopped(&self) -> bool {
        if self.is_given_up.load(Ordering::Relaxed) || self.is_claimed.load(Ordering::Relaxed) {
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
    /// One without threads: what stands in its queue stays there.
    pub(super) fn idle() -> Self {
        Self { queue: Arc::default() }
    }
}

#[cfg(test)]
mod tests;
