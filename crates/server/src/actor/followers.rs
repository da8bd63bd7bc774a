//! The nodes that follow a table of this node. Their watchers count as the table's own, and they
//! receive what the table publishes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use quadrex_cluster::message::{
    self, Command, CommandAnswer, CommandOutcome, FrameSet, MessageBody, NodePresence, NotOwner,
    PublicationContent, RevokeLinkAnswer, SpecialFrame, TablePublication, TakenFollower, Watch, WatchAnswer,
    WatchOutcome,
};
use quadrex_cluster::{
    Correlation, FollowRequest, FollowerEffect, NodeId, Outgoing, PublishedState, TableFollowers,
};
use quadrex_protocol::UserId;
use quadrex_protocol::view::Head;
use quadrex_rules::Timestamp;
use quadrex_store::SecretHash;
use quadrex_table::{
    ConnectedPlayer, PresenceView, TableState, Viewer, frames, seats_of, status as status_of,
};

use super::endpoint::TableEndpoint;
use super::handle::{Answer, CommandRequest, NodeMessage, ResumeFrom};
use super::publications;
use super::rtt_handle::RttHandle;
use super::table_actor::TableActor;
use super::watcher_list::{AccessLink, WatchRight, Watcher};
use super::watching::has_shown_names;
use crate::bus::{Frame, Publication, PublicationKind};
use crate::cluster::to_message;

/// The shortest interruption of the connection to the other nodes for which players are compensated.
const MIN_COMPENSATED: Duration = Duration::from_secs(2);

impl TableEndpoint {
    /// Publishes to the watchers at this node, and to the nodes that follow the table.
    pub(super) fn publish(&mut self, publication: Publication, state: &TableState) {
        if self.is_followed() {
            let message = to_message(&publication);
            self.send_all(|endpoint, now_state| endpoint.followers.publish(&message, now_state), state);
        }
        self.publish_here(publication);
    }

    /// Publishes an event of the match that was published last.
    pub(super) fn publish_event(&mut self, seq: u64, publication: Publication, state: &TableState) {
        // The number is set first. If a listener panics, the event is in the channel already.
        self.published.seq = seq;
        self.publish(publication, state);
    }

    /// Sends the overview to the following nodes, if more has changed than the fields that are sent
    /// with each publication.
    pub(super) fn publish_overview(&mut self, state: &TableState) {
        if !self.is_followed() {
            self.followed_overview = None;
            return;
        }
        let overview = self.overview.borrow().clone();
        if self.followed_overview.as_ref().is_some_and(|known| known.differs_in_state_only(&overview)) {
            return;
        }
        let update = overview.to_update();
        self.followed_overview = Some(overview);
        self.send_all(|endpoint, now_state| endpoint.followers.publish_overview(&update, now_state), state);
    }

    /// Sets the heads of the following nodes for this node's heartbeats.
    pub(super) fn publish_heads(&mut self) {
        let Some(cluster) = &self.cluster else { return };
        if std::mem::replace(&mut self.has_heads, !self.followers.is_empty()) || self.has_heads {
            let head = Head { match_id: self.published.match_id, seq: self.published.seq };
            cluster.set_heads(self.table(), self.followers.heads(head));
        }
    }

    /// Returns the nodes that follow this table for its next owner, this node among them.
    #[must_use]
    pub fn to_take_over(&self) -> Vec<TakenFollower> {
        let mut followers = self.followers.to_take_over();
        if let Some(cluster) = &self.cluster {
            let overview = self.overview.borrow().clone();
            let is_member =
                |user| overview.host().id == user || overview.seated().any(|seated| seated == user);
            let (users, spectators) = self.watchers.node_presence(is_member);
            let presence = NodePresence { version: 0, users, spectators };
            followers.push(TakenFollower { node: cluster.node(), presence });
        }
        followers
    }

    /// Ends the follows of all nodes, because another node owns the table now: `owner`, if it is known.
    pub fn stop_following(&mut self, owner: Option<NodeId>) {
        let table = self.table();
        let followers = std::mem::replace(&mut self.followers, TableFollowers::new(table));
        (self.followed_overview, self.has_heads) = (None, false);
        if let Some(cluster) = &self.cluster {
            cluster.set_heads(table, []);
            for follower in followers.to_take_over() {
                let body = NotOwner { table, owner }.into();
                cluster.send(Outgoing { to: follower.node, correlation: Correlation::default(), body });
            }
        }
    }

