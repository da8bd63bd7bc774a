//! What waits for the writer, and how much of it goes into one commit.

use std::collections::{HashSet, VecDeque};

use tokio::sync::{mpsc, oneshot};

use super::entry::Entry;
use crate::AppendError;

/// Appends a queue takes out of the mailbox before it is full itself.
const LONGEST: usize = 1024;

/// Bytes of events in one commit; an append that is larger goes alone.
const BYTES_AT_ONCE: usize = 1024 * 1024;

/// What comes into a writer's mailbox.
pub(super) enum Message {
    /// An append to be committed.
    Append(Waiting),
    /// Nothing more will come. To be answered when all that waited is done.
    Close(oneshot::Sender<()>),
}

/// An append, and who waits for its outcome.
pub(super) struct Waiting {
    pub(super) entry: Entry,
    pub(super) answer: oneshot::Sender<Result<u64, AppendError>>,
}

/// The appends that wait, in the order they came, and who waits for their end.
#[derive(Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    closing: Vec<oneshot::Sender<()>>,
}

impl Queue {
    /// Takes in all that the mailbox has by now; if nothing waits, waits for the first to come. `false` if nothing
    /// ever will.
    pub(super) async fn fill(&mut self, mailbox: &mut mpsc::Receiver<Message>) -> bool {
        while self.waiting.is_empty() {
            let Some(message) = mailbox.recv().await else { return false };
            self.take(message, mailbox);
        }
        while self.waiting.len() < LONGEST
            && let Ok(message) = mailbox.try_recv()
        {
            self.take(message, mailbox);
        }
        true
    }

    fn take(&mut self, message: Message, mailbox: &mut mpsc::Receiver<Message>) {
        match message {
            Message::Append(waiting) => self.waiting.push_back(waiting),
            Message::Close(done) => {
                mailbox.close();
                self.closing.push(done);
            }
        }
    }

    /// What the next commit takes: plain appends of different matches up to the bounds, or one of another kind. Each
    /// match's appends keep their order. What nobody waits for any more is dropped.
    pub(super) fn next_batch(&mut self, events_at_once: usize) -> Vec<Waiting> {
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
                        && events + entry.events.len() <= events_at_once
                        && bytes + entry.size_bytes() <= BYTES_AT_ONCE
                }
            };
            // A match with an append that is left here must have its later ones left too.
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

    /// All that waits, in the mailbox too.
    pub(super) fn give_up(&mut self, mailbox: &mut mpsc::Receiver<Message>) -> Vec<Waiting> {
        // No more than are there now: who is told may ask again at once.
        for _ in 0..mailbox.len() {
            let Ok(message) = mailbox.try_recv() else { break };
            self.take(message, mailbox);
        }
        self.waiting.drain(..).collect()
    }

    /// Tells those who wait for the end that it has come.
    pub(super) fn end(self) {
        for done in self.closing {
            // Who does not listen any more needs no answer.
            done.send(()).ok();
        }
    }
}
