//! The task that passes the messages of the other nodes on to the tables and to the lobby.

use std::collections::HashMap;
use std::time::Duration;

use quadrex_cluster::message::{
    Heartbeat, MessageBody, NotFollowing, NotOwner, OnlineAnswer, QuickJoinAnswer, TakeOverAnswer, Unfollow,
};
use quadrex_cluster::{ClusterMessage, Correlation, Inbox, InboxEvent, LinkEvent, NodeId, UnknownKinds};
use quadrex_protocol::TableId;
use quadrex_store::SecretHash;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::NodeServices;
use crate::actor::NodeMessage;
use crate::cluster::{ClusterLink, OwnershipRequest};
use crate::lease::Lease;
use crate::telemetry::metrics::METRICS;

/// The largest number of messages that wait for the actor of one table.
const MAX_WAITING: usize = 1_000;

/// The task that passes the messages of the other nodes on.
pub(super) struct Dispatcher {
    link: ClusterLink,
    services: NodeServices,
    inbox: Inbox,
    requests: mpsc::UnboundedSender<OwnershipRequest>,
    lease: Lease,
    /// The moment since which this node may not reach the other nodes, if it does not.
    unreached_since: Option<Duration>,
    /// The messages for tables without an endpoint here, whose owners are looked up.
    waiting: HashMap<TableId, Vec<(NodeId, Correlation, MessageBody)>>,
    /// The tasks that look up owners.
    look_ups: JoinSet<(TableId, Option<NodeId>)>,
    /// The messages that other nodes do not know.
    unknown_kinds: UnknownKinds,
}

impl Dispatcher {
    pub(super) fn new(
        link: ClusterLink,
        services: NodeServices,
        inbox: Inbox,
        requests: mpsc::UnboundedSender<OwnershipRequest>,
        lease: Lease,
    ) -> Self {
        Self {
            link,
            services,
            inbox,
            requests,
            lease,
            unreached_since: None,
            waiting: HashMap::new(),
            look_ups: JoinSet::new(),
            unknown_kinds: UnknownKinds::default(),
        }
    }

    pub(super) async fn run(mut self) {
        loop {
            tokio::select! {
                event = self.inbox.next() => match event {
                    None => return,
                    Some(event) => self.handle(event).await,
                },
                Some(found) = self.look_ups.join_next() => {
                    if let Ok((table, owner)) = found {
                        self.answer_waiting(table, owner);
                    }
                }
            }
        }
    }

    async fn handle(&mut self, event: InboxEvent) {
        match event {
            InboxEvent::Message(message) => self.handle_message(message).await,
            InboxEvent::NodeGone { node, correlation } => {
                self.link.record_lost_question(correlation);
                for table in self.link.followed(node) {
                    // A table without an endpoint has no proxy.
                    let _ = self.services.lobby.deliver(table, NodeMessage::Gone { node, is_dead: false });
                }
            }
            InboxEvent::Link(event) => self.handle_link_event(event),
        }
    }

    fn handle_link_event(&mut self, event: LinkEvent) {
        match event {
            LinkEvent::Connected => {
                tracing::info!("connected to the NATS server");
                self.link.set_connected(true);
                self.request(OwnershipRequest::SetConnected);
                if let Some(since) = self.unreached_since.take() {
                    let unreached_for = self.lease.elapsed().saturating_sub(since);
                    for table in self.link.followed_here() {
                        // A table without an endpoint is not played.
                        let _ =
                            self.services.lobby.deliver(table, NodeMessage::Reconnected { unreached_for });
                    }
                }
            }
            LinkEvent::Disconnected { silent_for } => {
                METRICS.cluster.disconnections.inc();
                tracing::warn!("disconnected from the NATS server");
                self.link.set_connected(false);
                let since = self.lease.elapsed().saturating_sub(silent_for);
                self.unreached_since = self.unreached_since.or(Some(since));
                self.request(OwnershipRequest::SetDisconnected { silent_for });
            }
            LinkEvent::SlowConsumer => {}
            LinkEvent::Fault(fault) => tracing::warn!("NATS: {fault}"),
        }
    }

