//! The task that commits what waits.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::mpsc;

use super::commit::{Commit, Failure};
use super::queue::{Message, Queue, Waiting};
use crate::{AppendError, StoreError};

/// Commits batch after batch until the mailbox is closed and empty. While one commit is under way others come into the
/// mailbox; the next one takes them all: so batches grow with the load, and nobody waits for company.
pub(super) async fn run(commit: impl Commit, mut mailbox: mpsc::Receiver<Message>, events_at_once: usize) {
    let mut queue = Queue::default();
    while queue.fill(&mut mailbox).await {
        let batch = queue.next_batch(events_at_once);
        // A bug must not end the writer, on which all matches depend. Who waited is told that the outcome is unknown.
        match AssertUnwindSafe(write(&commit, batch)).catch_unwind().await {
            Ok(Ok(())) => {}
            Ok(Err(Gone(error))) => {
                for waiting in queue.give_up(&mut mailbox) {
                    waiting.tell(Err(AppendError::Fault(fault(&error))));
                }
            }
            Err(_) => tracing::error!("a commit of appends panicked: their outcome is unknown"),
        }
    }
    queue.end();
}

/// The database does not answer. Nothing was written of what waits still; its turn would not end better.
struct Gone(Arc<sqlx::Error>);

/// Commits a batch and answers all who wait for it, as soon as the outcome of each is known.
async fn write(commit: &impl Commit, batch: Vec<Waiting>) -> Result<(), Gone> {
    let single = if batch.len() < 2 { batch } else { write_together(commit, batch).await? };
    let mut single = single.into_iter();
    while let Some(waiting) = single.next() {
        match commit.alone(&waiting.entry).await {
            Ok(()) => waiting.written(),
            Err(Failure::Refused(error)) => waiting.tell(Err(error)),
            Err(failure) => {
                let ended = end(failure, vec![waiting]);
                if let Err(Gone(error)) = &ended {
                    for untried in single {
                        untried.tell(Err(AppendError::Fault(fault(error))));
                    }
                    return ended;
                }
            }
        }
    }
    Ok(())
}

/// Commits what it can in one transaction; gives back what must be tried, or refused, one by one.
async fn write_together(commit: &impl Commit, batch: Vec<Waiting>) -> Result<Vec<Waiting>, Gone> {
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

/// Tells all of a transaction how it ended.
fn end(failure: Failure, batch: Vec<Waiting>) -> Result<(), Gone> {
    let (error, is_unknown, is_gone) = match failure {
        Failure::Refused(error) => unreachable!("a refusal is one append's own: {error}"),
        Failure::Unreachable(error) => (Arc::new(error), false, true),
        Failure::Lost(error) => (Arc::new(error), true, false),
        Failure::Silent(error) => (Arc::new(error), true, true),
    };
    for waiting in batch {
        let fault = fault(&error);
        waiting.tell(Err(if is_unknown { AppendError::Unknown(fault) } else { AppendError::Fault(fault) }));
    }
    if is_gone { Err(Gone(error)) } else { Ok(()) }
}

impl Waiting {
    /// It is durable.
    fn written(self) {
        #[cfg(feature = "faults")]
        crate::fault_injection::after_commit();
        let head = self.entry.new_head();
        self.tell(Ok(head));
    }

    fn tell(self, outcome: Result<u64, AppendError>) {
        // Who does not wait any more finds the outcome in the log.
        self.answer.send(outcome).ok();
    }
}

/// One cause for many who are told.
fn fault(error: &Arc<sqlx::Error>) -> StoreError {
    StoreError::Database { doing: super::DOING, source: Box::new(Arc::clone(error)) }
}
