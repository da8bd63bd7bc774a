//! A simulated node that can own the table.

use bytes::Bytes;
use quadrex_cluster::message::{
    CommandAnswer, CommandOutcome, LobbyState, NotFollowing, NotOwner, OverviewUpdate, RevokeLinkAnswer,
    TablePublication, TakenFollower, WatchAnswer, WatchOutcome,
};
use quadrex_cluster::{
    ChaosMessenger, ClusterMessage, ClusterMessenger, Correlation, FollowerEffect, Heartbeats, Inbox,
    InboxEvent, MessageBody, NodeId, Outgoing, PublishedState, TableFollowers,
};
use quadrex_protocol::http::{CreateTable, TableStatus, TableSummary};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Head, Phase};
use quadrex_rules::{Timestamp, Variant};
use quadrex_table::validate_settings;

use crate::database::{Database, TABLE, event, missed, next_match, text, user};

/// A node that owns the table at times.
#[derive(Debug)]
pub(crate) struct Owner {
    pub(crate) messenger: ChaosMessenger,
    pub(crate) inbox: Inbox,
    pub(crate) heartbeats: Heartbeats,
    /// The followers while this node owns the table.
    pub(crate) followers: Option<TableFollowers>,
    pub(crate) published: u64,
    pub(crate) follows: u64,
}

impl Owner {
    pub(crate) fn new(messenger: ChaosMessenger, inbox: Inbox) -> Self {
        let heartbeats = Heartbeats::default();
        Self { messenger, inbox, heartbeats, followers: None, published: 0, follows: 0 }
    }

    pub(crate) fn node(&self) -> NodeId {
        self.messenger.node()
    }

    /// Starts to own the table.
    pub(crate) fn take_over(&mut self, taken: &[TakenFollower], now: Timestamp) {
        self.followers = Some(TableFollowers::taken_over(TABLE, taken, now));
    }

    /// Stops to own the table. Returns the followers.
    pub(crate) fn release(&mut self) -> Vec<TakenFollower> {
        self.heartbeats.set_heads(TABLE, []);
        self.followers.take().map(|followers| followers.to_take_over()).unwrap_or_default()
    }

    /// Appends an event and publishes it.
    pub(crate) fn append(&mut self, database: &mut Database, now: Timestamp) -> Head {
        let head = database.append(now);
        self.publish(&event(head), head);
        head
    }

    pub(crate) fn begin_next_match(&mut self, database: &mut Database, now: Timestamp) {
        let previous = database.head();
        let head = database.begin_next_match(now);
        self.publish(&next_match(previous, head), head);
    }

    fn publish(&mut self, publication: &TablePublication, head: Head) {
        let followers = self.followers.as_mut().expect("only the owner publishes");
        let messages = followers.publish(publication, state(head));
        self.published += messages.len() as u64;
        self.send(messages);
    }

    /// Publishes an overview without an event.
    pub(crate) fn publish_overview(&mut self, database: &Database) {
        let head = database.head();
        if let Some(followers) = &mut self.followers {
            let messages = followers.publish_overview(&overview(head), state(head));
            self.send(messages);
        }
    }

