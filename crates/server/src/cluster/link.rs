//! The link of a node to the other nodes. Cheap to clone.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_cluster::membership::{claimant, key_owner};
use quadrex_cluster::message::{
    FollowHead, FollowState, Heartbeat, LobbyState, MessageBody, TableTakeOver, TakenFollower,
};
use quadrex_cluster::{ClusterMessenger, Correlation, Heartbeats, NodeId, Numbers, Outgoing};
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;
use quadrex_store::{ClaimedMatch, NodeRow, NodeState};
use tokio::sync::{mpsc, oneshot};

/// A match that this node has claimed.
#[derive(Clone, Debug)]
pub struct OwnMatch {
    /// The claim.
    pub claim: ClaimedMatch,
    /// The nodes that followed the table at its former owner, if that one has handed the table over.
    pub followers: Vec<TakenFollower>,
}

/// A request to the task that manages the node's membership.
#[derive(Debug)]
pub enum OwnershipRequest {
    /// Claim a match for this node, unless another living node owns it. The answer is `None` if
    /// another node owns it.
    Claim {
        /// The match.
        match_id: MatchId,
        /// True if an actor of this node has lost its claim, so that a new claim is needed even if this
        /// node owns the match.
        is_lost: bool,
        /// The receiver of the answer.
        answer: oneshot::Sender<Option<OwnMatch>>,
    },
    /// This node has created a match.
    Created(MatchId),
    /// A match of this node is over or hibernates, and its actor has ended.
    Closed(MatchId),
    /// Find the owner of a table. The answer is `None` if there is no owner yet, or if this node is
    /// about to take the table over.
    FindOwner {
        /// The table.
        table: TableId,
        /// The receiver of the answer.
        answer: oneshot::Sender<Option<NodeId>>,
    },
    /// Return whether this node owns a match.
    Owns {
        /// The match.
        match_id: MatchId,
        /// The receiver of the answer.
        answer: oneshot::Sender<bool>,
    },
    /// Return the matches that this node owns.
    Owned {
        /// The receiver of the answer.
        answer: oneshot::Sender<HashSet<MatchId>>,
    },
    /// Take these tables over from a node that has released them.
    TakeOver {
        /// The tables.
        tables: Vec<TableTakeOver>,
    },
    /// This node has connected to the other nodes.
    SetConnected,
    /// This node has lost its connection to the other nodes.
    SetDisconnected {
        /// The time for which it may not have reached them before.
        silent_for: Duration,
    },
}

/// The parts from which a [`ClusterLink`] is made.
#[derive(Debug)]
pub struct LinkParts {
    /// The sender of messages.
    pub messenger: Arc<dyn ClusterMessenger>,
    /// The sender of requests to the task that manages the node's membership.
    pub requests: mpsc::UnboundedSender<OwnershipRequest>,
}

/// The link of a node to the other nodes.
#[derive(Clone, Debug)]
pub struct ClusterLink {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    parts: LinkParts,
    numbers: Numbers,
    heartbeats: Mutex<Heartbeats>,
    /// The questions that are not answered yet.
    questions: Mutex<HashMap<Correlation, oneshot::Sender<MessageBody>>>,
    nodes: Mutex<Arc<[NodeRow]>>,
    /// False while the connection to the other nodes is interrupted.
    is_connected: AtomicBool,
}

impl ClusterLink {
    /// Returns a link that knows no other node yet.
    #[must_use]
    pub fn new(parts: LinkParts) -> Self {
        let shared = Shared {
            parts,
            numbers: Numbers::default(),
            heartbeats: Mutex::default(),
            questions: Mutex::default(),
            nodes: Mutex::new(Arc::new([])),
            is_connected: AtomicBool::new(true),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Returns this node.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.shared.parts.messenger.node()
    }

    /// Records whether the connection to the other nodes is established.
    pub fn set_connected(&self, is_connected: bool) {
        self.shared.is_connected.store(is_connected, Ordering::Release);
    }

    /// Returns whether the connection to the other nodes is established.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.shared.is_connected.load(Ordering::Acquire)
    }