    fn is_followed(&self) -> bool {
        self.cluster.is_some() && !self.followers.is_empty()
    }

    fn send_all(
        &mut self,
        messages: impl FnOnce(&mut Self, PublishedState) -> Vec<Outgoing>,
        state: &TableState,
    ) {
        let spectators = self.overview.borrow().status.spectators;
        let published = PublishedState {
            head: Head { match_id: state.match_id(), seq: state.head() },
            status: status_of(state, spectators),
            open_turn: state.open_turn().map(Into::into),
        };
        let outgoing = messages(self, published);
        if let Some(cluster) = &self.cluster {
            outgoing.into_iter().for_each(|message| cluster.send(message));
        }
    }

    /// Returns whether nobody watches the table, here or at another node.
    pub(super) fn is_unwatched(&self) -> bool {
        self.watchers.is_empty() && self.followers.users().is_empty() && self.followers.spectators() == 0
    }

    /// Returns whether a connection of this user watches the table, here or at another node.
    pub(super) fn is_present(&self, user: UserId) -> bool {
        self.watchers.is_present(user) || self.followers.users().contains_key(&user)
    }

    /// Returns the colors whose seat holders watch the table, here or at another node.
    pub(super) fn connected_players(&self, state: &TableState) -> Vec<ConnectedPlayer> {
        self.watchers.connected_players(state, self.remote_users())
    }

    /// Returns whether the presence at the other nodes is known at `now`.
    pub(super) fn knows_presence(&self, now: Timestamp) -> bool {
        self.presence_known_at.is_none_or(|at| at <= now)
    }

    /// Returns the presence at `now`, here and at the other nodes. As long as their presence is not
    /// known, all players count as connected.
    pub(super) fn presence(&self, state: &TableState, now: Timestamp) -> PresenceView {
        let mut presence = self.watchers.presence(state, now);
        if !self.knows_presence(now) {
            presence = presence.with_all_connected();
        }
        let is_spectator = |user: &UserId| seats_of(state, Viewer::User(*user)).is_empty();
        let unseated = self.remote_users().keys().filter(|user| is_spectator(user)).count();
        let elsewhere =
            self.followers.spectators().saturating_add(u32::try_from(unseated).unwrap_or(u32::MAX));
        presence.spectators = presence.spectators.saturating_add(elsewhere);
        presence
    }

    /// Returns the users who watch the table, here and at the other nodes.
    pub(super) fn all_users(&self) -> BTreeSet<UserId> {
        let remote = self.remote_users();
        self.watchers.users().into_iter().chain(remote.into_keys()).collect()
    }

    fn remote_users(&self) -> BTreeMap<UserId, Duration> {
        if self.followers.is_empty() { BTreeMap::new() } else { self.followers.users() }
    }
}

impl TableActor {
    /// Handles a message of another node, or news about it.
    pub(super) async fn handle_node_message(&mut self, message: NodeMessage, now: Timestamp) {
        let effects = match message {
            NodeMessage::Message { from, correlation, body } => {
                let effects = self.endpoint.followers.on(from, correlation, &body, now);
                self.handle_follower_effects(effects, now);
                return self.handle_request(from, correlation, *body, now).await;
            }
            NodeMessage::Follows { from, state } => self.endpoint.followers.on_heartbeat(from, &state, now),
            // This node owns the table now. The former owner learns it from the database.
            NodeMessage::Followed { .. } | NodeMessage::Lists { .. } => Vec::new(),
            NodeMessage::Reconnected { unreached_for } => {
                self.endpoint.followers.excuse_silence(now);
                return self.compensate_isolation(unreached_for, now).await;
            }
            NodeMessage::Gone { node, is_dead: true } => self.endpoint.followers.on_node_dead(node),
            NodeMessage::Gone { is_dead: false, .. } => Vec::new(),
        };
        self.handle_follower_effects(effects, now);
    }

