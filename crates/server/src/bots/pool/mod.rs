//! The pool of threads that search for bots. There are few threads, and they have the lowest
//! priority. Searches wait in a queue, ordered by [`Urgency`].
//!
//! Tables with players come first. Tables with spectators only, and tables at which nobody is
//! present, use the threads that tables with players do not need. A search for such a table yields
//! its thread to a table with players and starts again later. If tables with players need all
//! threads, one of [`queue::SHARE_INTERVAL`] searches is still for another table, and this search does not
//! yield. Otherwise the other tables would never make progress.
//!
//! Searches of the same urgency are made in rounds, and each user has one search in a round
//! (Demers, Keshav and Shenker, "Analysis and simulation of a fair queueing algorithm", 1989, with
//! searches of equal cost). A user with fifty tables therefore waits longer, but does not delay
//! other users.
//!
//! Analyses come after all tables, and always yield their thread to a table. Reviews of past
//! matches come after analyses, and yield their thread to analyses and tables.

mod queue;
#[cfg(feature = "simulation")]
mod simulated;
mod thread;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use quadrex_clock::Clock;
use quadrex_engine::{Level, Limits, SearchResult};
use quadrex_metrics::Stopwatch;
use quadrex_protocol::UserId;
use quadrex_rules::{AnyPosition, Move};
use tokio::sync::oneshot;

use crate::config::BotsConfig;
use queue::{Job, Queue, Turn};
pub(super) use thread::NICE;

/// A request for a search.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) position: AnyPosition,
    /// The hash keys of the earlier positions of the game ([`quadrex_engine::SearchRequest::earlier`]).
    pub(super) earlier: Vec<u64>,
    /// The moves to choose from ([`quadrex_engine::SearchRequest::root_moves`]).
    pub(super) root_moves: Vec<Move>,
    pub(super) level: Level,
    pub(super) seed: u64,
    pub(super) limits: Limits,
    /// The number of best moves to find ([`quadrex_engine::SearchRequest::lines`]).
    pub(super) lines: usize,
    pub(super) urgency: Urgency,
    /// The user for whom the search counts in the rounds: the host of the table, or the user who
    /// requested the analysis.
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
    /// All urgencies, most urgent first.
    const ALL: [Self; 5] = [Self::Player, Self::Spectators, Self::Unattended, Self::Analysis, Self::Review];

    /// Returns the name in metrics.
    fn label(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Spectators => "spectators",
            Self::Unattended => "unattended",
            Self::Analysis => "analysis",
            Self::Review => "review",
        }
    }

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
    /// Makes the searches of a simulation, in which there are no threads.
    #[cfg(feature = "simulation")]
    simulated: Option<simulated::Worker>,
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
        #[cfg(feature = "simulation")]
        if quadrex_runtime::is_simulated() {
            return Self { queue, simulated: Some(simulated::Worker::new(clock)) };
        }
        for number in 1..=config.threads() {
            let (queue, clock, table_mib) = (queue.clone(), clock.clone(), config.table_mib);
            let run = move || thread::run(&queue, &clock, table_mib);
            if let Err(error) = std::thread::Builder::new().name(format!("bots-{number}")).spawn(run) {
                tracing::error!("a thread for bots cannot be started: {error}");
            }
        }
        Self {
            queue,
            #[cfg(feature = "simulation")]
            simulated: None,
        }
    }

    /// Adds a search to the queue.
    pub(super) fn search(&self, search: Search) -> PendingSearch {
        #[cfg(feature = "simulation")]
        let search = if self.simulated.is_some() { simulated::bounded(search) } else { search };
        let (sender, answer) = oneshot::channel();
        let is_cancelled = Arc::<AtomicBool>::default();
        let waiting = Stopwatch::start();
        let job = Job { is_cancelled: is_cancelled.clone(), answer: sender, search, waiting };
        let turn = self.queue.add(job);
        #[cfg(feature = "simulation")]
        if let Some(worker) = &self.simulated {
            worker.make_next(&self.queue);
        }
        PendingSearch { queue: self.queue.clone(), turn, is_cancelled, answer }
    }

    /// Returns the number of waiting searches of each urgency, with the name of the urgency.
    pub(super) fn waiting(&self) -> Vec<(&'static str, usize)> {
        let state = self.queue.lock();
        Urgency::ALL.map(|urgency| (urgency.label(), state.waiting_count(urgency))).to_vec()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.queue.close();
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
        self.queue.remove(self.turn);
    }
}

#[cfg(test)]
impl Pool {
    /// Returns a pool without threads; searches stay in its queue.
    pub(super) fn idle() -> Self {
        Self {
            queue: Arc::default(),
            #[cfg(feature = "simulation")]
            simulated: None,
        }
    }
}

#[cfg(test)]
mod tests;
