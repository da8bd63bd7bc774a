//! The nodes that follow a table, at the owner of the table.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_protocol::http::TableStatus;
use quadrex_protocol::view::Head;
use quadrex_protocol::{TableId, UserId};
use quadrex_rules::Timestamp;
use serde::{Deserialize, Serialize};

use crate::limits::FOLLOWER_PATIENCE;
use crate::message::{
    Follow, FollowAnswer, FollowHead, FollowState, MessageBody, NodePresence, NotFollowing, OpenTurnView,
    OverviewUpdate, Presence, Published, TablePublication, TakenFollower, Unfollow, UserPresence,
};
use crate::{Correlation, FollowId, NodeId};

/// The state of a table that is sent with each publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedState {
    /// The current match and the number of its last event.
    pub head: Head,
    /// The fields of the overview that change with every move.
    pub status: TableStatus,
    /// The turn of the player who may move now.
    #[serde(default)]
    pub open_turn: Option<OpenTurnView>,
}

/// A message to another node.
#[derive(Clone, Debug, PartialEq)]
pub struct Outgoing {
    /// The receiver.
    pub to: NodeId,
    /// The number of the request that this message answers, or 0.
    pub correlation: Correlation,
    /// The content.
    pub body: MessageBody,
}

/// A task for the owner of a table.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "an effect is used up at once")]
pub enum FollowerEffect {
    /// Answer a follow with [`TableFollowers::answer`], with the publications after `after`.
    Answer(FollowRequest),
    /// Presence has changed: compute it again from [`TableFollowers::users`] and
    /// [`TableFollowers::spectators`].
    PresenceChanged,
    /// Send a message.
    Send(Outgoing),
}

/// A follow that the owner must answer in the same turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowRequest {
    /// The following node.
    pub node: NodeId,
    /// The number of the request.
    pub correlation: Correlation,
    /// The last event that the node has, if it has any. If it has none, the answer needs no
    /// publications.
    pub after: Option<Head>,
    /// The users at the node whose special frames the answer needs.
    pub users: Vec<UserId>,
}

/// The subscription of one node to a table of this node.
#[derive(Clone, Debug)]
pub struct NodeSubscription {
    /// The number of the follow. If it is 0, the table was taken over from another owner, and the
    /// node does not follow this owner yet.
    follow: FollowId,
    /// The number of messages that were sent for this follow.
    count: u64,
    presence: NodePresence,
    /// The users of requests that arrived before the presence that names them, with the version of
    /// that presence.
    expected: BTreeMap<UserId, u64>,
    /// The last sign that the node follows the table.
    confirmed_at: Timestamp,
}

impl NodeSubscription {
    fn new(follow: FollowId, presence: NodePresence, now: Timestamp) -> Self {
        Self { follow, count: 0, presence, expected: BTreeMap::new(), confirmed_at: now }
    }

    /// Returns whether a user is at this node, as far as this subscription knows.
    fn has(&self, user: UserId) -> bool {
        self.expected.contains_key(&user) || self.presence.users.iter().any(|known| known.user == user)
    }

    /// Replaces the presence, unless it is outdated. Returns whether the presence has changed.
    fn update(&mut self, presence: &NodePresence) -> bool {
        if presence.version <= self.presence.version {
            return false;
        }
        self.expected.retain(|_, version| *version > presence.version);
        let has_changed =
            self.presence.users != presence.users || self.presence.spectators != presence.spectators;
        self.presence.clone_from(presence);
        has_changed
    }

    fn users(&self) -> impl Iterator<Item = UserId> + '_ {
        let named = self.presence.users.iter().map(|known| known.user);
        named.chain(self.expected.keys().copied().filter(|user| !self.is_named(*user)))
    }

    fn is_named(&self, user: UserId) -> bool {
        self.presence.users.iter().any(|known| known.user == user)
    }
}

/// The nodes that follow a table of this node. This is the owner's part of following: it numbers
/// the messages to each node, and knows the users who watch there. It knows no rules, and keeps no
/// history.
#[derive(Clone, Debug)]
pub struct TableFollowers {
    table: TableId,
    nodes: BTreeMap<NodeId, NodeSubscription>,
}

impl TableFollowers {
    /// Returns a table that no node follows.
    #[must_use]
    pub fn new(table: TableId) -> Self {
        Self { table, nodes: BTreeMap::new() }
    }

    /// Returns a table that was taken over. The presence at the other nodes counts until they
    /// follow the new owner, so that nobody seems to be absent meanwhile.
    #[must_use]
    pub fn taken_over(table: TableId, followers: &[TakenFollower], now: Timestamp) -> Self {
        let adopt = |follower: &TakenFollower| {
            (follower.node, NodeSubscription::new(FollowId(0), follower.presence.clone(), now))
        };
        Self { table, nodes: followers.iter().map(adopt).collect() }
    }