    /// Drops the nodes that have not confirmed for too long that they follow the table.
    pub(super) fn drop_silent_followers(&mut self, now: Timestamp) {
        if self.endpoint.cluster.as_ref().is_some_and(|cluster| !cluster.is_connected()) {
            // The silence is this node's fault or that of the message server.
            self.endpoint.followers.excuse_silence(now);
        }
        let effects = self.endpoint.followers.tick(now);
        self.handle_follower_effects(effects, now);
    }

    /// Compensates the player to move for the time in which this node did not reach the player's
    /// node.
    async fn compensate_isolation(&mut self, unreached_for: Duration, now: Timestamp) {
        let state = self.state();
        let holder = state.turn().and_then(|turn| {
            let seat = state.seats().iter().find(|seat| seat.color == turn)?;
            Some(seat.holder.as_ref()?.id)
        });
        let is_elsewhere = holder.is_some_and(|holder| !self.endpoint.watchers.is_present(holder));
        if is_elsewhere && unreached_for >= MIN_COMPENSATED {
            self.stall.begin(now - unreached_for);
            self.run_due_timers(now).await;
        }
    }

    fn handle_follower_effects(&mut self, effects: Vec<FollowerEffect>, now: Timestamp) {
        for effect in effects {
            match effect {
                FollowerEffect::Answer(request) => self.answer_follow(&request, now),
                FollowerEffect::PresenceChanged => {
                    self.bot_notifier.mark_outdated();
                    self.presence_changed(now);
                }
                FollowerEffect::Send(message) => self.send(message),
            }
        }
    }

    fn answer_follow(&mut self, request: &FollowRequest, now: Timestamp) {
        let missed = self.missed_by(request, now);
        let overview = self.endpoint.overview.borrow().to_update();
        let answer = self.endpoint.followers.answer(request, missed, overview);
        if let Some(answer) = answer {
            self.send(answer);
        }
    }

    /// Returns the publications that a node may have missed: the events and the presence, or a snapshot
    /// if the events are too many.
    fn missed_by(&mut self, request: &FollowRequest, now: Timestamp) -> Vec<TablePublication> {
        let Some(after) = request.after else { return Vec::new() };
        let presence = self.shown_presence(now);
        let state = self.state();
        let head = state.head();
        let is_current = after == Head { match_id: state.match_id(), seq: head };
        let is_resumable = after.match_id == state.match_id()
            && !has_shown_names(state)
            && after.seq <= head
            && head - after.seq <= self.deps.max_resync_events;
        let publication = |content| TablePublication { match_id: state.match_id(), content };
        if !is_current && !is_resumable {
            let snapshot = |viewer| frames::snapshot::<Frame>(self.log.history(), &presence, viewer, now);
            let special = request.users.iter().map(|user| (*user, snapshot(Viewer::User(*user))));
            let frames = frame_set(snapshot(Viewer::Anonymous), special);
            return vec![publication(PublicationContent::Snapshot { seq: head, frames })];
        }
        let events = frames::events_after::<Frame>(self.log.history(), after.seq, now).into_iter();
        let events = events.map(|(seq, frames)| {
            let frames = FrameSet::new(&frames, Frame::bytes);
            publication(PublicationContent::Event { seq, frames })
        });
        // While presence is not known, the watchers there keep what the former owner has published.
        let presence = self.endpoint.knows_presence(now).then(|| publications::presence(state, &presence));
        let missed = events.chain(presence.as_ref().map(to_message));
        missed.map(|one| one.for_users(|user| request.users.contains(&user))).collect()
    }

    async fn handle_request(
        &mut self,
        from: NodeId,
        correlation: Correlation,
        body: MessageBody,
        now: Timestamp,
    ) {
        let table = self.id();
        let answer = match body {
            MessageBody::Command(command) => {
                let answer = self.handle_command(request_of(command), now).await;
                if self.log.is_elsewhere() {
                    NotOwner { table, owner: None }.into()
                } else {
                    CommandAnswer { table, outcome: outcome_of(answer) }.into()
                }
            }
            MessageBody::Watch(watch) => {
                WatchAnswer { table, outcome: self.watch_elsewhere(&watch, now) }.into()
            }
            MessageBody::RevokeLink(revoke) => {
                self.revoke_link(SecretHash(revoke.link.0), now);
                RevokeLinkAnswer { table }.into()
            }
            _ => return,
        };
        self.send(Outgoing { to: from, correlation, body: answer });
    }

