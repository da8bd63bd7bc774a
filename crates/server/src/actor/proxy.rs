//! The proxy of a table: the task that serves the endpoint of a table which another node owns.
//!
//! The proxy passes commands on to the owner, and publishes to the watchers at this node what the
//! owner publishes. [`TableProxy`] decides what to send and when. This task does the I/O.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use quadrex_cluster::message::{
    self, Command, CommandOutcome, PublicationContent, RevokeLink, SecretHashBytes, TablePublication, Watch,
    WatchOutcome,
};
use quadrex_cluster::{Correlation, NodeId, ProxyEffect, RequestAnswer, TableProxy, TableRequest};
use quadrex_protocol::view::{Head, Phase};
use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use quadrex_store::SecretHash;
use tokio::sync::{mpsc, oneshot};

use super::endpoint::{ServeEnd, Served, TableEndpoint};
use super::handle::{
    ActorMessage, Answer, CommandRequest, InitialFrames, MailboxItem, NodeMessage, ResumeFrom, TableHandle,
};
use super::load::{LoadError, replay};
use super::restart::panic_message;
use super::table_actor::TableDeps;
use super::table_overview::TableOverview;
use super::watcher_list::{WatchRight, Watcher, WatcherId};
use crate::bus::{Frame, Publication, PublicationKind};
use crate::cluster::{ClusterLink, from_message};
use crate::fault::Fault;

/// The time for which a proxy without watchers and requests stays.
const UNUSED_LIFETIME: Duration = Duration::from_secs(10);

/// The largest number of spectators whom a proxy names to the owner because seats are open.
const MAX_NAMED_SPECTATORS: usize = 500;

/// The task that serves the endpoint of a table which another node owns.
#[derive(Debug)]
pub struct ProxyServer {
    deps: TableDeps,
    cluster: ClusterLink,
    endpoint: TableEndpoint,
    proxy: TableProxy,
    /// The effects that are not carried out yet.
    effects: Vec<ProxyEffect>,
    /// The senders of the answers to open requests.
    requests: BTreeMap<Correlation, Reply>,
    /// The users who have sent commands from this node, and may receive frames of their own.
    senders: BTreeSet<UserId>,
    found_owners: mpsc::UnboundedReceiver<Option<NodeId>>,
    owner_finder: mpsc::UnboundedSender<Option<NodeId>>,
    /// The time since which nobody has used the proxy.
    unused_since: Option<Timestamp>,
    /// The owner to follow first, if it is known.
    known_owner: Option<NodeId>,
}

/// The sender of the answer to a request.
#[derive(Debug)]
enum Reply {
    Command(oneshot::Sender<Answer>),
    Watch(oneshot::Sender<InitialFrames>),
    LinkRevoked,
}

impl ProxyServer {
    /// Reads a match from the store, and returns a proxy for its table. `owner` is the node that owns
    /// the table, as far as known.
    ///
    /// # Errors
    /// Returns [`LoadError`] if the match cannot be read.
    ///
    /// # Panics
    /// Panics if the server does not belong to a cluster.
    pub async fn read(
        deps: TableDeps,
        table: TableId,
        match_id: MatchId,
        owner: Option<NodeId>,
    ) -> Result<Self, LoadError> {
        let history = replay(&deps.store, table, match_id).await?;
        let (bus, cluster) = (deps.bus.clone(), deps.cluster.clone());
        let endpoint = TableEndpoint::new(bus, cluster, history.state(), history.last_at(), false);
        Ok(Self::on(deps, endpoint, owner))
    }

