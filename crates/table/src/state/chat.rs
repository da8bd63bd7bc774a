//! The rate limit of chat messages.

use std::collections::VecDeque;
use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_protocol::chat::Room;
use quadrex_rules::Timestamp;

/// The largest number of messages that one user may write at a table within [`WINDOW`].
const MAX_PER_USER: usize = 5;

/// The largest number of messages that all bystanders of a match may write together within
/// [`WINDOW`].
const MAX_OF_BYSTANDERS: usize = 50;

/// The time over which messages are counted.
const WINDOW: Duration = Duration::from_secs(10);

/// The authors, rooms and times of the recent messages in the log, oldest first.
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

    /// Returns whether a further message would exceed the limit for the user. In the room of the
    /// bystanders, the limit for all bystanders together applies too.
    pub(crate) fn is_exceeded(&self, user: UserId, room: Room, now: Timestamp) -> bool {
        let recent = || self.recent.iter().filter(|&&(at, ..)| now < at + WINDOW);
        let by_bystanders = recent().filter(|&&(.., room)| room == Room::Bystanders).count();
        let by_user = recent().filter(|&&(_, author, _)| author == user).count();
        by_user >= MAX_PER_USER || (room == Room::Bystanders && by_bystanders >= MAX_OF_BYSTANDERS)
    }
}
