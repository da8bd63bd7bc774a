//! A table of another node, at a node where users watch the table.

mod following;
mod owner_look_up;
mod requests;

use std::collections::VecDeque;

use quadrex_protocol::view::Head;
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;

use crate::message::{
    Command, CommandOutcome, FollowHead, FollowState, MessageBody, NodePresence, OverviewUpdate, RevokeLink,
    TablePublication, Unfollow, UserPresence, Watch, WatchOutcome,
};
use crate::metrics::METRICS;
use crate::node_subscription::{Outgoing, PublishedState};
use crate::{Correlation, NodeId, Numbers};

use following::Following;
use owner_look_up::OwnerLookUp;
use requests::Requests;

/// A request to the owner of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableRequest {
    /// A user's command.
    Command(Command),
    /// The first frames for a connection.
    Watch {
        /// The request.
        watch: Watch,
        /// True if the viewer neither holds a seat nor is the host or was kicked, and has no events
        /// yet: such viewers can share a snapshot.
        is_spectator: bool,
    },
    /// The revocation of a link.
    RevokeLink(RevokeLink),
}

/// The answer to a [`TableRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestAnswer {
    /// The outcome of a command.
    Command(CommandOutcome),
    /// The outcome of a watch.
    Watch(WatchOutcome),
    /// The link is revoked.
    LinkRevoked,
    /// No owner has answered in time. The request may be sent again: a command that was committed
    /// nevertheless gets its answer then.
    TimedOut,
}

/// A task for the caller of a [`TableProxy`].
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "an effect is used up at once")]
pub enum ProxyEffect {
    /// Send a message.
    Send(Outgoing),
    /// Look up the owner of the table, and call [`TableProxy::owner_found`] or
    /// [`TableProxy::owner_not_found`].
    FindOwner,
    /// Publish to the watchers at this node.
    Publish(TablePublication),
    /// Update the fields of the overview that change with every move.
    UpdateState(PublishedState),
    /// Replace the overview.
    UpdateOverview(OverviewUpdate),
    /// Check again whether each watcher at this node may watch: the publications that end the
    /// access of watchers may have been lost.
    CheckAccess,
    /// Answer a request.
    Answer {
        /// The number of the request.
        correlation: Correlation,
        /// The answer.
        answer: RequestAnswer,
    },
}

/// A table of another node. It forwards requests to the owner of the table until an owner answers,
/// and publishes what the owner publishes: each event once and in order. It knows no rules, and
/// keeps no history.
///
/// All methods return effects, which the caller must carry out in order. [`tick`](Self::tick) must
/// be called at [`next_deadline`](Self::next_deadline).
#[derive(Debug)]
pub struct TableProxy {
    table: TableId,
    numbers: Numbers,
    owner: Option<NodeId>,
    look_up: OwnerLookUp,
    following: Following,
    requests: Requests,
    presence: NodePresence,
    /// The last event that was published to the watchers at this node.
    head: Option<Head>,
    /// The last matches that were played at the table before.
    past_matches: VecDeque<MatchId>,
    /// The answers that show events which have not been published here: the frames of watches, and the
    /// answers to commands.
    held: Vec<(Correlation, RequestAnswer)>,
    effects: Vec<ProxyEffect>,
}

impl TableProxy {
    /// Returns a proxy that follows the table at this owner, or first looks for the owner. `head` is
    /// the last event that the watchers at this node have received, if there may be watchers.
    #[must_use]
    pub fn new(
        table: TableId,
        numbers: Numbers,
        owner: Option<NodeId>,
        head: Option<Head>,
        now: Timestamp,
    ) -> (Self, Vec<ProxyEffect>) {
        let presence = NodePresence { version: numbers.version(), ..NodePresence::default() };
        let mut proxy = Self {
            table,
            numbers,
            owner: None,
            look_up: OwnerLookUp::default(),
            following: Following::default(),
            requests: Requests::default(),
            presence,
            head,
            past_matches: VecDeque::new(),
            held: Vec::new(),
            effects: Vec::new(),
        };
        match owner {
            Some(owner) => proxy.set_owner(owner, now),
            None => proxy.need_owner(now),
        }
        let effects = proxy.take_effects();
        (proxy, effects)
    }

    /// Returns the last event that was published to the watchers at this node.
    #[must_use]
    pub fn head(&self) -> Option<Head> {
        self.head
    }

    /// Returns the owner, as far as the proxy knows.
    #[must_use]
    pub fn owner(&self) -> Option<NodeId> {
        self.owner
    }

    /// Returns the owner with the entry for the heartbeats to it, while the proxy follows the
    /// table.
    #[must_use]
    pub fn follow_state(&self) -> Option<(NodeId, FollowState)> {
        let (table, presence_version) = (self.table, self.presence.version);
        Some((self.owner?, FollowState { table, follow: self.following.live()?, presence_version }))
    }

