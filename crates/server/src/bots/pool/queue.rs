//! The queue of the pool: the waiting searches, and the choice of the next one.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use quadrex_engine::SearchResult;
use quadrex_metrics::Stopwatch;
use quadrex_protocol::UserId;
use tokio::sync::oneshot;

use super::{Search, Urgency};
use crate::telemetry::metrics::METRICS;

/// The number of searches of which one is for a table without players, if searches for tables with
/// players and for other tables wait.
pub(super) const SHARE_INTERVAL: u32 = 8;

/// The queue that the threads and the requesters share.
#[derive(Debug, Default)]
pub(super) struct Queue {
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
pub(super) struct QueueState {
    pub(super) jobs: BTreeMap<Turn, Job>,
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
    pub(super) idle: usize,
    /// The number of threads whose search is being stopped to yield the thread.
    pub(super) yielding: usize,
    is_closed: bool,
}

/// The position of a search in the queue. Searches are ordered by urgency, then by round, then by
/// number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    pub(super) urgency: Urgency,
    round: u64,
    number: u64,
}

/// A search in the queue or on a thread.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) search: Search,
    pub(super) is_cancelled: Arc<AtomicBool>,
    pub(super) answer: oneshot::Sender<SearchResult>,
    /// The time for which the search has been in the queue, or on a thread.
    pub(super) waiting: Stopwatch,
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
        let searches_left = self.counts.entry(turn.urgency).or_default();
        *searches_left -= 1;
        if *searches_left == 0 {
            // No search of this urgency waits any more, so the rounds start again for all users.
            self.round.remove(&turn.urgency);
            self.last_round.retain(|(urgency, _), _| *urgency != turn.urgency);
        }
        Some(job)
    }

    pub(super) fn waiting_count(&self, urgency: Urgency) -> usize {
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
    pub(super) fn take_next(&mut self) -> Option<(Turn, Job, Yielding)> {
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
pub(super) enum Yielding {
    /// The search keeps its thread until it is done.
    Never,
    /// The search yields its thread when a more urgent search lacks a thread.
    ToMoreUrgent,
}

impl Queue {
    /// Adds a search. Returns its position.
    pub(super) fn add(&self, job: Job) -> Turn {
        let mut state = self.lock();
        let turn = state.new_turn(job.search.urgency, job.search.requester);
        state.add(turn, job);
        self.copy_lacking(&state);
        drop(state);
        self.added.notify_one();
        turn
    }

    /// Removes a search that has not started yet.
    pub(super) fn remove(&self, turn: Turn) {
        let mut state = self.lock();
        let dropped_job = state.take(turn);
        self.copy_lacking(&state);
        drop(state);
        drop(dropped_job);
    }

    /// Removes all searches, and ends the threads.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        let dropped_jobs = std::mem::take(&mut state.jobs);
        // Dropping a job wakes its requester, so the queue is unlocked first.
        drop(state);
        drop(dropped_jobs);
        self.added.notify_all();
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, QueueState> {
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
    pub(super) fn next(&self) -> Option<(Turn, Job, Yielding)> {
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
                    METRICS.search_wait.observe(next.0.urgency.label(), next.1.waiting.elapsed());
                    self.copy_lacking(&state);
                    return Some(next);
                }
                None => state = self.added.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Removes the next search from the queue, if there is one. For a pool without threads.
    #[cfg(feature = "simulation")]
    pub(super) fn try_next(&self) -> Option<(Turn, Job, Yielding)> {
        let mut state = self.lock();
        let next = state.take_next();
        self.copy_lacking(&state);
        next
    }

    /// Returns whether a search of this urgency must yield its thread. If so, counts the thread as
    /// yielding.
    pub(super) fn must_yield(&self, urgency: Urgency) -> bool {
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
    pub(super) fn record_finished(&self, turn: Turn) {
        if matches!(turn.urgency, Urgency::Spectators | Urgency::Unattended) {
            self.lock().since_share = 0;
        }
    }

    /// Adds a search to the queue again after it has yielded its thread. The search keeps its
    /// position.
    pub(super) fn requeue(&self, turn: Turn, job: Job) {
        let job = Job { waiting: Stopwatch::start(), ..job };
        let mut state = self.lock();
        state.yielding -= 1;
        if !state.is_closed && !job.is_cancelled.load(Ordering::Relaxed) {
            state.add(turn, job);
        }
    }
}
