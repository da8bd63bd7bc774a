//! Group commit: appends of different matches share a transaction.
//!
//! One task for each connection receives appends from a bounded mailbox and commits all that wait,
//! as soon as the commit before is done. A match always uses the same task, so its appends stay in
//! order. A refused append does not affect the others of its batch; an append is acknowledged after
//! the COMMIT of its batch.

mod commit;
mod entry;
mod queue;
mod task;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use quadrex_protocol::MatchId;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

pub(super) use commit::{Commit, Failure};
pub(super) use entry::{Entry, NextEntry};
use queue::{Message, Waiting};

use super::{AppendError, StoreError};

/// The capacity of a mailbox. A table waits for the outcome of an append before it sends the next.
const MAILBOX: usize = 1024;

/// The time for which an append waits for a place in a full mailbox.
const MAILBOX_TIMEOUT: Duration = Duration::from_secs(10);

/// The failed action in [`StoreError::Database`].
const DOING: &str = "append to a match";

/// The rule by which appends of different matches share commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The number of connections to Postgres that only append, at least 1. A SQLite file has one
    /// writer.
    pub connections: u32,
    /// The maximum number of events in one commit. With 1 each append is committed alone.
    pub max_events: usize,
}

impl Default for Grouping {
    fn default() -> Self {
        Self { connections: 2, max_events: 1024 }
    }
}

/// The mailboxes of the writers' tasks. Clones share the tasks, which end with the last clone.
#[derive(Clone, Debug)]
pub(super) struct Writers {
    mailboxes: Arc<[mpsc::Sender<Message>]>,
    timeout: Duration,
}

impl Writers {
    /// Starts a task for each connection.
    pub(super) fn start(commit: &impl Commit, grouping: Grouping) -> Self {
        Self::start_with(commit, grouping, MAILBOX, MAILBOX_TIMEOUT)
    }

    fn start_with(commit: &impl Commit, grouping: Grouping, mailbox: usize, timeout: Duration) -> Self {
        let start = |_| {
            let (mailbox, messages) = mpsc::channel(mailbox);
            tokio::spawn(task::run(commit.clone(), messages, grouping.max_events));
            mailbox
        };
        Self { mailboxes: (0..grouping.connections).map(start).collect(), timeout }
    }

    /// Sends an append to its task and waits for the outcome.
    pub(super) async fn append(&self, entry: Entry) -> Result<u64, AppendError> {
        let (answer, outcome) = oneshot::channel();
        let mailbox = self.mailbox(entry.match_id);
        match timeout(self.timeout, mailbox.send(Message::Append(Waiting { entry, answer }))).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Err(AppendError::Fault(fault("the store is closed"))),
            Err(_) => {
                let (waiting, timeout) = (mailbox.max_capacity(), self.timeout);
                let text =
                    format!("{waiting} appends wait for the database, and no place came free in {timeout:?}");
                return Err(AppendError::Fault(fault(&text)));
            }
        }
        outcome.await.unwrap_or_else(|_| Err(AppendError::Unknown(fault("the writer gave no answer"))))
    }

    /// Closes the mailboxes and waits until all appends in them are done.
    pub(super) async fn close(&self) {
        for mailbox in self.mailboxes.iter() {
            let (done, ended) = oneshot::channel();
            // A mailbox that is closed already needs no waiting.
            if mailbox.send(Message::Close(done)).await.is_ok() {
                ended.await.ok();
            }
        }
    }

    /// Returns the mailbox of a match, always the same one. The last bytes of an id are random.
    fn mailbox(&self, match_id: MatchId) -> &mpsc::Sender<Message> {
        let count = self.mailboxes.len() as u128;
        let index = usize::try_from(match_id.0.as_u128() % count).expect("it is less than the count");
        &self.mailboxes[index]
    }
}

fn fault(text: &str) -> StoreError {
    StoreError::Database { doing: DOING, source: text.into() }
}