    /// Sends a request to the owner. Returns its number, with which it is answered exactly once.
    pub fn request(&mut self, request: TableRequest, now: Timestamp) -> (Correlation, Vec<ProxyEffect>) {
        let correlation = self.numbers.correlation();
        match self.requests.shared_snapshot(&request, now) {
            Some(snapshot) => self.answer(correlation, RequestAnswer::Watch(snapshot)),
            None => {
                self.requests.add(correlation, request, self.head, now);
                self.send_requests(now);
            }
        }
        (correlation, self.take_effects())
    }

    /// Sets the users who watch the table at this node.
    ///
    /// `users` must name every user who may receive special frames: the seated users, the host, and
    /// users who have sent commands from this node. `spectators` is the number of all other
    /// watchers. A user must be named before the request by which it starts to watch or to play. If
    /// a user who watches already is named later, for example because it has taken a seat through
    /// another node, its connections need a new snapshot.
    pub fn set_presence(&mut self, users: Vec<UserPresence>, spectators: u32) -> Vec<ProxyEffect> {
        if self.presence.users != users || self.presence.spectators != spectators {
            self.presence = NodePresence { version: self.numbers.version(), users, spectators };
            self.send_presence();
        }
        self.take_effects()
    }

    /// Continues with the owner that was looked up.
    pub fn owner_found(&mut self, owner: NodeId, now: Timestamp) -> Vec<ProxyEffect> {
        self.look_up.found();
        if self.owner == Some(owner) {
            self.requests.repeat_unanswered(now);
            self.ask_again_if_silent(now);
        } else {
            self.set_owner(owner, now);
        }
        self.send_requests(now);
        self.take_effects()
    }

    /// Notes that the table has no owner now. It is looked up again a moment later.
    pub fn owner_not_found(&mut self, now: Timestamp) -> Vec<ProxyEffect> {
        self.lose_owner();
        self.look_up.not_found(now);
        self.take_effects()
    }

    /// Handles the news that a node lists the table among its own. The node may be the new owner while
    /// the known one cannot report that it is the owner no more, so the owner is looked up again.
    pub fn on_listed(&mut self, node: NodeId, now: Timestamp) -> Vec<ProxyEffect> {
        if self.follow_state().is_none() {
            // After a change of the owner, this is quicker than to ask again.
            return self.owner_found(node, now);
        }
        if self.owner != Some(node) {
            self.need_owner(now);
        }
        self.take_effects()
    }

    /// Handles the report that a node is gone.
    pub fn on_node_gone(&mut self, node: NodeId, now: Timestamp) -> Vec<ProxyEffect> {
        if self.owner == Some(node) {
            self.lose_owner();
            self.need_owner(now);
        }
        self.take_effects()
    }

    /// Handles a message about this table.
    pub fn on(
        &mut self,
        from: NodeId,
        correlation: Correlation,
        body: MessageBody,
        now: Timestamp,
    ) -> Vec<ProxyEffect> {
        match body {
            MessageBody::CommandAnswer(message) => {
                self.hold_or_answer(correlation, RequestAnswer::Command(message.outcome), now);
            }
            MessageBody::WatchAnswer(message) => {
                self.hold_or_answer(correlation, RequestAnswer::Watch(message.outcome), now);
            }
            MessageBody::RevokeLinkAnswer(_) => self.on_answer(correlation, RequestAnswer::LinkRevoked, now),
            MessageBody::NotOwner(message) => self.on_not_owner(from, correlation, message.owner, now),
            MessageBody::FollowAnswer(message) => self.on_follow_answer(from, message, now),
            MessageBody::Published(message) => self.on_published(from, message, now),
            MessageBody::NotFollowing(message) => self.on_not_following(from, message.follow, now),
            _ => {}
        }
        self.take_effects()
    }

    /// Handles an entry of the owner's heartbeat.
    pub fn on_heartbeat(&mut self, from: NodeId, head: &FollowHead, now: Timestamp) -> Vec<ProxyEffect> {
        if self.owner == Some(from) {
            if self.following.on_heartbeat(head, now) && head.presence_version < self.presence.version {
                self.send_presence();
            }
        } else {
            self.unfollow(from, head.follow);
        }
        self.take_effects()
    }

    /// Repeats what was not answered, and looks up the owner if it is silent.
    pub fn tick(&mut self, now: Timestamp) -> Vec<ProxyEffect> {
        for correlation in self.requests.expired(now) {
            self.held.retain(|(held, _)| *held != correlation);
            self.answer(correlation, RequestAnswer::TimedOut);
        }
        if self.following.is_gap_due(now) {
            METRICS.gaps.inc();
            self.ask_to_follow(now);
        }
        if self.requests.are_unanswered(now) || self.following.is_silent(now) {
            self.need_owner(now);
        }
        if self.look_up.is_due(now) {
            self.effects.push(ProxyEffect::FindOwner);
        }
        self.take_effects()
    }

