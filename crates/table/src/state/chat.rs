//! The rate of chat messages.

use std::collections::VecDeque;
use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_protocol::chat::Room;
use quadrex_rules::Timestamp;

/// Largest number of messages that one user may write at a table within [`WINDOW`].
const MAX_PER_USER: usize = 5;

/// Largest number of messages that all bystanders of a match may write within [`WINDOW`].
const MAX_OF_BYSTANDERS: usize = 50;

/// Time over which messages are counted.
const WINDOW: Duration = Duration::from_secs(10);

/// The recent messages, according to the log.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChatRate {
    recent: VecDeque<(Timestamp, UserId, Room)>,
}

impl ChatRate {
    /// Records a message.
    pub(crate) fn record(&mut self, user: UserId, room: Room, at: Timestamp) {
        while self.recent.front().is_some_and(|&(then, ..)| then + WINDOW <= at) {
            self.recent.pop_front();
        }
        self.recent.push_back((at, user, room));
    }

    /// Returns whether a user has reached its limit, or all bystanders together have.
    pub(crate) fn is_exceeded(&self, user: UserId, room: Room, now: Timestamp) -> bool {
        let recent = || self.recent.iter().filter(|&&(then, ..)| now < then + WINDOW);
        let together = recent().filter(|&&(.., of)| of == Room::Bystanders).count();
        let own = recent().filter(|&&(_, by, _)| by == user).count();
        own >= MAX_PER_USER || (room == Room::Bystanders && together >= MAX_OF_BYSTANDERS)
    }
}
