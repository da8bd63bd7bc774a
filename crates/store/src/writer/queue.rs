//! The queue of appends that wait for a writer task.

use std::collections::{HashSet, VecDeque};

use tokio::sync::{mpsc, oneshot};

use super::encoded_append::EncodedAppend;
use crate::AppendError;

/// The maximum length of a queue. Further appends stay in the mailbox.
const MAX_LENGTH: usize = 1024;

/// The maximum size of the events in one commit. A larger append is committed alone.
const MAX_BATCH_BYTES: usize = 1024 * 1024;

/// A message in a mailbox.
pub(super) enum Message {
    /// An append to be committed.
    Append(Waiting),
    /// Asks the task to end. The answer arrives when all waiting appends are done.
    Close(oneshot::Sender<()>),
}

/// A waiting append, with the sender for its outcome.
pub(super) struct Waiting {
    pub(super) entry: EncodedAppend,
    pub(super) answer: oneshot::Sender<Result<u64, AppendError>>,
}

/// The waiting appends in the order of their arrival, and the senders that report the end of the
/// task.
#[derive(Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    closing: Vec<oneshot::Sender<()>>,
}

impl Queue {
    /// Moves messages from the mailbox into the queue, up to the maximum length of the queue. If
    /// the queue is empty, waits for the first message. Returns false if the mailbox is closed and
    /// empty.
    pub(super) async fn fill(&mut self, mailbox: &mut mpsc::Receiver<Message>) -> bool {
        while self.waiting.is_empty() {
            let Some(message) = mailbox.recv().await else { return false };
            self.push(message, mailbox);
        }
        while self.waiting.len() < MAX_LENGTH
            && let Ok(message) = mailbox.try_recv()
        {
            self.push(message, mailbox);
        }
        true
    }

    fn push(&mut self, message: Message, mailbox: &mut mpsc::Receiver<Message>) {
        match message {
            Message::Append(waiting) => self.waiting.push_back(waiting),
            Message::Close(done) => {
                mailbox.close();
                self.closing.push(done);
            }
        }
    }

    /// Removes and returns the appends of the next commit. These are plain appends to different
    /// matches, within the limits of one commit, or a single append that is not plain. A plain
    /// append writes only to its own match. The appends of a match stay in order. Appends whose
    /// outcome nobody waits for are dropped.
    pub(super) fn next_batch(&mut self, max_events: usize) -> Vec<Waiting> {
        let (mut batch, mut events, mut bytes) = (Vec::<Waiting>::new(), 0, 0);
        let mut matches = HashSet::new();
        let mut remaining = VecDeque::new();
        let awaited_appends = self.waiting.drain(..).filter(|waiting| !waiting.answer.is_closed());
        for waiting in awaited_appends {
            let entry = &waiting.entry;
            let fits = match batch.first() {
                None => true,
                Some(first) => {
                    first.entry.is_plain()
                        && entry.is_plain()
                        && events + entry.events.len() <= max_events
                        && bytes + entry.size_bytes() <= MAX_BATCH_BYTES
                }
            };
            // An append must not overtake an earlier append of the same match.
            if matches.insert(entry.match_id) && fits {
                events += entry.events.len();
                bytes += entry.size_bytes();
                batch.push(waiting);
            } else {
                remaining.push_back(waiting);
            }
        }
        self.waiting = remaining;
        batch
    }

    /// Removes and returns all waiting appends, including those in the mailbox.
    pub(super) fn drain(&mut self, mailbox: &mut mpsc::Receiver<Message>) -> Vec<Waiting> {
        // Only the messages that are in the mailbox now are received, because a sender may try
        // again as soon as it has an outcome.
        for _ in 0..mailbox.len() {
            let Ok(message) = mailbox.try_recv() else { break };
            self.push(message, mailbox);
        }
        self.waiting.drain(..).collect()
    }

    /// Reports the end of the task.
    pub(super) fn end(self) {
        for done in self.closing {
            // An error means that nobody waits for the end any more.
            done.send(()).ok();
        }
    }
}