    /// Handles all received messages, and everything that is due.
    pub(crate) fn step(&mut self, database: &mut Database, now: Timestamp) {
        while let Some(item) = self.inbox.try_next() {
            if let InboxEvent::Message(message) = item {
                self.on(message, database, now);
            }
        }
        if let Some(followers) = &mut self.followers {
            let effects = followers.tick(now);
            self.carry_out(effects, database);
        }
        if let Some(followers) = &self.followers {
            self.heartbeats.set_heads(TABLE, followers.heads(database.head()));
        }
        for (to, heartbeat) in self.heartbeats.due(&LobbyState::default(), now) {
            self.messenger.send(to, Correlation::default(), heartbeat.into()).ok();
        }
    }

    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        let followers = self.followers.as_ref().and_then(TableFollowers::next_deadline);
        followers.into_iter().chain(self.heartbeats.next_deadline()).min()
    }

    fn on(&mut self, message: ClusterMessage, database: &mut Database, now: Timestamp) {
        let ClusterMessage { from, correlation, body, .. } = message;
        let Some(followers) = &mut self.followers else {
            self.refuse(from, correlation, &body, database);
            return;
        };
        if let MessageBody::Heartbeat(heartbeat) = &body {
            self.heartbeats.receive(from, now);
            let effects: Vec<_> =
                heartbeat.follows.iter().flat_map(|state| followers.on_heartbeat(from, state, now)).collect();
            self.carry_out(effects, database);
            return;
        }
        let effects = followers.on(from, correlation, &body, now);
        self.carry_out(effects, database);
        let answer = match body {
            MessageBody::Command(command) => {
                let id = command.command_id;
                let head = database.answer(&id).unwrap_or_else(|| {
                    let head = self.append(database, now);
                    database.set_answer(id, head);
                    head
                });
                let outcome = CommandOutcome::Done { match_id: head.match_id, seq: head.seq };
                CommandAnswer { table: TABLE, outcome }.into()
            }
            MessageBody::Watch(watch) => {
                let head = database.head();
                let frames = vec![Bytes::from(text(head, watch.viewer))];
                let is_shared = watch.viewer.is_none();
                let outcome = WatchOutcome::Watching { frames, head, is_seated: !is_shared, is_shared };
                WatchAnswer { table: TABLE, outcome }.into()
            }
            MessageBody::RevokeLink(_) => RevokeLinkAnswer { table: TABLE }.into(),
            _ => return,
        };
        self.send(vec![Outgoing { to: from, correlation, body: answer }]);
    }

    /// Answers a message about a table that this node does not own.
    fn refuse(&mut self, from: NodeId, correlation: Correlation, body: &MessageBody, database: &Database) {
        let answer: MessageBody = match body {
            MessageBody::Command(_)
            | MessageBody::Watch(_)
            | MessageBody::RevokeLink(_)
            | MessageBody::Follow(_) => NotOwner { table: TABLE, owner: database.owner }.into(),
            MessageBody::Presence(presence) => NotFollowing { table: TABLE, follow: presence.follow }.into(),
            MessageBody::Heartbeat(heartbeat) => {
                for state in &heartbeat.follows {
                    let body = NotFollowing { table: TABLE, follow: state.follow }.into();
                    self.messenger.send(from, Correlation::default(), body).ok();
                }
                return;
            }
            _ => return,
        };
        self.messenger.send(from, correlation, answer).ok();
    }

    fn carry_out(&mut self, effects: Vec<FollowerEffect>, database: &Database) {
        for effect in effects {
            match effect {
                FollowerEffect::Answer(request) => {
                    self.follows += 1;
                    let head = database.head();
                    let missed = request.after.map(|after| missed(after, head)).unwrap_or_default();
                    let missed = missed
                        .iter()
                        .map(|publication| publication.for_users(|user| request.users.contains(&user)));
                    let followers = self.followers.as_ref().unwrap();
                    let answer = followers.answer(&request, missed.collect(), overview(head));
                    self.send(answer.into_iter().collect());
                }
                FollowerEffect::Send(message) => self.send(vec![message]),
                FollowerEffect::PresenceChanged => {}
            }
        }
    }

    fn send(&self, messages: Vec<Outgoing>) {
        for Outgoing { to, correlation, body } in messages {
            self.messenger.send(to, correlation, body).ok();
        }
    }
}

pub(crate) fn state(head: Head) -> PublishedState {
    let status = TableStatus { table: TABLE, turn: None, plies: 0, spectators: 0 };
    PublishedState { head, status, open_turn: None }
}

pub(crate) fn overview(head: Head) -> OverviewUpdate {
    let summary = TableSummary {
        table: TABLE,
        settings: validate_settings(CreateTable::plain(Variant::Dilkel, Privacy::Public)).unwrap(),
        host: UserView { id: user(0), name: "Ada".to_owned(), account: false, bot: None, anonymous: false },
        phase: Phase::Running,
        seats: Vec::new(),
        turn: None,
        plies: 0,
        spectators: 0,
        created_at_ms: 0,
    };
    OverviewUpdate {
        head,
        summary,
        kicked: Vec::new(),
        connected: Vec::new(),
        arrived: Vec::new(),
        is_host_present: false,
        open_turn: None,
    }
}