    /// Returns the first frames for a watcher at another node.
    fn watch_elsewhere(&mut self, watch: &Watch, now: Timestamp) -> WatchOutcome {
        let watcher = watcher_of(watch);
        if !watcher.may_watch(self.state()) {
            return WatchOutcome::Refused;
        }
        let viewer = watcher.viewer;
        if let Some(visitor) = watcher.visitor {
            self.endpoint.watchers.add_visitor(visitor);
            self.schedule_presence(now);
        }
        let resume_from = watch
            .resume_after
            .map_or(ResumeFrom::Nothing, |Head { match_id, seq }| ResumeFrom::After(match_id, seq));
        let initial = self.initial_frames(viewer, resume_from, now);
        WatchOutcome::Watching {
            frames: initial.frames.iter().map(Frame::bytes).collect(),
            head: Head { match_id: initial.match_id, seq: initial.head },
            is_seated: initial.is_seated,
            is_shared: resume_from == ResumeFrom::Nothing && self.shares_snapshot(viewer),
        }
    }

    /// Revokes the access of the watchers that use this link, here and at the other nodes.
    pub(super) fn revoke_link(&mut self, link: SecretHash, now: Timestamp) {
        self.revoke_links(|access| access.secret_hash == link, now);
        if !self.endpoint.followers.is_empty() {
            let (links, members) = (vec![link], self.state().members());
            let kind = PublicationKind::LinksEnded { links, members };
            let publication = Publication { table: self.id(), match_id: self.state().match_id(), kind };
            self.publish(publication);
        }
    }

    /// Publishes to the watchers at this node, and to the nodes that follow the table.
    pub(super) fn publish(&mut self, publication: Publication) {
        self.endpoint.publish(publication, self.log.state());
    }

    /// Sends the overview to the nodes that followed the table at its former owner.
    pub(super) fn state_is_followed(&mut self) {
        self.endpoint.publish_overview(self.log.state());
    }

    fn send(&self, message: Outgoing) {
        if let Some(cluster) = &self.deps.cluster {
            cluster.send(message);
        }
    }
}

fn frame_set(general: Frame, special: impl IntoIterator<Item = (UserId, Frame)>) -> FrameSet {
    let special = special.into_iter().map(|(user, frame)| SpecialFrame { user, frame: frame.bytes() });
    FrameSet { general: general.bytes(), special: special.collect() }
}

fn request_of(command: Command) -> CommandRequest {
    CommandRequest {
        command: command.command,
        command_id: command.command_id,
        match_id: command.match_id,
        redeemed_invite: command.redeemed_invite.map(|hash| SecretHash(hash.0)),
        origin: command.origin,
    }
}

fn outcome_of(answer: Answer) -> CommandOutcome {
    match answer {
        Answer::Done { match_id, seq } => CommandOutcome::Done { match_id, seq },
        Answer::Refused { match_id, code, text } => CommandOutcome::Refused { match_id, code, text },
        Answer::InviteUsed => CommandOutcome::InviteUsed,
        Answer::Fault(fault) => CommandOutcome::Fault { id: fault.id() },
    }
}

/// Returns the watcher at another node. Its subscription is at that node.
fn watcher_of(watch: &Watch) -> Watcher {
    Watcher {
        viewer: watch.viewer.map_or(Viewer::Anonymous, Viewer::User),
        right: match watch.right {
            message::WatchRight::Unconditional => WatchRight::Unconditional,
            message::WatchRight::MembersOnly => WatchRight::MembersOnly,
        },
        link: watch.link.map(|link| AccessLink {
            secret_hash: SecretHash(link.secret_hash.0),
            expires_at: link.expires_at,
        }),
        may_stay_when_kicked: watch.may_stay_when_kicked,
        is_preview: watch.is_preview,
        visitor: watch.visitor.clone(),
        round_trip: RttHandle::new_unmeasured(),
    }
}
