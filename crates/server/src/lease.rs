//! The server's lease on its database: the right to answer, by the monotonic clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quadrex_store::LEASE_DURATION;
use tokio::sync::watch;

/// Time by which the lease ends earlier for its holder than in the database.
const MARGIN: Duration = Duration::from_millis(300);

/// Time for which the lease is good after a renewal was sent.
const LASTS: Duration = LEASE_DURATION.saturating_sub(MARGIN);

/// Greatest age of the last renewal of a server that counts as ready: two may come late, not three.
const FRESH: Duration = Duration::from_millis(1_500);

/// Interval between two checks of tasks that wait for the lease.
const POLL: Duration = Duration::from_millis(20);

/// Time for which an HTTP request waits for a lease that ran out, since a renewal may only be late.
const LATE: Duration = Duration::from_millis(1_500);

/// Time in which a lease that ran out may come back before connections are closed.
const PATIENCE: Duration = Duration::from_secs(3);

/// The right to answer, to act on time, and to send anything about tables. Cheap to clone; a check
/// is an atomic load and a reading of the monotonic clock.
#[derive(Clone, Debug)]
pub struct Lease(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    started: Instant,
    /// Milliseconds after the start until which the lease is good.
    until: AtomicU64,
    /// Milliseconds after the start at which the last renewal that succeeded was sent.
    renewed: AtomicU64,
    is_failing: AtomicBool,
    is_leaving: AtomicBool,
    fenced: watch::Sender<bool>,
}

/// A moment before a renewal is sent.
#[derive(Clone, Copy, Debug)]
pub struct Sent(u64);

impl Lease {
    /// A lease that is not good yet.
    #[must_use]
    pub fn new() -> Self {
        Self::until(0)
    }

    /// A lease that never ends, for a lobby without a server.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::until(u64::MAX)
    }

    fn until(until: u64) -> Self {
        Self(Arc::new(Shared {
            started: monotonic(),
            until: AtomicU64::new(until),
            renewed: AtomicU64::new(0),
            is_failing: AtomicBool::new(false),
            is_leaving: AtomicBool::new(false),
            fenced: watch::Sender::new(false),
        }))
    }

    /// Returns whether the server may answer now.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.elapsed() < self.0.until.load(Ordering::Acquire)
    }

    /// Returns the current moment, for a renewal that is about to be sent.
    #[must_use]
    pub fn moment(&self) -> Sent {
        Sent(self.elapsed())
    }

    /// Extends the lease by a renewal that succeeded.
    pub fn renew(&self, sent: Sent) {
        self.0.renewed.store(sent.0, Ordering::Release);
        self.0.is_failing.store(false, Ordering::Release);
        self.0.until.store(sent.0 + millis(LASTS), Ordering::Release);
        // A client that sees a ready server again can connect again.
        self.set_fenced(!self.holds());
    }

    /// Records a renewal that failed.
    pub fn fail(&self) {
        self.0.is_failing.store(true, Ordering::Release);
    }

    /// Ends the lease for good: another server has taken over.
    pub fn end(&self) {
        self.0.until.store(0, Ordering::Release);
        self.0.fenced.send_replace(true);
    }

    /// Records that the server is about to stop: it is not ready any more.
    pub fn leave(&self) {
        self.0.is_leaving.store(true, Ordering::Release);
    }

    /// Returns why the server is not ready, if it is not.
    #[must_use]
    pub fn unready(&self) -> Option<&'static str> {
        let age = self.elapsed().saturating_sub(self.0.renewed.load(Ordering::Acquire));
        if self.0.is_leaving.load(Ordering::Acquire) {
            Some("the server is about to stop")
        } else if !self.holds() || age > millis(FRESH) || self.0.is_failing.load(Ordering::Acquire) {
            Some("the database stores nothing")
        } else {
            None
        }
    }

    /// Waits until the lease is good.
    pub async fn held(&self) {
        while !self.holds() {
            tokio::time::sleep(POLL).await;
        }
    }

    /// Returns whether the server may answer, after a wait for a renewal that is only late. Of a
    /// lease that never was good or was ended, it returns at once.
    pub async fn is_regained(&self) -> bool {
        loop {
            let (now, until) = (self.elapsed(), self.0.until.load(Ordering::Acquire));
            if now < until {
                return true;
            }
            if until == 0 || now >= until + millis(LATE) {
                return false;
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Returns a receiver of whether the lease ran out and did not come back at once.
    #[must_use]
    pub fn fenced(&self) -> watch::Receiver<bool> {
        self.0.fenced.subscribe()
    }

    /// Watches the lease without end, for receivers of [`fenced`](Self::fenced).
    pub async fn watch(&self) {
        let mut expired_for = Duration::ZERO;
        loop {
            expired_for = if self.holds() { Duration::ZERO } else { expired_for + POLL };
            let is_fenced = expired_for >= PATIENCE;
            self.set_fenced(is_fenced && !self.holds());
            tokio::time::sleep(POLL).await;
        }
    }

    fn set_fenced(&self, is_fenced: bool) {
        self.0.fenced.send_if_modified(|fenced| std::mem::replace(fenced, is_fenced) != is_fenced);
    }

    fn elapsed(&self) -> u64 {
        millis(monotonic().duration_since(self.0.started))
    }
}

impl Default for Lease {
    fn default() -> Self {
        Self::new()
    }
}

#[expect(clippy::disallowed_methods, reason = "a lease ends by the process's own monotonic clock")]
fn monotonic() -> Instant {
    Instant::now()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_accepted_as_soon_as_the_lease_is_good_again() {
        let lease = Lease::new();
        lease.set_fenced(true);
        lease.renew(lease.moment());
        assert!(!*lease.fenced().borrow(), "nobody watched the lease meanwhile");
    }

    #[test]
    fn a_lease_is_good_from_its_first_renewal_until_it_ends() {
        let lease = Lease::new();
        assert!(!lease.holds());
        assert!(lease.unready().is_some());
        lease.renew(lease.moment());
        assert!(lease.holds());
        assert_eq!(lease.unready(), None);
        assert!(!*lease.fenced().borrow());
        lease.fail();
        assert!(lease.holds(), "one late renewal does not fence");
        assert_eq!(lease.unready(), Some("the database stores nothing"));
        lease.renew(lease.moment());
        lease.leave();
        assert_eq!(lease.unready(), Some("the server is about to stop"));
        lease.end();
        assert!(!lease.holds());
        assert!(*lease.fenced().borrow());
    }

    #[tokio::test]
    async fn a_late_renewal_is_waited_for_and_another_servers_lease_is_not() {
        let lease = Lease::new();
        assert!(!lease.is_regained().await, "it never was good");
        lease.0.until.store(1, Ordering::Release);
        tokio::time::sleep(Duration::from_millis(2)).await;
        assert!(!lease.holds());
        let renewal = async {
            tokio::time::sleep(POLL).await;
            lease.renew(lease.moment());
        };
        let (is_regained, ()) = tokio::join!(lease.is_regained(), renewal);
        assert!(is_regained);
        lease.end();
        assert!(!lease.is_regained().await);
    }

    #[test]
    fn a_renewal_counts_from_when_it_was_sent() {
        let lease = Lease::new();
        lease.renew(Sent(0));
        assert_eq!(lease.0.until.load(Ordering::Acquire), millis(LASTS));
    }
}
