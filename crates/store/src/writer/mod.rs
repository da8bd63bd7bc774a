//! Group commit: appends to different matches share a transaction.
//!
//! There is one task for each connection. The task receives appends from a bounded mailbox. When a
//! commit is done, the task commits all waiting appends together. A match always uses the same
//! task, so its appends stay in order. A refused append does not affect the other appends of its
//! batch. An append is acknowledged after the COMMIT of its batch.

mod commit;
mod encoded_append;
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
pub(super) use encoded_append::{EncodedAppend, EncodedNextMatch};
use queue::{Message, Waiting};

use super::{AppendError, StoreError};

/// The capacity of a mailbox. Each table has at most one append in a mailbox, because a table waits
/// for the outcome before it sends the next append.
const MAILBOX_CAPACITY: usize = 1024;

/// The maximum time for which an append waits while the mailbox is full.
const MAILBOX_TIMEOUT: Duration = Duration::from_secs(10);

/// The failed action in [`StoreError::Database`].
const FAILED_ACTION: &str = "append to a match";

/// The limits for sharing commits among appends to different matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitGrouping {
    /// The number of Postgres connections that only append; at least 1. SQLite always has one such
    /// connection.
    pub connections: u32,
    /// The maximum number of events in one commit. With 1 each append is committed alone.
    pub max_events: usize,
}

impl Default for CommitGrouping {
    fn default() -> Self {
        Self { connections: 2, max_events: 1024 }
    }
}

/// The mailboxes of the writer tasks. Clones share the tasks. The tasks end when the last clone is
/// dropped.
#[derive(Clone, Debug)]
pub(super) struct Writers {
    mailboxes: Arc<[mpsc::Sender<Message>]>,
    timeout: Duration,
}

impl Writers {
    /// Starts a task for each connection.
    pub(super) fn start(commit: &impl Commit, grouping: CommitGrouping) -> Self {
        Self::start_with(commit, grouping, MAILBOX_CAPACITY, MAILBOX_TIMEOUT)
    }

    fn start_with(commit: &impl Commit, grouping: CommitGrouping, mailbox: usize, timeout: Duration) -> Self {
        let start = |_| {
            let (mailbox, messages) = mpsc::channel(mailbox);
            quadrex_runtime::spawn(task::run(commit.clone(), messages, grouping.max_events));
            mailbox
        };
        Self { mailboxes: (0..grouping.connections).map(start).collect(), timeout }
    }

    /// Sends an append to its task and waits for the outcome.
    pub(super) async fn append(&self, entry: EncodedAppend) -> Result<u64, AppendError> {
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
            // If the mailbox is closed already, there is nothing to wait for.
            if mailbox.send(Message::Close(done)).await.is_ok() {
                ended.await.ok();
            }
        }
    }

    /// Returns the mailbox of a match. A match always has the same mailbox. The matches are spread
    /// evenly, because the last bytes of an id are random.
    fn mailbox(&self, match_id: MatchId) -> &mpsc::Sender<Message> {
        let count = self.mailboxes.len() as u128;
        let index = usize::try_from(match_id.0.as_u128() % count).expect("it is less than the count");
        &self.mailboxes[index]
    }
}

fn fault(text: &str) -> StoreError {
    StoreError::Database { doing: FAILED_ACTION, source: text.into() }
}
