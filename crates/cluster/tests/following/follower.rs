//! A simulated node that follows the table, with its clients.

use std::collections::BTreeMap;

use bytes::Bytes;
use quadrex_cluster::message::{
    self, Command, CommandOutcome, FrameSet, LobbyState, PublicationContent, TablePublication, UserPresence,
    Watch, WatchOutcome, WatchRight,
};
use quadrex_cluster::{
    ChaosMessenger, ClusterMessenger, Correlation, Heartbeats, Inbox, InboxEvent, MessageBody, NodeId,
    Numbers, Outgoing, ProxyEffect, RequestAnswer, TableProxy, TableRequest,
};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Head;
use quadrex_protocol::{CommandId, UserId};
use quadrex_rules::Timestamp;
use quadrex_table::{Action, PlayerCommand};

use crate::database::{TABLE, text};

/// Returns the request of a viewer to watch the table from its first event.
pub(crate) fn watch_of(viewer: Option<UserId>) -> Watch {
    Watch {
        table: TABLE,
        viewer,
        right: WatchRight::Unconditional,
        link: None,
        may_stay_when_kicked: false,
        is_preview: false,
        visitor: None,
        resume_after: None,
        presence_version: 0,
    }
}

/// A client that watches the table.
#[derive(Debug)]
pub(crate) struct Client {
    user: Option<UserId>,
    /// The publications that arrived before the snapshot.
    early: Vec<TablePublication>,
    /// The last event that the client has received; `None` before the snapshot.
    pub(crate) head: Option<Head>,
}

impl Client {
    /// Receives a publication of the table.
    fn receive(&mut self, publication: &TablePublication) {
        let Some(head) = self.head else {
            self.early.push(publication.clone());
            return;
        };
        let match_id = publication.match_id;
        let (seq, frames) = match &publication.content {
            PublicationContent::Event { seq, frames } => {
                if match_id == head.match_id && *seq <= head.seq {
                    return;
                }
                assert_eq!((match_id, *seq), (head.match_id, head.seq + 1), "events have no gaps");
                (*seq, frames)
            }
            PublicationContent::NextMatch { seq, frames, .. } => {
                if match_id == head.match_id {
                    return;
                }
                (*seq, frames)
            }
            PublicationContent::Snapshot { seq, .. } if match_id == head.match_id && *seq <= head.seq => {
                return;
            }
            PublicationContent::Snapshot { seq, frames } => (*seq, frames),
            other => panic!("nobody publishes {other:?}"),
        };
        self.set_head(Head { match_id, seq }, self.frame_of(frames));
    }

    fn frame_of(&self, frames: &FrameSet) -> Bytes {
        let special = frames.special.iter().find(|special| Some(special.user) == self.user);
        special.map_or_else(|| frames.general.clone(), |special| special.frame.clone())
    }

    /// Checks that the frame is the one for this user.
    fn set_head(&mut self, head: Head, frame: Bytes) {
        assert_eq!(String::from_utf8_lossy(&frame), text(head, self.user), "the frame of {:?}", self.user);
        self.head = Some(head);
    }
}

/// A node that follows the table.
#[derive(Debug)]
pub(crate) struct Follower {
    pub(crate) messenger: ChaosMessenger,
    inbox: Inbox,
    heartbeats: Heartbeats,
    pub(crate) proxy: TableProxy,
    pub(crate) clients: BTreeMap<u64, Client>,
    next_client: u64,
    /// The clients that wait for a snapshot.
    watches: BTreeMap<Correlation, u64>,
    /// The commands without an answer.
    commands: BTreeMap<Correlation, CommandId>,
    /// The commands that were answered, with their events.
    pub(crate) done: BTreeMap<CommandId, Head>,
    pub(crate) timed_out: Vec<CommandId>,
    next_command: u64,
    /// The start of a look-up of the owner.
    pub(crate) looks_up_since: Option<Timestamp>,
    /// The longest time between an event and its publication here, in milliseconds.
    pub(crate) published: Vec<Head>,
}

impl Follower {
    pub(crate) fn new(
        messenger: ChaosMessenger,
        inbox: Inbox,
        peers: &[NodeId],
        owner: NodeId,
        now: Timestamp,
    ) -> Self {
        let (proxy, effects) = TableProxy::new(TABLE, Numbers::default(), Some(owner), None, now);
        let mut heartbeats = Heartbeats::default();
        heartbeats.set_peers(peers.iter().copied());
        let mut follower = Self {
            messenger,
            inbox,
            heartbeats,
            proxy,
            clients: BTreeMap::new(),
            next_client: 0,
            watches: BTreeMap::new(),
            commands: BTreeMap::new(),
            done: BTreeMap::new(),
            timed_out: Vec::new(),
            next_command: 0,
            looks_up_since: None,
            published: Vec::new(),
        };
        follower.carry_out(effects, now);
        follower
    }

    pub(crate) fn node(&self) -> NodeId {
        self.messenger.node()
    }

    /// Adds a client that watches. A client without a user is a spectator.
    pub(crate) fn add_client(&mut self, user: Option<UserId>, now: Timestamp) {
        self.next_client += 1;
        self.clients.insert(self.next_client, Client { user, early: Vec::new(), head: None });
        self.update_presence(now);
        self.watch(self.next_client, now);
    }

    pub(crate) fn remove_client(&mut self, client: u64, now: Timestamp) {
        self.clients.remove(&client);
        self.update_presence(now);
    }

    fn watch(&mut self, client: u64, now: Timestamp) {
        let Some(user) = self.clients.get(&client).map(|client| client.user) else { return };
        let request = TableRequest::Watch { watch: watch_of(user), is_spectator: user.is_none() };
        let (correlation, effects) = self.proxy.request(request, now);
        self.watches.insert(correlation, client);
        self.carry_out(effects, now);
    }

