//! Group commit: appends of different matches share a transaction.
//!
//! One task for each connection takes appends from a bounded mailbox and commits all that wait, as soon as the commit
//! before is done. A match always goes to the same task, so its appends keep their order. An append that the database
//! refuses is answered alone and the others go through; an acknowledgement comes after the COMMIT of its batch.

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

/// Appends that may wait in a mailbox. A table waits for the outcome of one before it asks for the next.
const MAILBOX: usize = 1024;

/// How long an append waits for a place in a full mailbox.
const PATIENCE: Duration = Duration::from_secs(10);

/// What could not be done, for [`StoreError::Database`].
const DOING: &str = "append to a match";

/// How appends of different matches share commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// Connections to Postgres that only append, beside the others; at least 1. A SQLite file has one writer.
    pub connections: u32,
    /// Events in one commit at most. With 1 each append is committed alone.
    pub events_at_once: usize,
}

impl Default for Grouping {
    fn default() -> Self {
        Self { connections: 2, events_at_once: 1024 }
    }
}

/// The way to the tasks that write. Clones lead to the same ones, which end with the last of them.
#[derive(Clone, Debug)]
pub(super) struct Writers {
    mailboxes: Arc<[mpsc::Sender<Message>]>,
    patience: Duration,
}

impl Writers {
    /// Starts a task for each connection.
    pub(super) fn start(commit: &impl Commit, grouping: Grouping) -> Self {
        Self::start_within(commit, grouping, MAILBOX, PATIENCE)
    }

    fn start_within(commit: &impl Commit, grouping: Grouping, mailbox: usize, patience: Duration) -> Self {
        let start = |_| {
            let (mailbox, messages) = mpsc::channel(mailbox);
            tokio::spawn(task::run(commit.clone(), messages, grouping.events_at_once));
            mailbox
        };
        Self { mailboxes: (0..grouping.connections).map(start).collect(), patience }
    }

    /// Has an append committed and waits for its outcome.
    pub(super) async fn append(&self, entry: Entry) -> Result<u64, AppendError> {
        let (answer, outcome) = oneshot::channel();
        let mailbox = self.mailbox(entry.match_id);
        match timeout(self.patience, mailbox.send(Message::Append(Waiting { entry, answer }))).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Err(AppendError::Fault(fault("the store is closed"))),
            Err(_) => {
                let (waiting, patience) = (mailbox.max_capacity(), self.patience);
                let text = format!(
                    "{waiting} appends wait for the database, and no place came free in {patience:?}"
                );
                return Err(AppendError::Fault(fault(&text)));
            }
        }
        outcome.await.unwrap_or_else(|_| Err(AppendError::Unknown(fault("the writer gave no answer"))))
    }

    /// Takes no more appends, and waits until all that were taken are done.
    pub(super) async fn close(&self) {
        for mailbox in self.mailboxes.iter() {
            let (done, ended) = oneshot::channel();
            // If it is closed already there is nothing to wait for.
            if mailbox.send(Message::Close(done)).await.is_ok() {
                ended.await.ok();
            }
        }
    }

    /// The same for all appends of a match. The last bytes of an id are random.
    fn mailbox(&self, match_id: MatchId) -> &mpsc::Sender<Message> {
        let count = self.mailboxes.len() as u128;
        let index = usize::try_from(match_id.0.as_u128() % count).expect("it is less than the count");
        &self.mailboxes[index]
    }
}

fn fault(text: &str) -> StoreError {
    StoreError::Database { doing: DOING, source: text.into() }
}