    /// Returns a proxy that serves an existing endpoint.
    ///
    /// # Panics
    /// Panics if the server does not belong to a cluster.
    #[must_use]
    pub fn on(deps: TableDeps, mut endpoint: TableEndpoint, owner: Option<NodeId>) -> Self {
        let cluster = deps.cluster.clone().expect("only a node of a cluster has proxies");
        endpoint.record_lost_actor();
        endpoint.was_claimed = false;
        // The next owner publishes presence too.
        endpoint.published.presence = None;
        endpoint.stop_following(owner);
        let head = Head { match_id: endpoint.published.match_id, seq: endpoint.published.seq };
        let now = deps.clock.now();
        let (proxy, mut effects) =
            TableProxy::new(endpoint.table(), cluster.numbers(), None, Some(head), now);
        if owner.is_some() {
            effects.retain(|effect| *effect != ProxyEffect::FindOwner);
        }
        let (owner_finder, found_owners) = mpsc::unbounded_channel();
        Self {
            deps,
            cluster,
            endpoint,
            proxy,
            effects,
            requests: BTreeMap::new(),
            senders: BTreeSet::new(),
            found_owners,
            owner_finder,
            unused_since: None,
            known_owner: owner,
        }
    }

    /// Returns the table's id.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.endpoint.table()
    }

    /// Returns a handle to the table.
    #[must_use]
    pub fn handle(&self) -> TableHandle {
        self.endpoint.handle()
    }

    /// Serves the table's endpoint. Ends when the proxy is stopped or asked to leave the endpoint to
    /// an actor, when it panics, or when nobody has used it for a while.
    pub async fn serve(mut self) -> Served {
        let end = AssertUnwindSafe(self.run()).catch_unwind().await;
        let end = end.unwrap_or_else(|panic| ServeEnd::Panicked(panic_message(&*panic)));
        let Self { cluster, endpoint, proxy, .. } = self;
        cluster.set_follow(endpoint.table(), None);
        let (_, unfollow) = proxy.close();
        if let Some(unfollow) = unfollow {
            cluster.send(unfollow);
        }
        // The replies of open requests are dropped. The requests are repeated at the next task.
        Served { endpoint, end }
    }

    async fn run(&mut self) -> ServeEnd {
        self.update_presence();
        // The follow names the users here, so that the owner sends them the missed events with their
        // legal moves.
        if let Some(owner) = self.known_owner.take() {
            let effects = self.proxy.owner_found(owner, self.deps.clock.now());
            self.effects.extend(effects);
        }
        loop {
            let now = self.deps.clock.now();
            self.carry_out_effects(now);
            self.cluster.set_follow(self.id(), self.proxy.follow_state());
            let is_used = !self.endpoint.watchers.is_empty() || !self.requests.is_empty();
            self.unused_since = if is_used { None } else { self.unused_since.or(Some(now)) };
            let wake_time = self.next_wake_time();
            let clock = self.deps.clock.clone();
            let wake = async {
                match wake_time {
                    Some(at) => clock.sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                item = self.endpoint.receive() => match item {
                    None => return ServeEnd::Closed,
                    Some(MailboxItem::Stop) => return ServeEnd::Stopped,
                    Some(MailboxItem::HandOver) => return ServeEnd::HandedOver,
                    Some(MailboxItem::Message(message)) => {
                        let now = self.deps.clock.now();
                        self.handle_message(message, now);
                    }
                },
                Some(owner) = self.found_owners.recv() => {
                    let now = self.deps.clock.now();
                    let effects = match owner {
                        Some(owner) => self.proxy.owner_found(owner, now),
                        None => self.proxy.owner_not_found(now),
                    };
                    self.effects.extend(effects);
                }
                () = wake => {
                    let now = self.deps.clock.now();
                    let effects = self.proxy.tick(now);
                    self.effects.extend(effects);
                    self.end_expired_links(now);
                    if self.unused_since.is_some_and(|since| now.since(since) >= UNUSED_LIFETIME) {
                        self.endpoint.close();
                    }
                }
            }
        }
    }

    fn next_wake_time(&self) -> Option<Timestamp> {
        let unused = self.unused_since.map(|since| since + UNUSED_LIFETIME);
        [self.proxy.next_deadline(), self.endpoint.watchers.link_expiry(), unused].into_iter().flatten().min()
    }

    fn handle_message(&mut self, message: ActorMessage, now: Timestamp) {
        match message {
            ActorMessage::Command { request, reply } => self.send_command(request, reply, now),
            ActorMessage::Watch { watcher_id, watcher, resume_from, reply } => {
                self.watch(watcher_id, watcher, resume_from, reply, now);
            }
            // Only an actor claims a match.
            ActorMessage::Claim { reply } => drop(reply),
            ActorMessage::RevokeLink { link } => {
                let revoke = RevokeLink { table: self.id(), link: SecretHashBytes(link.0) };
                self.request(TableRequest::RevokeLink(revoke), Reply::LinkRevoked, now);
            }
            ActorMessage::Unwatch { watcher_id } => {
                self.endpoint.watchers.remove(watcher_id);
                self.update_presence();
            }
            ActorMessage::FromNode(message) => self.handle_node_message(message, now),
        }
    }

    fn handle_node_message(&mut self, message: NodeMessage, now: Timestamp) {
        let effects = match message {
            NodeMessage::Message { from, correlation, body } => {
                if body.is_for_owner() {
                    let answer = message::NotOwner { table: self.id(), owner: self.proxy.owner() };
                    return self.cluster.send_to(from, correlation, answer.into());
                }
                self.proxy.on(from, correlation, *body, now)
            }
            NodeMessage::Follows { from, state } => {
                let answer = message::NotFollowing { table: self.id(), follow: state.follow };
                return self.cluster.send_to(from, Correlation::default(), answer.into());
            }
            NodeMessage::Followed { from, head } => self.proxy.on_heartbeat(from, &head, now),
            NodeMessage::Lists { node } => self.proxy.on_listed(node, now),
            NodeMessage::Reconnected { .. } => Vec::new(),
            NodeMessage::Gone { node, .. } => self.proxy.on_node_gone(node, now),
        };
        self.effects.extend(effects);
    }

    fn send_command(&mut self, request: CommandRequest, reply: oneshot::Sender<Answer>, now: Timestamp) {
        let author = request.command.by.id;
        self.senders.insert(author);
        self.update_presence();
        let round_trip = self.endpoint.watchers.round_trip_of(author).unwrap_or_default();
        let command = Command {
            table: self.id(),
            command: request.command,
            command_id: request.command_id,
            match_id: request.match_id,
            redeemed_invite: request.redeemed_invite.map(|hash| SecretHashBytes(hash.0)),
            origin: request.origin,
            round_trip_ms: u64::try_from(round_trip.as_millis()).unwrap_or(u64::MAX),
            presence_version: 0,
        };
        self.request(TableRequest::Command(command), Reply::Command(reply), now);
    }

    fn watch(
        &mut self,
        watcher_id: WatcherId,
        watcher: Watcher,
        resume_from: ResumeFrom,
        reply: oneshot::Sender<InitialFrames>,
        now: Timestamp,
    ) {
        let viewer = watcher.viewer.user();
        let watch = Watch {
            table: self.id(),
            viewer,
            right: match watcher.right {
                WatchRight::Unconditional => message::WatchRight::Unconditional,
                WatchRight::MembersOnly => message::WatchRight::MembersOnly,
            },
            link: watcher.link.map(|link| message::AccessLink {
                secret_hash: SecretHashBytes(link.secret_hash.0),
                expires_at: link.expires_at,
            }),
            may_stay_when_kicked: watcher.may_stay_when_kicked,
            is_preview: watcher.is_preview,
            visitor: watcher.visitor.clone(),
            resume_after: match resume_from {
                ResumeFrom::Nothing => None,
                ResumeFrom::After(match_id, seq) => Some(Head { match_id, seq }),
            },
            presence_version: 0,
        };
        self.endpoint.watchers.add(watcher_id, watcher);
        self.update_presence();
        let is_special = viewer.is_some_and(|user| self.is_named(user));
        let is_spectator = !is_special && resume_from == ResumeFrom::Nothing && watch.visitor.is_none();
        self.request(TableRequest::Watch { watch, is_spectator }, Reply::Watch(reply), now);
    }

    fn request(&mut self, request: TableRequest, reply: Reply, now: Timestamp) {
        let (correlation, effects) = self.proxy.request(request, now);
        self.requests.insert(correlation, reply);
        self.effects.extend(effects);
    }

    fn carry_out_effects(&mut self, now: Timestamp) {
        for effect in std::mem::take(&mut self.effects) {
            match effect {
                ProxyEffect::Send(message) => self.cluster.send(message),
                ProxyEffect::FindOwner => self.find_owner(),
                ProxyEffect::Publish(publication) => {
                    if quadrex_runtime::has_planted!(ProxyPublishesTwice) {
                        self.publish(publication.clone());
                    }
                    self.publish(publication);
                }
                ProxyEffect::UpdateState(state) => {
                    self.endpoint.overview.send_modify(|overview| overview.set_published_state(state));
                    self.deps.changed_tables.add(self.id());
                }
                ProxyEffect::UpdateOverview(update) => {
                    self.endpoint.overview.send_modify(|overview| {
                        *overview = TableOverview::from_update(&update, Some(overview));
                    });
                    self.deps.changed_tables.add(self.id());
                    self.update_presence();
                }
                ProxyEffect::CheckAccess => self.end_lost_access(),
                ProxyEffect::Answer { correlation, answer } => self.answer(correlation, answer, now),
            }
        }
        if !self.effects.is_empty() {
            self.carry_out_effects(now);
        }
    }

    fn find_owner(&self) {
        let (cluster, table, finder) = (self.cluster.clone(), self.id(), self.owner_finder.clone());
        quadrex_runtime::spawn(async move {
            // The proxy may have ended.
            finder.send(cluster.find_owner(table).await).ok();
        });
    }

    /// Publishes to the watchers at this node what the owner has published.
    fn publish(&mut self, message: TablePublication) {
        let match_id = message.match_id;
        match &message.content {
            PublicationContent::Event { seq, .. }
            | PublicationContent::NextMatch { seq, .. }
            | PublicationContent::Snapshot { seq, .. } => {
                (self.endpoint.published.match_id, self.endpoint.published.seq) = (match_id, *seq);
            }
            PublicationContent::LeftTable { users } => self.endpoint.watchers.remove_former_members(users),
            PublicationContent::Kicked { users } => self.endpoint.watchers.remove_kicked(users),
            PublicationContent::LinksEnded { links, members } => {
                let is_ended = |hash: SecretHash| links.contains(&SecretHashBytes(hash.0));
                self.endpoint.watchers.revoke_links(|access| is_ended(access.secret_hash), members);
            }
            PublicationContent::Presence { .. } => {}
        }
        match from_message(self.id(), message) {
            Some(publication) => self.endpoint.publish_here(publication),
            None => tracing::warn!("a publication of another node has a malformed frame"),
        }
        self.update_presence();
    }

    /// Ends the access of the watchers that have lost their right while publications were lost.
    fn end_lost_access(&mut self) {
        let overview = self.endpoint.overview.borrow().clone();
        let members = overview.members();
        let mut left: Vec<UserId> = self.endpoint.watchers.users().into_iter().collect();
        left.retain(|user| !members.contains(user));
        let (table, match_id) = (self.id(), self.endpoint.published.match_id);
        let kicked = overview.kicked.to_vec();
        self.endpoint.watchers.remove_former_members(&left);
        self.endpoint.watchers.remove_kicked(&kicked);
        for kind in [PublicationKind::LeftTable { users: left }, PublicationKind::Kicked { users: kicked }] {
            self.endpoint.publish_here(Publication { table, match_id, kind });
        }
        self.update_presence();
    }

    /// Ends the access of watchers whose links have expired.
    fn end_expired_links(&mut self, now: Timestamp) {
        if self.endpoint.watchers.link_expiry().is_none_or(|expiry| expiry > now) {
            return;
        }
        let overview = self.endpoint.overview.borrow().clone();
        let members = overview.members();
        let links = self.endpoint.watchers.revoke_links(|access| access.expires_at <= now, &members);
        let kind = PublicationKind::LinksEnded { links, members };
        self.endpoint.publish_here(Publication {
            table: self.id(),
            match_id: self.endpoint.published.match_id,
            kind,
        });
        self.update_presence();
    }

    fn answer(&mut self, correlation: Correlation, answer: RequestAnswer, now: Timestamp) {
        let Some(reply) = self.requests.remove(&correlation) else { return };
        match (reply, answer) {
            (Reply::Command(reply), RequestAnswer::Command(outcome)) => {
                reply.send(answer_of(outcome)).ok();
            }
            (Reply::Command(reply), RequestAnswer::TimedOut) => {
                let fault = Fault::log(
                    &self.deps.entropy,
                    now,
                    "reach the owner of a table",
                    &OwnerSilent { table: self.id() },
                );
                reply.send(Answer::Fault(fault)).ok();
            }
            (Reply::Watch(reply), RequestAnswer::Watch(outcome)) => {
                if let Some(initial) = initial_frames(outcome) {
                    reply.send(initial).ok();
                }
            }
            // Without an answer, the watcher is refused.
            (Reply::Watch(_) | Reply::LinkRevoked | Reply::Command(_), _) => {}
        }
    }

    /// Returns whether a user may receive frames of its own.
    fn is_named(&self, user: UserId) -> bool {
        let overview = self.endpoint.overview.borrow();
        let is_member = overview.host().id == user || overview.seated().any(|seated| seated == user);
        is_member || overview.kicked.contains(&user) || self.senders.contains(&user)
    }

    /// Updates the users who watch the table at this node.
    fn update_presence(&mut self) {
        let watching = self.endpoint.watchers.users();
        self.senders.retain(|sender| watching.contains(sender));
        let (mut named, spectators): (BTreeSet<UserId>, BTreeSet<UserId>) =
            watching.into_iter().partition(|user| self.is_named(*user));
        // Each of them may take a seat over a connection to another node, and then receives frames of
        // its own at once.
        if self.endpoint.overview.borrow().phase() != Phase::Running {
            named.extend(spectators.into_iter().take(MAX_NAMED_SPECTATORS));
        }
        let (users, spectators) = self.endpoint.watchers.node_presence(|user| named.contains(&user));
        let effects = self.proxy.set_presence(users, spectators);
        self.effects.extend(effects);
    }
}

/// The error of a command to a table whose owner does not answer.
#[derive(Debug, thiserror::Error)]
#[error("the owner of the table {table} does not answer")]
struct OwnerSilent {
    table: TableId,
}

fn answer_of(outcome: CommandOutcome) -> Answer {
    match outcome {
        CommandOutcome::Done { match_id, seq } => Answer::Done { match_id, seq },
        CommandOutcome::Refused { match_id, code, text } => Answer::Refused { match_id, code, text },
        CommandOutcome::InviteUsed => Answer::InviteUsed,
        CommandOutcome::Fault { id } => Answer::Fault(Fault::of_other_server(id)),
    }
}

fn initial_frames(outcome: WatchOutcome) -> Option<InitialFrames> {
    let WatchOutcome::Watching { frames, head, is_seated, .. } = outcome else { return None };
    let frames: Option<Vec<Frame>> = frames.into_iter().map(Frame::from_bytes).collect();
    Some(InitialFrames { frames: frames?, match_id: head.match_id, head: head.seq, is_seated })
}
