//! The moment of a match that a report is about: what the reporter may name, and what operators see
//! of it.

use quadrex_protocol::http::{ReportMoment, ReportedMessage};
use quadrex_protocol::view::Entry;
use quadrex_protocol::{Event, UserId};

use crate::history::History;
use crate::view::Viewer;

/// The number of chat messages before the moment, the reported message included, that operators
/// see.
const MESSAGES_BEFORE: usize = 20;

/// The number of chat messages after the moment that operators see.
const MESSAGES_AFTER: usize = 10;

/// The reason why a report of a match is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMoment {
    /// The match has fewer events.
    #[error("the match has no event {at}")]
    NoEvent {
        /// The number in the report.
        at: u64,
    },
    /// The event is not a chat message of the reported user that the reporter may read.
    #[error("event {message} is not a chat message of this user")]
    NoMessage {
        /// The number in the report.
        message: u64,
    },
    /// The reported user had no seat, was not the host, and has written nothing.
    #[error("this user took no part in the match")]
    NoPart,
}

impl History {
    /// Checks that a viewer may report a user for this moment of the match.
    ///
    /// # Errors
    /// Returns [`InvalidMoment`] if the moment does not exist, or if it has nothing to do with the
    /// user.
    pub fn check_report(
        &self,
        reported: UserId,
        moment: ReportMoment,
        reporter: Viewer,
    ) -> Result<(), InvalidMoment> {
        let ReportMoment { at, message, .. } = moment;
        if !(1..=self.state().head()).contains(&at) {
            return Err(InvalidMoment::NoEvent { at });
        }
        let is_seen = |entry: &&Entry| !self.state().is_hidden_from(entry, reporter);
        let mut seen = self.entries().iter().filter(is_seen);
        match message {
            Some(message) if !seen.any(|entry| entry.seq == message && is_message_of(entry, reported)) => {
                Err(InvalidMoment::NoMessage { message })
            }
            None if !seen.any(|entry| takes_part(&entry.event, reported)) => Err(InvalidMoment::NoPart),
            _ => Ok(()),
        }
    }

    /// Returns the number of moves before the moment after event `seq`. Moves that were taken back
    /// until then are not counted.
    #[must_use]
    pub fn ply_at(&self, seq: u64) -> u32 {
        let before = self.entries().iter().take_while(|entry| entry.seq <= seq);
        before.fold(0, |plies: u32, entry| match entry.event {
            Event::Moved { .. } => plies + 1,
            Event::TakenBack { plies: back, .. } => plies.saturating_sub(back),
            _ => plies,
        })
    }

    /// Returns the chat messages around the moment after event `seq`, in both rooms.
    #[must_use]
    pub fn messages_around(&self, seq: u64) -> Vec<ReportedMessage> {
        let messages: Vec<ReportedMessage> = self.entries().iter().filter_map(message).collect();
        let until_then = messages.partition_point(|message| message.seq <= seq);
        let from = until_then.saturating_sub(MESSAGES_BEFORE);
        let to = messages.len().min(until_then + MESSAGES_AFTER);
        messages.into_iter().take(to).skip(from).collect()
    }
}

fn message(entry: &Entry) -> Option<ReportedMessage> {
    let Event::MessageSent { user, color, room, message } = &entry.event else { return None };
    Some(ReportedMessage {
        seq: entry.seq,
        at_ms: entry.at_ms,
        user: user.clone(),
        color: *color,
        room: *room,
        message: message.clone(),
    })
}

fn is_message_of(entry: &Entry, author: UserId) -> bool {
    matches!(&entry.event, Event::MessageSent { user, .. } if user.id == author)
}

/// Returns whether a user is the host, takes a seat, or writes a message in an event.
fn takes_part(event: &Event, wanted: UserId) -> bool {
    match event {
        Event::Opened { host, .. } | Event::HostChanged { host } => host.id == wanted,
        Event::Seated { user, .. } | Event::MessageSent { user, .. } => user.id == wanted,
        Event::Started { seats, .. } => seats.values().any(|user| user.id == wanted),
        _ => false,
    }
}
