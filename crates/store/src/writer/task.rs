//! The writer task, which commits waiting appends.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use quadrex_metrics::Stopwatch;
use tokio::sync::mpsc;

use super::commit::{Commit, Failure};
use super::queue::{Message, Queue, Waiting};
use crate::metrics::METRICS;
use crate::{AppendError, StoreError};

/// Commits batches of appends until the mailbox is closed and empty. Appends that arrive during a
/// commit share the next commit, so batches grow with the load. No append waits until other appends
/// arrive.
pub(super) async fn run(commit: impl Commit, mut mailbox: mpsc::Receiver<Message>, max_events: usize) {
    let mut queue = Queue::default();
    while queue.fill(&mut mailbox).await {
        let batch = queue.next_batch(max_events);
        // A panic must not end the task, because all matches depend on the task. After a panic the
        // outcome of the batch is unknown.
        match AssertUnwindSafe(write(&commit, batch)).catch_unwind().await {
            Ok(Ok(())) => {}
            Ok(Err(Unavailable(error))) => {
                for waiting in queue.drain(&mut mailbox) {
                    waiting.answer(Err(AppendError::Fault(fault(&error))));
                }
            }
            Err(_) => tracing::error!("a commit of appends panicked: their outcome is unknown"),
        }
    }
    queue.end();
}

/// The error of a database that does not answer. After this error the other waiting appends fail
/// without an attempt, because they would probably fail in the same way.
struct Unavailable(Arc<sqlx::Error>);

/// Commits a batch and reports each append's outcome as soon as it is known.
async fn write(commit: &impl Commit, batch: Vec<Waiting>) -> Result<(), Unavailable> {
    let single = if batch.len() < 2 { batch } else { write_together(commit, batch).await? };
    let mut single = single.into_iter();
    while let Some(waiting) = single.next() {
        match measured(commit.commit_single(&waiting.entry)).await {
            Ok(()) => waiting.written(),
            Err(Failure::Refused(error)) => waiting.answer(Err(error)),
            Err(failure) => {
                let end_result = end(failure, vec![waiting]);
                if let Err(Unavailable(error)) = &end_result {
                    for untried in single {
                        untried.answer(Err(AppendError::Fault(fault(error))));
                    }
                    return end_result;
                }
            }
        }
    }
    Ok(())
}

/// Commits as many appends as possible in one transaction. Returns the appends that must be tried
/// one by one.
async fn write_together(commit: &impl Commit, batch: Vec<Waiting>) -> Result<Vec<Waiting>, Unavailable> {
    let entries: Vec<_> = batch.iter().map(|waiting| &waiting.entry).collect();
    match measured(commit.commit_batch(&entries)).await {
        Ok(passed) => {
            let (written, single): (Vec<_>, Vec<_>) =
                batch.into_iter().partition(|waiting| passed.contains(&waiting.entry.match_id));
            for waiting in written {
                waiting.written();
            }
            Ok(single)
        }
        Err(Failure::Refused(_)) => Ok(batch),
        Err(failure) => end(failure, batch).map(|()| Vec::new()),
    }
}

/// Measures a transaction. One that the state of a match refuses counts as failed, but is no error.
async fn measured<T>(transaction: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let duration = Stopwatch::start();
    let outcome = transaction.await;
    let label = if outcome.is_ok() { "committed" } else { "failed" };
    METRICS.commit_duration.observe(label, duration.elapsed());
    if matches!(outcome, Err(Failure::Unreachable(_) | Failure::Lost(_) | Failure::Silent(_))) {
        METRICS.errors.inc();
    }
    outcome
}

/// Reports the failure of a transaction to all its appends.
fn end(failure: Failure, batch: Vec<Waiting>) -> Result<(), Unavailable> {
    let (error, is_unknown, is_unavailable) = match failure {
        Failure::Refused(error) => unreachable!("a refusal is one append's own: {error}"),
        Failure::Unreachable(error) => (Arc::new(error), false, true),
        Failure::Lost(error) => (Arc::new(error), true, false),
        Failure::Silent(error) => (Arc::new(error), true, true),
    };
    for waiting in batch {
        let fault = fault(&error);
        waiting.answer(Err(if is_unknown { AppendError::Unknown(fault) } else { AppendError::Fault(fault) }));
    }
    if is_unavailable { Err(Unavailable(error)) } else { Ok(()) }
}

impl Waiting {
    /// Reports that the append is durable.
    fn written(self) {
        #[cfg(feature = "faults")]
        crate::fault_injection::after_commit();
        let head = self.entry.new_head();
        self.answer(Ok(head));
    }

    fn answer(self, outcome: Result<u64, AppendError>) {
        // An error means that nobody waits for the outcome any more. The log shows whether the
        // events were written.
        self.answer.send(outcome).ok();
    }
}

/// Returns a fault for an error that several appends share.
fn fault(error: &Arc<sqlx::Error>) -> StoreError {
    StoreError::Database { doing: super::FAILED_ACTION, source: Box::new(Arc::clone(error)) }
}