    async fn handle_message(&mut self, message: ClusterMessage) {
        let ClusterMessage { from, correlation, body, .. } = message;
        if let Some(table) = body.table() {
            return self.pass_on(table, from, correlation, body);
        }
        match body {
            MessageBody::Heartbeat(heartbeat) => self.handle_heartbeat(from, heartbeat).await,
            MessageBody::ListChanges(_) | MessageBody::ListRequest(_) | MessageBody::ListPart(_) => {
                self.services.lobby.deliver_list_message(from, body).await;
            }
            MessageBody::TakeOver(take_over) => {
                let taken = take_over.tables.iter().map(|table| table.table).collect();
                self.request(OwnershipRequest::TakeOver { tables: take_over.tables });
                self.link.send_to(from, correlation, TakeOverAnswer { taken }.into());
            }
            MessageBody::LimitQuestion(question) => {
                self.link.send_to(from, correlation, self.services.rate_limits.answer(&question).into());
            }
            MessageBody::QuickJoinQuestion(question) => {
                let (lobby, link) = (self.services.lobby.clone(), self.link.clone());
                quadrex_runtime::spawn(async move {
                    let outcome = lobby.answer_quick_join(&question).await;
                    link.send_to(from, correlation, QuickJoinAnswer { outcome }.into());
                });
            }
            MessageBody::SessionsEnded(ended) => {
                let ended: Vec<_> = ended.sessions.iter().map(|session| SecretHash(session.0)).collect();
                self.services.sessions.close(&ended);
            }
            MessageBody::InvitationsChanged(changed) => self.services.lobby.publish_invitations(changed.user),
            MessageBody::ReviewQuestion(question) => {
                self.link.send_to(from, correlation, self.services.reviews.answer(question).into());
            }
            MessageBody::OnlineQuestion(question) => {
                let online = self.services.lobby.online_here(&question.users);
                self.link.send_to(from, correlation, OnlineAnswer { online }.into());
            }
            MessageBody::LimitAnswer(_)
            | MessageBody::QuickJoinAnswer(_)
            | MessageBody::OnlineAnswer(_)
            | MessageBody::ReviewAnswer(_) => {
                self.link.record_answer(correlation, body);
            }
            MessageBody::Unknown(unknown) => {
                if let Some(count) = self.unknown_kinds.record() {
                    tracing::info!(%from, kind = unknown.kind, count, "another node does not know a kind of message");
                }
                self.link.record_lost_question(correlation);
            }
            _ => {}
        }
    }

    async fn handle_heartbeat(&self, from: NodeId, heartbeat: Heartbeat) {
        let Heartbeat { heads, follows, lobby } = heartbeat;
        for head in heads {
            if !self.services.lobby.deliver(head.table, NodeMessage::Followed { from, head }) {
                let unfollow = Unfollow { table: head.table, follow: head.follow };
                self.link.send_to(from, Correlation::default(), unfollow.into());
            }
        }
        for state in follows {
            if !self.services.lobby.deliver(state.table, NodeMessage::Follows { from, state }) {
                let refusal = NotFollowing { table: state.table, follow: state.follow };
                self.link.send_to(from, Correlation::default(), refusal.into());
            }
        }
        let heartbeat = Heartbeat { lobby, ..Heartbeat::default() };
        self.services.lobby.deliver_list_message(from, heartbeat.into()).await;
    }

    /// Passes a message on to the table that it is about. If the table has no endpoint here, and the
    /// message is for the owner of the table, looks up the owner first.
    fn pass_on(&mut self, table: TableId, from: NodeId, correlation: Correlation, body: MessageBody) {
        if let Some(waiting) = self.waiting.get_mut(&table) {
            if waiting.len() < MAX_WAITING {
                waiting.push((from, correlation, body));
            }
            return;
        }
        let message = NodeMessage::Message { from, correlation, body: Box::new(body) };
        let Err(NodeMessage::Message { body, .. }) = self.services.lobby.try_deliver(table, message) else {
            return;
        };
        match *body {
            body @ (MessageBody::Command(_)
            | MessageBody::Watch(_)
            | MessageBody::RevokeLink(_)
            | MessageBody::Follow(_)) => {
                self.waiting.insert(table, vec![(from, correlation, body)]);
                let (lobby, link) = (self.services.lobby.clone(), self.link.clone());
                quadrex_runtime::spawn_in(&mut self.look_ups, async move {
                    // The sender repeats a request that fails.
                    (table, lobby.find_owner(&link, table).await.ok().flatten())
                });
            }
            MessageBody::Presence(presence) => {
                let refusal = NotFollowing { table, follow: presence.follow };
                self.link.send_to(from, Correlation::default(), refusal.into());
            }
            MessageBody::Published(published) => {
                let unfollow = Unfollow { table, follow: published.follow };
                self.link.send_to(from, Correlation::default(), unfollow.into());
            }
            _ => {}
        }
    }

    /// Passes the messages on that have waited for the owner of a table: to the actor of this node, or
    /// with the owner's name back to their senders.
    fn answer_waiting(&mut self, table: TableId, owner: Option<NodeId>) {
        for (from, correlation, body) in self.waiting.remove(&table).unwrap_or_default() {
            let message = NodeMessage::Message { from, correlation, body: Box::new(body) };
            if self.services.lobby.try_deliver(table, message).is_err() {
                self.link.send_to(from, correlation, NotOwner { table, owner }.into());
            }
        }
    }

    fn request(&self, request: OwnershipRequest) {
        // The driver ends only when the server stops.
        self.requests.send(request).ok();
    }
}
