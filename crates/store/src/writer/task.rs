//! The task that commits waiting appends.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::mpsc;

use super::commit::{Commit, Failure};
use super::queue::{Message, Queue, Waiting};
use crate::{AppendError, StoreError};

/// Commits batch after batch until the mailbox is closed and empty. Appends that arrive during one
/// commit share the next: batches grow with the load, and no append waits for others to arrive.
pub(super) async fn run(commit: impl Commit, mut mailbox: mpsc::Receiver<Message>, max_events: usize) {
    let mut queue = Queue::default();
    while queue.fill(&mut mailbox).await {
        let batch = queue.next_batch(max_events);
        // A bug must not end the writer, on which all matches depend. The outcome of the batch is
        // reported as unknown.
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

/// The error of a database that does not answer. Nothing was written of the appends that still
/// wait; trying them would not end better.
struct Unavailable(Arc<sqlx::Error>);

/// Commits a batch and sends each append's outcome as soon as it is known.
async fn write(commit: &impl Commit, batch: Vec<Waiting>) -> Result<(), Unavailable> {
    let single = if batch.len() < 2 { batch } else { write_together(commit, batch).await? };
    let mut single = single.into_iter();
    while let Some(waiting) = single.next() {
        match commit.alone(&waiting.entry).await {
            Ok(()) => waiting.written(),
            Err(Failure::Refused(error)) => waiting.answer(Err(error)),
            Err(failure) => {
                let ended = end(failure, vec![waiting]);
                if let Err(Unavailable(error)) = &ended {
                    for untried in single {
                        untried.answer(Err(AppendError::Fault(fault(error))));
                    }
                    return ended;
                }
            }
        }
    }
    Ok(())
}

/// Commits as many appends as possible in one transaction; returns those that must be tried, or
/// refused, one by one.
async fn write_together(commit: &impl Commit, batch: Vec<Waiting>) -> Result<Vec<Waiting>, Unavailable> {
    let entries: Vec<_> = batch.iter().map(|waiting| &waiting.entry).collect();
    match commit.together(&entries).await {
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

/// Sends the outcome of a failed transaction to all its appends.
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
    /// Sends the new head: the append is durable.
    fn written(self) {
        #[cfg(feature = "faults")]
        crate::fault_injection::after_commit();
        let head = self.entry.new_head();
        self.answer(Ok(head));
    }

    fn answer(self, outcome: Result<u64, AppendError>) {
        // A sender that no longer waits finds the outcome in the log.
        self.answer.send(outcome).ok();
    }
}

/// Returns the fault of an error that several appends share.
fn fault(error: &Arc<sqlx::Error>) -> StoreError {
    StoreError::Database { doing: super::DOING, source: Box::new(Arc::clone(error)) }
}
