//! The database of a simulated cluster: the log of a table, and its owner.

use std::collections::BTreeMap;

use bytes::Bytes;
use quadrex_cluster::NodeId;
use quadrex_cluster::message::{FrameSet, PublicationContent, SpecialFrame, TablePublication};
use quadrex_protocol::view::Head;
use quadrex_protocol::{CommandId, MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

pub(crate) const TABLE: TableId = TableId(Uuid::from_u128(0x7AB1E));

/// The users, who are the players to move in turn.
pub(crate) const USERS: u128 = 4;

pub(crate) fn user(number: u128) -> UserId {
    UserId(Uuid::from_u128(number % USERS + 1))
}

fn match_id(number: u128) -> MatchId {
    MatchId(Uuid::from_u128(number))
}

/// The log of all matches at the table.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) owner: Option<NodeId>,
    matches: u128,
    /// The times of the events of the current match.
    events: Vec<Timestamp>,
    answers: BTreeMap<CommandId, Head>,
    /// The number of events of all matches.
    pub(crate) count: u64,
}

impl Database {
    pub(crate) fn new(owner: NodeId, now: Timestamp) -> Self {
        Self { owner: Some(owner), matches: 1, events: vec![now], answers: BTreeMap::new(), count: 1 }
    }

    pub(crate) fn head(&self) -> Head {
        Head { match_id: match_id(self.matches), seq: self.events.len() as u64 }
    }

    /// Appends an event.
    pub(crate) fn append(&mut self, now: Timestamp) -> Head {
        self.events.push(now);
        self.count += 1;
        self.head()
    }

    /// Begins the next match, whose first event is its creation.
    pub(crate) fn begin_next_match(&mut self, now: Timestamp) -> Head {
        self.matches += 1;
        self.events = vec![now];
        self.count += 1;
        self.head()
    }

    /// Returns the answer of a command that is in the log.
    pub(crate) fn answer(&self, command: &CommandId) -> Option<Head> {
        self.answers.get(command).copied()
    }

    pub(crate) fn set_answer(&mut self, command: CommandId, head: Head) {
        let before = self.answers.insert(command, head);
        assert_eq!(before, None, "a command is in the log once");
    }

    /// Returns the number of commands in the log.
    pub(crate) fn commands(&self) -> usize {
        self.answers.len()
    }
}

/// Returns the player to move after an event, who receives a special frame.
pub(crate) fn player(head: Head) -> UserId {
    user(u128::from(head.seq))
}

/// Returns the text of an event's frame for a user.
pub(crate) fn text(head: Head, viewer: Option<UserId>) -> String {
    let special = if viewer == Some(player(head)) { " your move" } else { "" };
    format!("{} {}{special}", head.match_id, head.seq)
}

fn frames(head: Head) -> FrameSet {
    let special = SpecialFrame { user: player(head), frame: Bytes::from(text(head, Some(player(head)))) };
    FrameSet { general: Bytes::from(text(head, None)), special: vec![special] }
}

/// Returns the publication of an event.
pub(crate) fn event(head: Head) -> TablePublication {
    let content = PublicationContent::Event { seq: head.seq, frames: frames(head) };
    TablePublication { match_id: head.match_id, content }
}

/// Returns the publication of the next match.
pub(crate) fn next_match(previous: Head, head: Head) -> TablePublication {
    let content =
        PublicationContent::NextMatch { previous: previous.match_id, seq: head.seq, frames: frames(head) };
    TablePublication { match_id: head.match_id, content }
}

/// Returns the publications after an event: the later events, or a snapshot if they are too many or
/// the match is over.
pub(crate) fn missed(after: Head, head: Head) -> Vec<TablePublication> {
    const MAX_EVENTS: u64 = 20;
    if after == head {
        return Vec::new();
    }
    if after.match_id == head.match_id && after.seq <= head.seq && head.seq - after.seq <= MAX_EVENTS {
        return (after.seq + 1..=head.seq).map(|seq| event(Head { seq, ..head })).collect();
    }
    let content = PublicationContent::Snapshot { seq: head.seq, frames: frames(head) };
    vec![TablePublication { match_id: head.match_id, content }]
}