    /// Returns the tables of this node that other nodes follow.
    #[must_use]
    pub fn followed_here(&self) -> BTreeSet<TableId> {
        let others = self.nodes();
        let heartbeats = self.heartbeats();
        others.iter().flat_map(|node| heartbeats.followed_by(node.id)).collect()
    }

    /// Returns the source of this node's numbers.
    #[must_use]
    pub fn numbers(&self) -> Numbers {
        self.shared.numbers.clone()
    }

    /// Sends a message. A message that cannot be sent is lost like any other message.
    pub fn send(&self, message: Outgoing) {
        let Outgoing { to, correlation, body } = message;
        self.send_to(to, correlation, body);
    }

    /// Sends a message. A message that cannot be sent is lost like any other message.
    pub fn send_to(&self, to: NodeId, correlation: Correlation, body: MessageBody) {
        if let Err(error) = self.shared.parts.messenger.send(to, correlation, body) {
            tracing::debug!(%to, "a message to another node is dropped: {error}");
        }
    }

    /// Sends a message to all other nodes.
    pub fn send_all(&self, body: MessageBody) {
        if let Err(error) = self.shared.parts.messenger.send_all(body) {
            tracing::debug!("a message to all nodes is dropped: {error}");
        }
    }

    /// Sends a question to another node. Returns the answer, or `None` if it does not arrive within
    /// `patience`.
    pub async fn ask(&self, to: NodeId, question: MessageBody, patience: Duration) -> Option<MessageBody> {
        let correlation = self.shared.numbers.correlation();
        let (reply, answer) = oneshot::channel();
        lock(&self.shared.questions).insert(correlation, reply);
        self.send_to(to, correlation, question);
        let answer = tokio::time::timeout(patience, answer).await;
        lock(&self.shared.questions).remove(&correlation);
        answer.ok()?.ok()
    }

    /// Passes the answer to a question on to the task that has asked it.
    pub fn record_answer(&self, correlation: Correlation, answer: MessageBody) {
        if let Some(reply) = lock(&self.shared.questions).remove(&correlation) {
            // The task may not wait any more.
            reply.send(answer).ok();
        }
    }

    /// Records that a question has not reached its receiver.
    pub fn record_lost_question(&self, correlation: Correlation) {
        lock(&self.shared.questions).remove(&correlation);
    }

    /// Returns the node that is responsible for a key, for example for the counts of a limit. All
    /// nodes give the same answer, except while nodes join or leave.
    #[must_use]
    pub fn key_owner(&self, key: &str) -> NodeId {
        let nodes = self.nodes();
        let serving = nodes.iter().filter(|node| node.state == NodeState::Serving).map(|node| node.id);
        key_owner(serving, key.as_bytes()).unwrap_or_else(|| self.node())
    }

    /// Claims a match for this node, unless another living node owns it. Returns `None` if another
    /// node owns it, or if this node is about to stop.
    pub async fn claim(&self, match_id: MatchId) -> Option<OwnMatch> {
        self.request_claim(match_id, false).await
    }

    /// Claims a match again whose claim an actor of this node has lost. Returns `None` like
    /// [`claim`](Self::claim).
    pub async fn claim_again(&self, match_id: MatchId) -> Option<OwnMatch> {
        self.request_claim(match_id, true).await
    }

    async fn request_claim(&self, match_id: MatchId, is_lost: bool) -> Option<OwnMatch> {
        let (reply, answer) = oneshot::channel();
        self.request(OwnershipRequest::Claim { match_id, is_lost, answer: reply });
        answer.await.ok().flatten()
    }

    /// Returns whether this node owns a match.
    pub async fn owns(&self, match_id: MatchId) -> bool {
        let (reply, answer) = oneshot::channel();
        self.request(OwnershipRequest::Owns { match_id, answer: reply });
        answer.await.unwrap_or_default()
    }

