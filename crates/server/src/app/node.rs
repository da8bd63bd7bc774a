//! The server's lock and lease on its database. Both are acquired when the server starts. The lease
//! is renewed while the server runs.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use super::StartError;
use crate::lease::Lease;
use quadrex_clock::{Clock, Entropy};
use quadrex_store::error_chain::chain;
use quadrex_store::{Location, LockAttempt, LockClaim, NodeId, ServerLock, Store, StoreError};

/// The time between two renewals of the lease. A renewal is also the server's heartbeat. When the
/// server is killed, players get back the thinking time since the last heartbeat, which is at most
/// this time.
const RENEWAL_INTERVAL: Duration = Duration::from_millis(500);

/// The time between two attempts to renew the lease while renewals fail.
const RENEWAL_RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// The time after which a renewal without an answer counts as failed.
const RENEWAL_TIMEOUT: Duration = Duration::from_secs(1);

/// The time between two attempts to acquire the lock.
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(150);

/// The number of attempts of a starting server to acquire the lock. More than one is needed,
/// because the lock of a server that was just killed becomes free only after a moment.
const LOCK_ATTEMPTS: u32 = 4;

/// Acquires the lock on the database. Does not wait for another server to stop.
///
/// # Errors
/// Returns [`StartError::Taken`] if another server runs on the database.
pub(super) async fn acquire(
    location: &Location,
    clock: &Clock,
    entropy: &Entropy,
) -> Result<ServerLock, StartError> {
    let id = NodeId(entropy.uuid(clock.now()));
    let mut attempts = 0;
    loop {
        let holder = match ServerLock::attempt(location, id, LockClaim::Free).await? {
            LockAttempt::Acquired(lock) => return Ok(lock),
            LockAttempt::Held(holder) => holder,
        };
        attempts += 1;
        if attempts == LOCK_ATTEMPTS {
            let holder = holder.map_or_else(String::new, |holder| format!(" ({holder})"));
            return Err(StartError::Taken { holder, location: location.clone() });
        }
        tokio::time::sleep(LOCK_RETRY_INTERVAL).await;
    }
}

/// Waits until no other server runs on the database, or until the lease of the other server has
/// expired. Then acquires the lock.
pub(super) async fn acquire_when_free(location: &Location, clock: &Clock, entropy: &Entropy) -> ServerLock {
    let id = NodeId(entropy.uuid(clock.now()));
    let mut logged = String::new();
    loop {
        let status = match ServerLock::attempt(location, id, LockClaim::FreeOrExpired).await {
            Ok(LockAttempt::Acquired(lock)) => return lock,
            Ok(LockAttempt::Held(None)) => "another server runs".to_owned(),
            Ok(LockAttempt::Held(Some(holder))) => format!("another server ({holder}) runs"),
            Err(error) => error.to_string(),
        };
        if status != logged {
            tracing::info!("standing by: {status}");
            logged = status;
        }
        tokio::time::sleep(LOCK_RETRY_INTERVAL).await;
    }
}

/// The owner of the server's lock and lease. It renews the lease until it is dropped.
#[derive(Debug)]
pub(super) struct Node {
    lock: Arc<Mutex<ServerLock>>,
    store: Store,
    lost: watch::Receiver<bool>,
    tasks: [JoinHandle<()>; 2],
}

impl Node {
    /// Registers the server in the database and acquires the lease.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub(super) async fn start(
        mut lock: ServerLock,
        store: Store,
        clock: Clock,
        lease: Lease,
    ) -> Result<Self, StoreError> {
        let renewal = lease.begin_renewal();
        lock.register(&store, &quadrex_runtime::process_name()).await?;
        lease.renew(renewal);
        let (loss, lost) = watch::channel(false);
        let lock = Arc::new(Mutex::new(lock));
        let fenced_lease = lease.clone();
        let tasks = [
            quadrex_runtime::spawn(keep_renewing(Arc::clone(&lock), store.clone(), clock, lease, loss)),
            quadrex_runtime::spawn(async move { fenced_lease.update_fenced().await }),
        ];
        Ok(Self { lock, store, lost, tasks })
    }

    /// Waits until another server has taken over.
    pub(super) async fn lost(&self) {
        let mut lost = self.lost.clone();
        if lost.wait_for(|lost| *lost).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Returns whether another server has taken over.
    pub(super) fn is_lost(&self) -> bool {
        *self.lost.borrow()
    }

    /// Removes the server's row from the database. Must be called after all other writes.
    pub(super) async fn leave(&self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        self.lock.lock().await.unregister(&self.store).await;
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

/// Renews the lease until another server has taken over.
async fn keep_renewing(
    lock: Arc<Mutex<ServerLock>>,
    store: Store,
    clock: Clock,
    lease: Lease,
    loss: watch::Sender<bool>,
) {
    let mut was_renewed = true;
    let started_at = clock.now();
    loop {
        let renewal = lease.begin_renewal();
        let forgets = quadrex_runtime::has_planted!(ForgottenHeartbeat);
        let alive_at = if forgets { started_at } else { clock.alive_until() };
        let renewed = {
            let mut lock = lock.lock().await;
            let renewed = tokio::time::timeout(RENEWAL_TIMEOUT, lock.renew(&store, alive_at)).await;
            if renewed.is_err() {
                lock.reset();
            }
            renewed
        };
        let failure = match renewed {
            Ok(Ok(true)) => {
                lease.renew(renewal);
                if !was_renewed {
                    tracing::info!("the lease is renewed again");
                }
                was_renewed = true;
                tokio::time::sleep(RENEWAL_INTERVAL).await;
                continue;
            }
            Ok(Ok(false)) => {
                tracing::error!("another server has taken over this database");
                lease.end();
                loss.send_replace(true);
                return;
            }
            Ok(Err(error)) => chain(&error),
            Err(_) => "no answer in time".to_owned(),
        };
        lease.record_failure();
        if was_renewed {
            tracing::warn!("the lease is not renewed: {failure}");
        }
        was_renewed = false;
        tokio::time::sleep(RENEWAL_RETRY_INTERVAL).await;
    }
}
