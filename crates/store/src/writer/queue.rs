//! The appends that wait for the writer, and their division into commits.

use std::collections::{HashSet, VecDeque};

use tokio::sync::{mpsc, oneshot};

use super::entry::Entry;
use crate::AppendError;

/// The maximum length of a queue; further appends stay in the mailbox.
const MAX_LENGTH: usize = 1024;

/// The maximum size of the events in one commit; a larger append is committed alone.
const MAX_BATCH_BYTES: usize = 1024 * 1024;

/// A message in a writer's mailbox.
pub(super) enum Message {
    /// An append to be committed.
    Append(Waiting),
    /// The end of all appends, answered when those that waited are done.
    Close(oneshot::Sender<()>),
}

/// An append, and the receiver of its outcome.
pub(super) struct Waiting {
    pub(super) entry: Entry,
    pub(super) answer: oneshot::Sender<Result<u64, AppendError>>,
}

/// The waiting appends in the order of their arrival, and the receivers of their end.
#[derive(Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    closing: Vec<oneshot::Sender<()>>,
}

impl Queue {
    /// Moves all messages from the mailbox into the queue; if the queue is empty, waits for the
    /// first one. Returns false if there will never be one.
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

    /// Removes and returns the appends of the next commit: plain appends of different matches up to
    /// the limits, or one of another kind. Each match's appends stay in order. Appends without a
    /// receiver are dropped.
    pub(super) fn next_batch(&mut self, max_events: usize) -> Vec<Waiting> {
        let (mut batch, mut events, mut bytes) = (Vec::<Waiting>::new(), 0, 0);
        let mut matches = HashSet::new();
        let mut left = VecDeque::new();
        let wanted = self.waiting.drain(..).filter(|waiting| !waiting.answer.is_closed());
        for waiting in wanted {
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
            // Later appends of a match wait behind an earlier one that waits.
            if matches.insert(entry.match_id) && fits {
                events += entry.events.len();
                bytes += entry.size_bytes();
                batch.push(waiting);
            } else {
                left.push_back(waiting);
            }
        }
        self.waiting = left;
        batch
    }

    /// Removes and returns all waiting appends, those in the mailbox too.
    pub(super) fn drain(&mut self, mailbox: &mut mpsc::Receiver<Message>) -> Vec<Waiting> {
        // Only those that are there now: a sender may try again as soon as it has its outcome.
        for _ in 0..mailbox.len() {
            let Ok(message) = mailbox.try_recv() else { break };
            self.push(message, mailbox);
        }
        self.waiting.drain(..).collect()
    }

    /// Notifies the receivers of the end.
    pub(super) fn end(self) {
        for done in self.closing {
            // A receiver that is gone needs no answer.
            done.send(()).ok();
        }
    }
}