    /// Returns the users and the number of spectators who watch here.
    pub(crate) fn presence(&self) -> (Vec<UserId>, u32) {
        let mut users: Vec<UserId> = self.clients.values().filter_map(|client| client.user).collect();
        users.sort_unstable();
        users.dedup();
        let spectators = self.clients.values().filter(|client| client.user.is_none()).count();
        (users, u32::try_from(spectators).unwrap())
    }

    fn update_presence(&mut self, now: Timestamp) {
        let (users, spectators) = self.presence();
        let users = users.into_iter().map(|user| UserPresence { user, round_trip_ms: 20 }).collect();
        let effects = self.proxy.set_presence(users, spectators);
        self.carry_out(effects, now);
    }

    /// Sends a new command.
    pub(crate) fn send_command(&mut self, by: UserId, now: Timestamp) {
        self.next_command += 1;
        let text = format!("{}-{}", self.node(), self.next_command);
        self.request_command(CommandId::try_from(text).unwrap(), by, now);
    }

    fn request_command(&mut self, command_id: CommandId, by: UserId, now: Timestamp) {
        let by = UserView { id: by, name: "Ada".to_owned(), account: false, bot: None, anonymous: false };
        let command = Command {
            table: TABLE,
            command: PlayerCommand { by, seat: None, action: Action::Resume },
            command_id: command_id.clone(),
            match_id: None,
            redeemed_invite: None,
            origin: message::SeatOrigin::default(),
            round_trip_ms: 20,
            presence_version: 0,
        };
        let (correlation, effects) = self.proxy.request(TableRequest::Command(command), now);
        self.commands.insert(correlation, command_id);
        self.carry_out(effects, now);
    }

    /// Returns whether each request is answered.
    pub(crate) fn is_idle(&self) -> bool {
        self.commands.is_empty() && self.watches.is_empty()
    }

    /// Handles all received messages, and everything that is due.
    pub(crate) fn step(&mut self, now: Timestamp) {
        while let Some(item) = self.inbox.try_next() {
            let effects = match item {
                InboxEvent::NodeGone { node, .. } => self.proxy.on_node_gone(node, now),
                InboxEvent::Link(_) => Vec::new(),
                InboxEvent::Message(message) => match message.body {
                    MessageBody::Heartbeat(heartbeat) => {
                        let heads = heartbeat.heads.iter();
                        heads.flat_map(|head| self.proxy.on_heartbeat(message.from, head, now)).collect()
                    }
                    body => self.proxy.on(message.from, message.correlation, body, now),
                },
            };
            self.carry_out(effects, now);
        }
        if self.proxy.next_deadline().is_some_and(|deadline| deadline <= now) {
            let effects = self.proxy.tick(now);
            self.carry_out(effects, now);
            let next = self.proxy.next_deadline();
            assert!(next.is_none_or(|next| next > now), "a deadline at {next:?} stays due");
        }
        self.heartbeats.set_follow(TABLE, self.proxy.follow_state());
        for (to, heartbeat) in self.heartbeats.due(&LobbyState::default(), now) {
            self.messenger.send(to, Correlation::default(), heartbeat.into()).ok();
        }
    }

    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        self.proxy.next_deadline().into_iter().chain(self.heartbeats.next_deadline()).min()
    }

    /// Ends the look-up of the owner.
    pub(crate) fn set_owner(&mut self, owner: Option<NodeId>, now: Timestamp) {
        self.looks_up_since = None;
        let effects = match owner {
            Some(owner) => self.proxy.owner_found(owner, now),
            None => self.proxy.owner_not_found(now),
        };
        self.carry_out(effects, now);
    }

    fn carry_out(&mut self, effects: Vec<ProxyEffect>, now: Timestamp) {
        for effect in effects {
            match effect {
                ProxyEffect::Send(Outgoing { to, correlation, body }) => {
                    self.messenger.send(to, correlation, body).ok();
                }
                ProxyEffect::FindOwner => _ = self.looks_up_since.get_or_insert(now),
                ProxyEffect::Publish(publication) => {
                    for client in self.clients.values_mut() {
                        client.receive(&publication);
                    }
                    self.published.extend(self.proxy.head());
                }
                ProxyEffect::Answer { correlation, answer } => self.on_answer(correlation, answer, now),
                ProxyEffect::UpdateState(_) | ProxyEffect::UpdateOverview(_) | ProxyEffect::CheckAccess => {}
            }
        }
    }

    fn on_answer(&mut self, correlation: Correlation, answer: RequestAnswer, now: Timestamp) {
        if let Some(client) = self.watches.remove(&correlation) {
            match answer {
                RequestAnswer::Watch(WatchOutcome::Watching { frames, head, .. }) => {
                    self.start_client(client, head, frames);
                }
                RequestAnswer::TimedOut => self.watch(client, now),
                other => panic!("a watch was answered with {other:?}"),
            }
            return;
        }
        let command = self.commands.remove(&correlation).expect("a request is answered once");
        match answer {
            RequestAnswer::Command(CommandOutcome::Done { match_id, seq }) => {
                let before = self.done.insert(command, Head { match_id, seq });
                assert_eq!(before, None, "a command is answered once");
            }
            RequestAnswer::TimedOut => self.timed_out.push(command),
            other => panic!("a command was answered with {other:?}"),
        }
    }

    fn start_client(&mut self, client: u64, head: Head, mut frames: Vec<Bytes>) {
        let Some(client) = self.clients.get_mut(&client) else { return };
        client.set_head(head, frames.remove(0));
        for publication in std::mem::take(&mut client.early) {
            // Of an earlier match, the snapshot shows the end.
            if publication.match_id >= head.match_id {
                client.receive(&publication);
            }
        }
    }
}
