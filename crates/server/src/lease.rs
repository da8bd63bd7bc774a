//! The server's lease on its database. The server may answer only while it holds the lease. Without
//! the lease, another server may have taken the database over.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quadrex_runtime::monotonic;
use quadrex_store::LEASE_DURATION;
use tokio::sync::watch;

/// The safety margin: the holder considers the lease expired this much earlier than the database
/// does.
const MARGIN: Duration = Duration::from_millis(300);

/// The time for which the lease is held, counted from the moment at which a renewal was sent.
const DURATION: Duration = LEASE_DURATION.saturating_sub(MARGIN);

/// The greatest age of the last renewal at which the server still counts as ready. The server stays
/// ready if two renewals in a row are missing, but not if three are.
const READY_AGE: Duration = Duration::from_millis(1_500);

/// The interval at which tasks that wait for the lease check it.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The time for which an HTTP request waits after the lease has expired, because the renewal may
/// only be late.
const REQUEST_WAIT: Duration = Duration::from_millis(1_500);

/// The time between the expiry of the lease and the closing of all connections, if the lease is not
/// renewed before.
const CONNECTION_WAIT: Duration = Duration::from_secs(3);

/// The right to answer requests, to run timers, and to send anything about tables. A check of the
/// lease costs only an atomic load and a reading of the monotonic clock. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Lease {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// The moment from which the times in this struct are counted.
    started: Instant,
    /// The end of the lease, in milliseconds after `started`.
    until_ms: AtomicU64,
    /// The moment at which the last successful renewal was sent, in milliseconds after `started`.
    renewed_ms: AtomicU64,
    /// True if the last renewal failed.
    is_failing: AtomicBool,
    /// True if the server is about to stop.
    is_stopping: AtomicBool,
    /// True if the node has no connection to the other nodes, which have one among themselves.
    is_isolated: AtomicBool,
    /// True while connections must be closed, because the lease expired and was not renewed in
    /// time, or because the node is isolated.
    is_fenced: watch::Sender<bool>,
}

/// The moment at which a renewal began.
#[derive(Clone, Copy, Debug)]
pub struct RenewalStart {
    /// The moment, in milliseconds after the lease was created.
    sent_ms: u64,
}

impl Lease {
    /// Returns a lease that is not held yet.
    #[must_use]
    pub fn new() -> Self {
        Self::until_ms(0)
    }