    /// Returns the matches that this node owns.
    pub async fn owned(&self) -> HashSet<MatchId> {
        let (reply, answer) = oneshot::channel();
        self.request(OwnershipRequest::Owned { answer: reply });
        answer.await.unwrap_or_default()
    }

    /// Records that this node has created a match, and owns it.
    pub fn record_created(&self, match_id: MatchId) {
        self.request(OwnershipRequest::Created(match_id));
    }

    /// Records that a match of this node is over or hibernates, and has no actor any more.
    pub fn record_closed(&self, match_id: MatchId) {
        self.request(OwnershipRequest::Closed(match_id));
    }

    /// Returns the owner of a table. Returns `None` if there is no owner yet, or if this node is
    /// about to take the table over.
    pub async fn find_owner(&self, table: TableId) -> Option<NodeId> {
        let (reply, answer) = oneshot::channel();
        self.request(OwnershipRequest::FindOwner { table, answer: reply });
        answer.await.ok().flatten()
    }

    fn request(&self, request: OwnershipRequest) {
        // The task ends only when the server stops.
        self.shared.parts.requests.send(request).ok();
    }

    /// Returns all nodes, as they were a moment ago.
    #[must_use]
    pub fn nodes(&self) -> Arc<[NodeRow]> {
        Arc::clone(&lock(&self.shared.nodes))
    }

    /// Returns the node that claims a match without an owner.
    #[must_use]
    pub fn claimant(&self, match_id: MatchId) -> Option<NodeId> {
        claimant(&self.nodes(), match_id, None)
    }

    /// Returns the node that takes a match over from this one.
    #[must_use]
    pub fn successor(&self, match_id: MatchId) -> Option<NodeId> {
        let me = self.node();
        let others: Vec<NodeRow> = self.nodes().iter().filter(|node| node.id != me).cloned().collect();
        claimant(&others, match_id, None)
    }

    /// Sets all nodes. Returns those that were known and are dead now, each with the tables that it
    /// follows here or that are followed there.
    pub fn set_nodes(&self, nodes: &[NodeRow]) -> Vec<(NodeId, Vec<TableId>)> {
        let is_alive = |node: &NodeRow| node.state != NodeState::Dead;
        let me = self.node();
        let alive = |nodes: &[NodeRow]| -> Vec<NodeId> {
            nodes.iter().filter(|node| is_alive(node) && node.id != me).map(|node| node.id).collect()
        };
        let before = std::mem::replace(&mut *lock(&self.shared.nodes), nodes.into());
        let now_alive = alive(nodes);
        let mut heartbeats = self.heartbeats();
        let died = alive(&before).into_iter().filter(|node| !now_alive.contains(node));
        let died =
            died.map(|node| (node, [heartbeats.followed(node), heartbeats.followed_by(node)].concat()));
        let died = died.collect();
        heartbeats.set_peers(now_alive);
        died
    }

    /// Sets the follows of a table of this node by other nodes, for the heartbeats.
    pub fn set_heads(&self, table: TableId, heads: impl IntoIterator<Item = (NodeId, FollowHead)>) {
        self.heartbeats().set_heads(table, heads);
    }

    /// Sets the follow of a table of another node by this node, for the heartbeats.
    pub fn set_follow(&self, table: TableId, follow: Option<(NodeId, FollowState)>) {
        self.heartbeats().set_follow(table, follow);
    }

    /// Returns the tables of another node that this one follows.
    #[must_use]
    pub fn followed(&self, owner: NodeId) -> Vec<TableId> {
        self.heartbeats().followed(owner)
    }

    /// Returns the heartbeats to be sent now. See [`Heartbeats::due`].
    #[must_use]
    pub fn heartbeats_due(&self, lobby: &LobbyState, now: Timestamp) -> Vec<(NodeId, Heartbeat)> {
        self.heartbeats().due(lobby, now)
    }

    fn heartbeats(&self) -> MutexGuard<'_, Heartbeats> {
        lock(&self.shared.heartbeats)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