    /// Returns the time of the next call of [`tick`](Self::tick).
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        // While the owner is looked up, silence changes nothing.
        let silent = [self.requests.next_unanswered(), self.following.next_silent()];
        let silent = silent.into_iter().flatten().filter(|_| self.look_up.is_idle());
        let others = [self.requests.next_expiry(), self.following.next_gap(), self.look_up.next_deadline()];
        silent.chain(others.into_iter().flatten()).min()
    }

    /// Ends the proxy, for example because this node is the owner of the table now. Returns the
    /// requests without an answer, and the message by which the owner learns of the end.
    #[must_use]
    pub fn close(self) -> (Vec<(Correlation, TableRequest)>, Option<Outgoing>) {
        let unfollow = self.owner.zip(self.following.current()).map(|(to, follow)| Outgoing {
            to,
            correlation: Correlation::default(),
            body: Unfollow { table: self.table, follow }.into(),
        });
        (self.requests.into_open(), unfollow)
    }

    /// Starts to look up the owner, unless that is under way.
    fn need_owner(&mut self, now: Timestamp) {
        if self.look_up.start(now) {
            self.effects.push(ProxyEffect::FindOwner);
        }
    }

    fn lose_owner(&mut self) {
        self.owner = None;
        self.following.stop();
    }

    fn set_owner(&mut self, owner: NodeId, now: Timestamp) {
        self.owner = Some(owner);
        self.ask_to_follow(now);
        self.send_requests(now);
    }

    fn on_not_owner(
        &mut self,
        from: NodeId,
        correlation: Correlation,
        owner: Option<NodeId>,
        now: Timestamp,
    ) {
        self.requests.refused(correlation, from);
        if self.owner == Some(from) {
            self.lose_owner();
            match owner.filter(|owner| *owner != from && self.look_up.accepts_hint(now)) {
                Some(owner) => self.set_owner(owner, now),
                None => self.need_owner(now),
            }
        } else {
            self.send_requests(now);
        }
    }

    fn on_answer(&mut self, correlation: Correlation, answer: RequestAnswer, now: Timestamp) {
        let Some(riders) = self.requests.answered(correlation, &answer, self.head, now) else { return };
        for rider in riders {
            self.answer(rider, answer.clone());
        }
        self.answer(correlation, answer);
        self.send_requests(now);
    }

    /// Returns whether an answer shows events that have not been published here.
    fn is_ahead(&self, answer: &RequestAnswer) -> bool {
        let shown = match answer {
            RequestAnswer::Watch(WatchOutcome::Watching { head, .. }) => head,
            // A repeated command may have been committed in an earlier match.
            RequestAnswer::Command(CommandOutcome::Done { match_id, seq }) => {
                return self.head.is_some_and(|head| head.match_id == *match_id && head.seq < *seq);
            }
            _ => return false,
        };
        self.head.is_none_or(|head| {
            let is_past = self.past_matches.contains(&shown.match_id);
            if head.match_id == shown.match_id { head.seq < shown.seq } else { !is_past }
        })
    }

    /// Answers a request, as soon as the events that the answer shows have been published here. Thus
    /// a watcher receives the later publications in order, and the overview shows the effects of a
    /// command when it is answered.
    fn hold_or_answer(&mut self, correlation: Correlation, answer: RequestAnswer, now: Timestamp) {
        if self.is_ahead(&answer) {
            self.held.push((correlation, answer));
        } else {
            self.on_answer(correlation, answer, now);
        }
    }

    /// Answers the requests that have waited for publications.
    fn release_held(&mut self, now: Timestamp) {
        for (correlation, answer) in std::mem::take(&mut self.held) {
            self.hold_or_answer(correlation, answer, now);
        }
    }

    /// Sends the requests that have not been sent to the current owner.
    fn send_requests(&mut self, now: Timestamp) {
        let Some(owner) = self.owner else {
            if !self.requests.is_empty() {
                self.need_owner(now);
            }
            return;
        };
        let may_watch = self.following.live().is_some();
        for (correlation, body) in self.requests.due(owner, may_watch, self.presence.version, now) {
            self.send(owner, correlation, body);
        }
    }

    fn send_presence(&mut self) {
        if let Some((owner, follow)) = self.owner.zip(self.following.live()) {
            let presence = self.presence.clone();
            let body = crate::message::Presence { table: self.table, follow, presence };
            self.send(owner, Correlation::default(), body.into());
        }
    }

    fn answer(&mut self, correlation: Correlation, answer: RequestAnswer) {
        self.effects.push(ProxyEffect::Answer { correlation, answer });
    }

    fn send(&mut self, to: NodeId, correlation: Correlation, body: MessageBody) {
        self.effects.push(ProxyEffect::Send(Outgoing { to, correlation, body }));
    }

    fn take_effects(&mut self) -> Vec<ProxyEffect> {
        std::mem::take(&mut self.effects)
    }
}