    /// Returns a lease that is always held, for a lobby without a server.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::until_ms(u64::MAX)
    }

    fn until_ms(until_ms: u64) -> Self {
        Self {
            shared: Arc::new(Shared {
                started: monotonic(),
                until_ms: AtomicU64::new(until_ms),
                renewed_ms: AtomicU64::new(0),
                is_failing: AtomicBool::new(false),
                is_stopping: AtomicBool::new(false),
                is_isolated: AtomicBool::new(false),
                is_fenced: watch::Sender::new(false),
            }),
        }
    }

    /// Returns whether the server holds the lease now.
    #[must_use]
    pub fn is_held(&self) -> bool {
        let until_ms = self.shared.until_ms.load(Ordering::Acquire);
        let is_held = self.elapsed_ms() < until_ms;
        is_held || until_ms > 0 && quadrex_runtime::has_planted!(StaleOwnerAnswers)
    }

    /// Returns the moment at which a renewal begins. The caller passes it to [`renew`](Self::renew)
    /// once the renewal has succeeded.
    #[must_use]
    pub fn begin_renewal(&self) -> RenewalStart {
        RenewalStart { sent_ms: self.elapsed_ms() }
    }

    /// Extends the lease after a renewal has succeeded. The duration of the lease counts from the
    /// moment at which the renewal was sent.
    pub fn renew(&self, renewal: RenewalStart) {
        self.shared.renewed_ms.store(renewal.sent_ms, Ordering::Release);
        self.shared.is_failing.store(false, Ordering::Release);
        self.shared.until_ms.store(renewal.sent_ms + millis(DURATION), Ordering::Release);
        // Clients may connect as soon as the server is ready again. The value is therefore updated
        // here and not only by `update_fenced`.
        self.set_fenced(!self.is_held() || self.is_isolated());
    }

    /// Returns the time since this lease was created, by the monotonic clock.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        monotonic().duration_since(self.shared.started)
    }

    /// Sets the time until which the server holds the lease, and the time of the last renewal. Both
    /// count from the creation of the lease ([`elapsed`](Self::elapsed)).
    pub fn set(&self, renewed: Duration, until: Duration) {
        self.shared.renewed_ms.store(millis(renewed), Ordering::Release);
        self.shared.is_failing.store(false, Ordering::Release);
        self.shared.until_ms.store(millis(until), Ordering::Release);
        self.set_fenced(!self.is_held() || self.is_isolated());
    }

    /// Records a renewal that failed.
    pub fn record_failure(&self) {
        self.shared.is_failing.store(true, Ordering::Release);
    }

    /// Ends the lease for good, because another server has taken over.
    pub fn end(&self) {
        self.shared.until_ms.store(0, Ordering::Release);
        self.shared.is_fenced.send_replace(true);
    }

    /// Records whether the node of a cluster has no connection to the other nodes, which have one
    /// among themselves. Such a node does not count as ready, and closes its connections, because
    /// its clients are better served by the other nodes.
    pub fn set_isolated(&self, is_isolated: bool) {
        self.shared.is_isolated.store(is_isolated, Ordering::Release);
        if is_isolated || self.is_held() {
            self.set_fenced(is_isolated);
        }
    }

    fn is_isolated(&self) -> bool {
        self.shared.is_isolated.load(Ordering::Acquire)
    }

    /// Records that the server is about to stop. From now on it does not count as ready.
    pub fn record_shutdown(&self) {
        self.shared.is_stopping.store(true, Ordering::Release);
    }

    /// Returns the reason for which the server is not ready; `None` if it is ready.
    #[must_use]
    pub fn unready_reason(&self) -> Option<&'static str> {
        if self.shared.is_stopping.load(Ordering::Acquire) {
            Some("the server is about to stop")
        } else if !self.is_held() || self.age() > READY_AGE || self.shared.is_failing.load(Ordering::Acquire)
        {
            Some("the database stores nothing")
        } else if self.is_isolated() {
            Some("the other nodes of the cluster cannot be reached")
        } else {
            None
        }
    }

    /// Returns the time since the last successful renewal was sent.
    #[must_use]
    pub fn age(&self) -> Duration {
        let renewed_ms = self.shared.renewed_ms.load(Ordering::Acquire);
        Duration::from_millis(self.elapsed_ms().saturating_sub(renewed_ms))
    }

    /// Waits until the server holds the lease.
    pub async fn wait_until_held(&self) {
        while !self.is_held() {
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
    }

    /// Returns whether the server holds the lease. If the lease has just expired, first waits for a
    /// renewal that may be late. Does not wait if the lease was never held or has ended for good.
    pub async fn is_held_after_wait(&self) -> bool {
        loop {
            let (now_ms, until_ms) = (self.elapsed_ms(), self.shared.until_ms.load(Ordering::Acquire));
            if now_ms < until_ms {
                return true;
            }
            if until_ms == 0 || now_ms >= until_ms + millis(REQUEST_WAIT) {
                return false;
            }
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
    }

    /// Returns a receiver whose value is true while connections must be closed, because the lease
    /// expired and was not renewed in time, or because the node is isolated.
    #[must_use]
    pub fn subscribe_fenced(&self) -> watch::Receiver<bool> {
        self.shared.is_fenced.subscribe()
    }

    /// Updates the receivers of [`subscribe_fenced`](Self::subscribe_fenced) while the lease
    /// expires and is renewed. Runs without end.
    pub async fn update_fenced(&self) {
        let mut expired_for = Duration::ZERO;
        loop {
            // While the lease is held, the loop sleeps until the lease expires.
            expired_for = if self.is_held() { Duration::ZERO } else { expired_for + CHECK_INTERVAL };
            let is_fenced = expired_for >= CONNECTION_WAIT;
            self.set_fenced(is_fenced && !self.is_held() || self.is_isolated());
            tokio::time::sleep(self.remaining().clamp(CHECK_INTERVAL, CONNECTION_WAIT)).await;
        }
    }

    fn set_fenced(&self, is_fenced: bool) {
        self.shared.is_fenced.send_if_modified(|fenced| std::mem::replace(fenced, is_fenced) != is_fenced);
    }

    /// Returns the time until the lease expires, if it is not renewed; zero if it has expired.
    fn remaining(&self) -> Duration {
        let until_ms = self.shared.until_ms.load(Ordering::Acquire);
        Duration::from_millis(until_ms.saturating_sub(self.elapsed_ms()))
    }

    fn elapsed_ms(&self) -> u64 {
        millis(monotonic().duration_since(self.shared.started))
    }
}

impl Default for Lease {
    fn default() -> Self {
        Self::new()
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renewed_lease_accepts_connections_again() {
        let lease = Lease::new();
        lease.set_fenced(true);
        lease.renew(lease.begin_renewal());
        assert!(!*lease.subscribe_fenced().borrow(), "nobody watched the lease meanwhile");
    }

    #[test]
    fn a_lease_is_held_from_its_first_renewal_until_its_end() {
        let lease = Lease::new();
        assert!(!lease.is_held());
        assert!(lease.unready_reason().is_some());
        lease.renew(lease.begin_renewal());
        assert!(lease.is_held());
        assert_eq!(lease.unready_reason(), None);
        assert!(!*lease.subscribe_fenced().borrow());
        lease.record_failure();
        assert!(lease.is_held(), "one late renewal does not fence");
        assert_eq!(lease.unready_reason(), Some("the database stores nothing"));
        lease.renew(lease.begin_renewal());
        lease.set_isolated(true);
        assert_eq!(lease.unready_reason(), Some("the other nodes of the cluster cannot be reached"));
        assert!(*lease.subscribe_fenced().borrow(), "clients find a better node");
        lease.renew(lease.begin_renewal());
        assert!(*lease.subscribe_fenced().borrow());
        lease.set_isolated(false);
        assert!(!*lease.subscribe_fenced().borrow());
        assert_eq!(lease.unready_reason(), None);
        lease.record_shutdown();
        assert_eq!(lease.unready_reason(), Some("the server is about to stop"));
        lease.end();
        assert!(!lease.is_held());
        assert!(*lease.subscribe_fenced().borrow());
    }

    #[tokio::test]
    async fn a_held_lease_may_be_renewed_late_but_a_lost_lease_may_not() {
        let lease = Lease::new();
        assert!(!lease.is_held_after_wait().await, "it never was good");
        lease.shared.until_ms.store(1, Ordering::Release);
        tokio::time::sleep(Duration::from_millis(2)).await;
        assert!(!lease.is_held());
        let renewal = async {
            tokio::time::sleep(CHECK_INTERVAL).await;
            lease.renew(lease.begin_renewal());
        };
        let (is_held_after_wait, ()) = tokio::join!(lease.is_held_after_wait(), renewal);
        assert!(is_held_after_wait);
        lease.end();
        assert!(!lease.is_held_after_wait().await);
    }

    #[test]
    fn a_renewal_counts_from_the_time_it_was_sent() {
        let lease = Lease::new();
        lease.renew(RenewalStart { sent_ms: 0 });
        assert_eq!(lease.shared.until_ms.load(Ordering::Acquire), millis(DURATION));
    }
}
