//! Workers for computations that take milliseconds. They run on other threads than the tasks that
//! serve connections.
//!
//! There are three kinds of workers, each with a bounded queue. The first kind computes answers to
//! requests, for example when a line is explored or a match is read. The second kind draws pictures,
//! and the third kind hashes passwords. These two have their own workers, so that they never delay
//! other work.

use std::fmt;
use std::sync::Arc;

use quadrex_protocol::RefusalCode;
use quadrex_runtime::processors;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::refusal::Refusal;
use super::state::AppState;
use crate::config::AccountsConfig;

/// The number of requests that may wait for a worker.
const REQUESTS_WAITING: usize = 512;

/// The number of pictures that may wait for a worker. A request beyond this number is refused, and
/// the client tries again later.
const PICTURES_WAITING: usize = 32;

/// The workers for one kind of work, with a bounded queue.
#[derive(Clone, Debug)]
pub(crate) struct Workers {
    kind: &'static str,
    running: Arc<Semaphore>,
    /// The permits of the jobs that run or wait.
    admitted: Arc<Semaphore>,
}

/// A permit to use a worker.
struct WorkerPermit {
    _running: OwnedSemaphorePermit,
    _admitted: OwnedSemaphorePermit,
}

impl Workers {
    /// Returns the workers that compute answers to requests. Their number is the number of
    /// processors.
    pub(crate) fn for_requests() -> Self {
        Self::new("requests", processors(), REQUESTS_WAITING)
    }

    /// Returns the workers that draw pictures. Their number is half the number of processors.
    pub(crate) fn for_pictures() -> Self {
        Self::new("pictures", processors().div_ceil(2), PICTURES_WAITING)
    }

    /// Returns the workers that hash passwords.
    pub(crate) fn for_passwords(accounts: &AccountsConfig) -> Self {
        Self::new("attempts to sign in", accounts.threads, accounts.waiting)
    }

    fn new(kind: &'static str, workers: usize, waiting: usize) -> Self {
        Self {
            kind,
            running: Arc::new(Semaphore::new(workers)),
            admitted: Arc::new(Semaphore::new(workers + waiting)),
        }
    }

    /// Waits for a worker.
    ///
    /// # Errors
    /// Returns the refusal `busy` if too many jobs wait already.
    async fn acquire(&self) -> Result<WorkerPermit, Refusal> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned();
        let admitted =
            admitted.map_err(|_| Refusal::new(RefusalCode::Busy, QueueFull { kind: self.kind }))?;
        let running = Arc::clone(&self.running).acquire_owned().await.expect("it is never closed");
        Ok(WorkerPermit { _running: running, _admitted: admitted })
    }
}

/// The error of work that is refused because the queue of its kind is full.
struct QueueFull {
    kind: &'static str,
}

impl fmt::Display for QueueFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "too many {} are waiting; try again in a moment", self.kind)
    }
}

impl AppState {
    /// Runs work as soon as a worker is free.
    ///
    /// # Errors
    /// Returns the refusal `busy` if too many jobs wait already, or a fault if the work panics.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        workers: &Workers,
        doing: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = workers.acquire().await?;
        let work_result = quadrex_runtime::run_blocking(move || {
            let work_result = work();
            drop(permit);
            work_result
        });
        work_result.await.map_err(|error| self.fault(doing, &error))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_full_queue_refuses_at_once_and_waiting_jobs_run_in_order() {
        let workers = Workers::new("pictures", 2, 3);
        let mut running: Vec<_> = (0..2)
            .map(|_| workers.acquire().now_or_never().expect("a worker is free").unwrap_or_else(|_| panic!()))
            .collect();
        let mut waiting: Vec<_> = (0..3).map(|_| Box::pin(workers.acquire())).collect();
        for permit in &mut waiting {
            assert!(permit.as_mut().now_or_never().is_none(), "all workers are busy");
        }
        let refused = workers.acquire().now_or_never().expect("it does not wait").err();
        assert_eq!(refused.map(|refusal| refusal.code), Some(RefusalCode::Busy));
        running.pop();
        let first = waiting[0].as_mut().now_or_never();
        running.extend(first.expect("the first that waits is next"));
        assert!(waiting[1].as_mut().now_or_never().is_none());
        // A job that stops waiting frees its permit.
        drop(waiting);
        running.pop();
        assert!(workers.acquire().now_or_never().is_some());
    }

    #[test]
    fn requests_never_wait_for_pictures() {
        let (requests, pictures) = (Workers::for_requests(), Workers::for_pictures());
        let mut drawing = Vec::new();
        while let Some(permit) = pictures.acquire().now_or_never() {
            drawing.push(permit.unwrap_or_else(|refusal| panic!("{refusal:?}")));
        }
        assert!(requests.acquire().now_or_never().is_some_and(|permit| permit.is_ok()));
    }
}