    /// Returns the following nodes with their presence, for a node that takes the table over.
    #[must_use]
    pub fn to_take_over(&self) -> Vec<TakenFollower> {
        let follower = |(node, subscription): (&NodeId, &NodeSubscription)| TakenFollower {
            node: *node,
            presence: subscription.presence.clone(),
        };
        self.nodes.iter().map(follower).collect()
    }

    /// Returns whether no node follows the table.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the users who watch at other nodes, with the shortest round-trip time of each.
    #[must_use]
    pub fn users(&self) -> BTreeMap<UserId, Duration> {
        let mut users = BTreeMap::new();
        for UserPresence { user, round_trip_ms } in
            self.nodes.values().flat_map(|subscription| &subscription.presence.users)
        {
            let round_trip = Duration::from_millis(*round_trip_ms);
            let shortest = users.entry(*user).or_insert(round_trip);
            *shortest = round_trip.min(*shortest);
        }
        users
    }

    /// Returns the number of watchers at other nodes who are not among [`users`](Self::users).
    #[must_use]
    pub fn spectators(&self) -> u32 {
        let spectators = self.nodes.values().map(|subscription| subscription.presence.spectators);
        spectators.fold(0, u32::saturating_add)
    }

    /// Handles a message of a following node.
    pub fn on(
        &mut self,
        from: NodeId,
        correlation: Correlation,
        body: &MessageBody,
        now: Timestamp,
    ) -> Vec<FollowerEffect> {
        match body {
            MessageBody::Follow(follow) => self.on_follow(from, correlation, follow, now),
            MessageBody::Unfollow(Unfollow { follow, .. }) => self.on_unfollow(from, *follow),
            MessageBody::Presence(presence) => self.on_presence(from, presence, now),
            MessageBody::Command(command) => {
                self.expect_user(from, command.command.by.id, command.presence_version);
                Vec::new()
            }
            MessageBody::Watch(watch) => {
                if let Some(user) = watch.viewer {
                    self.expect_user(from, user, watch.presence_version);
                }
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn on_follow(
        &mut self,
        node: NodeId,
        correlation: Correlation,
        message: &Follow,
        now: Timestamp,
    ) -> Vec<FollowerEffect> {
        let known = self.nodes.get_mut(&node);
        let has_changed = match known {
            // An older follow that was delayed.
            Some(known) if message.follow < known.follow => return Vec::new(),
            // The answer was lost, or the request was doubled.
            Some(known) if message.follow == known.follow => known.update(&message.presence),
            Some(_) | None => {
                let mut new = NodeSubscription::new(message.follow, message.presence.clone(), now);
                let before = self.nodes.remove(&node);
                let presence = before.as_ref().map(|before| &before.presence);
                if let Some(presence) = presence.filter(|before| before.version > new.presence.version) {
                    new.presence.clone_from(presence);
                }
                new.expected = before.map(|before| before.expected).unwrap_or_default();
                new.expected.retain(|_, version| *version > new.presence.version);
                self.nodes.insert(node, new);
                true
            }
        };
        let subscription = self.nodes.get_mut(&node).expect("it is known or was just inserted");
        subscription.confirmed_at = now;
        let users = subscription.users().collect();
        let request = FollowRequest { node, correlation, after: message.after, users };
        let changed = has_changed.then_some(FollowerEffect::PresenceChanged);
        changed.into_iter().chain([FollowerEffect::Answer(request)]).collect()
    }

    fn on_unfollow(&mut self, node: NodeId, follow: FollowId) -> Vec<FollowerEffect> {
        if self.nodes.get(&node).is_none_or(|known| follow < known.follow) {
            return Vec::new();
        }
        self.nodes.remove(&node);
        vec![FollowerEffect::PresenceChanged]
    }

    fn on_presence(&mut self, node: NodeId, message: &Presence, now: Timestamp) -> Vec<FollowerEffect> {
        match self.nodes.get_mut(&node) {
            Some(known) if known.follow == message.follow => {
                known.confirmed_at = now;
                known
                    .update(&message.presence)
                    .then_some(FollowerEffect::PresenceChanged)
                    .into_iter()
                    .collect()
            }
            known => {
                let known = known.map(|known| known.follow);
                self.refuse(node, message.follow, known)
            }
        }
    }

    /// Handles an entry of a following node's heartbeat.
    pub fn on_heartbeat(&mut self, from: NodeId, state: &FollowState, now: Timestamp) -> Vec<FollowerEffect> {
        match self.nodes.get_mut(&from) {
            Some(known) if known.follow == state.follow => {
                known.confirmed_at = now;
                Vec::new()
            }
            known => {
                let known = known.map(|known| known.follow);
                self.refuse(from, state.follow, known)
            }
        }
    }

    /// Returns the message that a node does not follow the table by this follow, unless the follow
    /// is an older one.
    fn refuse(&self, to: NodeId, follow: FollowId, known: Option<FollowId>) -> Vec<FollowerEffect> {
        if known.is_some_and(|known| follow < known) {
            return Vec::new();
        }
        let body = NotFollowing { table: self.table, follow }.into();
        vec![FollowerEffect::Send(Outgoing { to, correlation: Correlation::default(), body })]
    }

    /// Notes the user of a request, who may receive special frames from now on.
    fn expect_user(&mut self, node: NodeId, user: UserId, presence_version: u64) {
        if let Some(known) = self.nodes.get_mut(&node)
            && presence_version > known.presence.version
        {
            let version = known.expected.entry(user).or_default();
            *version = presence_version.max(*version);
        }
    }

    /// Returns the answer to a follow: the missed publications and the table's overview. Must be
    /// called in the turn in which the follow was handled, and before the next publication.
    #[must_use]
    pub fn answer(
        &self,
        request: &FollowRequest,
        missed: Vec<TablePublication>,
        overview: OverviewUpdate,
    ) -> Option<Outgoing> {
        let subscription = self.nodes.get(&request.node)?;
        let (follow, count) = (subscription.follow, subscription.count);
        let body = FollowAnswer { table: self.table, follow, count, missed, overview }.into();
        Some(Outgoing { to: request.node, correlation: request.correlation, body })
    }

    /// Returns the messages with a publication, one for each following node. A node gets only those
    /// special frames whose users watch there.
    pub fn publish(&mut self, publication: &TablePublication, state: PublishedState) -> Vec<Outgoing> {
        self.send_to_all(state, |subscription| {
            (Some(publication.for_users(|user| subscription.has(user))), None)
        })
    }

    /// Returns the messages with a new overview, one for each following node.
    pub fn publish_overview(&mut self, overview: &OverviewUpdate, state: PublishedState) -> Vec<Outgoing> {
        self.send_to_all(state, |_| (None, Some(overview.clone())))
    }

    fn send_to_all(
        &mut self,
        state: PublishedState,
        content: impl Fn(&NodeSubscription) -> (Option<TablePublication>, Option<OverviewUpdate>),
    ) -> Vec<Outgoing> {
        let table = self.table;
        let PublishedState { head, status, open_turn } = state;
        let following = self.nodes.iter_mut().filter(|(_, subscription)| subscription.follow > FollowId(0));
        let message = |(node, subscription): (&NodeId, &mut NodeSubscription)| {
            subscription.count += 1;
            let (follow, number) = (subscription.follow, subscription.count);
            let (publication, overview) = content(subscription);
            let body = Published { table, follow, number, publication, head, status, open_turn, overview };
            Outgoing { to: *node, correlation: Correlation::default(), body: body.into() }
        };
        following.map(message).collect()
    }

    /// Returns the entries for the heartbeats to the following nodes.
    pub fn heads(&self, head: Head) -> impl Iterator<Item = (NodeId, FollowHead)> + '_ {
        let following = self.nodes.iter().filter(|(_, subscription)| subscription.follow > FollowId(0));
        following.map(move |(node, subscription)| {
            let head = FollowHead {
                table: self.table,
                follow: subscription.follow,
                count: subscription.count,
                head,
                presence_version: subscription.presence.version,
            };
            (*node, head)
        })
    }

    /// Drops the subscription of a node that is dead.
    pub fn on_node_dead(&mut self, node: NodeId) -> Vec<FollowerEffect> {
        self.nodes.remove(&node).map(|_| FollowerEffect::PresenceChanged).into_iter().collect()
    }

    /// Returns the time of the next call of [`tick`](Self::tick).
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        self.nodes.values().map(|subscription| subscription.confirmed_at + FOLLOWER_PATIENCE).min()
    }

    /// Records that no node could confirm its subscription before this time, because there was no
    /// connection between the nodes.
    pub fn excuse_silence(&mut self, now: Timestamp) {
        self.nodes.values_mut().for_each(|subscription| subscription.confirmed_at = now);
    }

    /// Drops the subscriptions that were not confirmed for too long.
    pub fn tick(&mut self, now: Timestamp) -> Vec<FollowerEffect> {
        let count = self.nodes.len();
        self.nodes.retain(|_, subscription| now.since(subscription.confirmed_at) < FOLLOWER_PATIENCE);
        let has_changed = self.nodes.len() < count;
        has_changed.then_some(FollowerEffect::PresenceChanged).into_iter().collect()
    }
}
