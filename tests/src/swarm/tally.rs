//! Counters of a running swarm.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hdrhistogram::Histogram;
use quadrex_protocol::RefusalCode;
use tokio::sync::watch;

/// The upper bound of the histograms: ten minutes, in microseconds. Longer times count as ten
/// minutes.
pub(super) const LONGEST: u64 = 600_000_000;

/// The counters of a swarm, shared by all its tables.
#[derive(Debug)]
pub struct Tally {
    done: watch::Sender<u64>,
    up: watch::Sender<u64>,
    received: AtomicU64,
    broken: AtomicU64,
    refused: Mutex<BTreeMap<String, u64>>,
    players: Mutex<Histogram<u64>>,
    watchers: Mutex<Histogram<u64>>,
}

/// A summary of latencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatencySummary {
    /// The number of measurements.
    pub count: u64,
    /// The median.
    pub p50: Duration,
    /// The 99th percentile.
    pub p99: Duration,
    /// The 99.9th percentile.
    pub p999: Duration,
    /// The maximum.
    pub longest: Duration,
}

impl Default for Tally {
    fn default() -> Self {
        let histogram = || Mutex::new(Histogram::new_with_max(LONGEST, 3).expect("three digits are allowed"));
        Self {
            done: watch::Sender::new(0),
            up: watch::Sender::new(0),
            received: AtomicU64::new(0),
            broken: AtomicU64::new(0),
            refused: Mutex::default(),
            players: histogram(),
            watchers: histogram(),
        }
    }
}

impl Tally {
    /// Returns the number of acknowledged commands.
    pub fn done(&self) -> u64 {
        *self.done.borrow()
    }

    /// Waits until this number of commands was acknowledged.
    pub async fn until_done(&self, count: u64) {
        let reached = self.done.subscribe().wait_for(|done| *done >= count).await.map(|_| ());
        reached.expect("the sender lives as long as this");
    }

    /// Waits until this number of connections is open at the same time.
    pub async fn until_up(&self, count: u64) {
        let reached = self.up.subscribe().wait_for(|up| *up >= count).await.map(|_| ());
        reached.expect("the sender lives as long as this");
    }

    /// Returns the number of received events.
    pub fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// Returns the number of broken connections.
    pub fn broken(&self) -> u64 {
        self.broken.load(Ordering::Relaxed)
    }

    /// Returns the number of refused commands by code.
    pub fn refused(&self) -> BTreeMap<String, u64> {
        lock(&self.refused).clone()
    }

    /// Returns the times from sending a move until the last player of its table received it.
    pub fn to_players(&self) -> LatencySummary {
        spread(&lock(&self.players))
    }

    /// Returns the times from sending a move until the last watcher of its table received it.
    pub fn to_watchers(&self) -> LatencySummary {
        spread(&lock(&self.watchers))
    }

    /// Clears the latencies, because a new phase begins.
    pub fn forget_times(&self) {
        lock(&self.players).reset();
        lock(&self.watchers).reset();
    }

    pub(super) fn add_done(&self) {
        self.done.send_modify(|done| *done += 1);
    }

    pub(super) fn add_received(&self) {
        self.received.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn add_up(&self) {
        self.up.send_modify(|up| *up += 1);
    }

    pub(super) fn add_disconnect(&self) {
        self.up.send_modify(|up| *up -= 1);
        self.broken.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn add_refused(&self, code: RefusalCode) {
        *lock(&self.refused).entry(format!("{code:?}")).or_default() += 1;
    }

    pub(super) fn add_player_time(&self, took: Duration) {
        lock(&self.players).saturating_record(micros(took));
    }

    pub(super) fn add_watcher_time(&self, took: Duration) {
        lock(&self.watchers).saturating_record(micros(took));
    }
}

fn micros(took: Duration) -> u64 {
    u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
}

pub(super) fn spread(times: &Histogram<u64>) -> LatencySummary {
    let at = |quantile| Duration::from_micros(times.value_at_quantile(quantile));
    LatencySummary {
        count: times.len(),
        p50: at(0.5),
        p99: at(0.99),
        p999: at(0.999),
        longest: Duration::from_micros(times.max()),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
