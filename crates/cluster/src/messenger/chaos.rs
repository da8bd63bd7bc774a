//! A network of nodes in memory that loses, doubles, delays and reorders messages, for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_rules::Timestamp;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::sync::mpsc::error::TrySendError;

use super::{ClusterMessenger, Inbox, InboxEvent, InboxSender, LinkEvent, SendError};
use crate::message::{ClusterMessage, MessageBody};
use crate::{Correlation, NodeId};

/// The capacity of an inbox. A test that reads an inbox too rarely loses messages as well.
const CAPACITY: usize = 65_536;

/// The faults of a [`ChaosNetwork`].
#[derive(Clone, Debug, PartialEq)]
pub struct Chaos {
    /// The probability with which a message is lost.
    pub loss: f64,
    /// The probability with which a message is delivered twice.
    pub duplication: f64,
    /// The probability with which a message may overtake earlier ones.
    pub reordering: f64,
    /// The time that a message takes, in milliseconds.
    pub delay_ms: RangeInclusive<u64>,
}

impl Chaos {
    /// A network that delivers each message once and in order, after a millisecond.
    pub const NONE: Self = Self { loss: 0.0, duplication: 0.0, reordering: 0.0, delay_ms: 1..=1 };
}

/// A network in memory, which passes messages on without encoding them. It knows no clock: the test moves its time forward. With the same seed and
/// the same calls it has the same faults. Clones share the network.
#[derive(Clone)]
pub struct ChaosNetwork {
    state: Arc<Mutex<State>>,
}

struct State {
    rng: StdRng,
    chaos: Chaos,
    now: Timestamp,
    nodes: BTreeMap<NodeId, InboxSender>,
    /// The pairs of nodes (sender and receiver) between which all messages are lost.
    cuts: BTreeSet<(NodeId, NodeId)>,
    /// The messages under way, by the time of their delivery and the order of their sending.
    under_way: BTreeMap<(Timestamp, u64), Delivery>,
    /// The latest delivery between two nodes that no later message may overtake.
    latest: BTreeMap<(NodeId, NodeId), Timestamp>,
    sent: u64,
    /// The number of deliveries that were scheduled so far.
    scheduled: u64,
}

#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "nearly every delivery is a message")]
enum Delivery {
    Message { to: NodeId, message: ClusterMessage },
    NodeGone { to: NodeId, node: NodeId, correlation: Correlation },
}

impl ChaosNetwork {
    /// Returns a network without nodes.
    #[must_use]
    pub fn new(seed: u64, chaos: Chaos, now: Timestamp) -> Self {
        let state = State {
            rng: StdRng::seed_from_u64(seed),
            chaos,
            now,
            nodes: BTreeMap::new(),
            cuts: BTreeSet::new(),
            under_way: BTreeMap::new(),
            latest: BTreeMap::new(),
            sent: 0,
            scheduled: 0,
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Adds a node.
    #[must_use]
    pub fn join(&self, node: NodeId) -> (ChaosMessenger, Inbox) {
        let (sender, inbox) = InboxSender::new(CAPACITY);
        self.lock().nodes.insert(node, sender);
        (ChaosMessenger { node, network: self.clone() }, inbox)
    }

    /// Removes a node. The senders of later messages to it learn that it is gone.
    pub fn leave(&self, node: NodeId) {
        self.lock().nodes.remove(&node);
    }

    /// Replaces the faults.
    pub fn set_chaos(&self, chaos: Chaos) {
        self.lock().chaos = chaos;
    }

    /// Loses all messages from one node to another from now on.
    pub fn cut(&self, from: NodeId, to: NodeId) {
        self.lock().cuts.insert((from, to));
    }

    /// Ends [`cut`](Self::cut).
    pub fn restore(&self, from: NodeId, to: NodeId) {
        self.lock().cuts.remove(&(from, to));
    }

    /// Returns the number of messages that were sent so far. A message to all nodes counts once for
    /// each of them.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.lock().sent
    }

    /// Returns the time of the next delivery.
    #[must_use]
    pub fn next_delivery(&self) -> Option<Timestamp> {
        self.lock().under_way.keys().next().map(|(at, _)| *at)
    }

    /// Moves the network's time forward, and delivers all messages that have arrived by then.
    pub fn advance(&self, now: Timestamp) {
        let mut state = self.lock();
        state.now = state.now.max(now);
        while let Some(next) = state.under_way.first_entry().filter(|next| next.key().0 <= now) {
            let delivery = next.remove();
            state.deliver(delivery);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn send(&mut self, message: ClusterMessage, to: NodeId) {
        self.sent += 1;
        let from = message.from;
        if self.nodes.contains_key(&to) {
            self.schedule(from, to, &Delivery::Message { to, message });
        } else {
            let correlation = message.correlation;
            self.schedule(to, from, &Delivery::NodeGone { to: from, node: to, correlation });
        }
    }

    /// Schedules one delivery, two, or none.
    fn schedule(&mut self, from: NodeId, to: NodeId, delivery: &Delivery) {
        if self.cuts.contains(&(from, to)) || self.rng.random_bool(self.chaos.loss) {
            return;
        }
        let copies = 1 + u32::from(self.rng.random_bool(self.chaos.duplication));
        for _ in 0..copies {
            let delay = Duration::from_millis(self.rng.random_range(self.chaos.delay_ms.clone()));
            let mut at = self.now + delay;
            let latest = self.latest.entry((from, to)).or_default();
            if !self.rng.random_bool(self.chaos.reordering) {
                at = at.max(*latest);
                *latest = at;
            }
            self.scheduled += 1;
            let number = self.scheduled;
            self.under_way.insert((at, number), delivery.clone());
        }
    }

    fn deliver(&mut self, delivery: Delivery) {
        let (to, event) = match delivery {
            Delivery::Message { to, message } => (to, InboxEvent::Message(message)),
            Delivery::NodeGone { to, node, correlation } => (to, InboxEvent::NodeGone { node, correlation }),
        };
        let Some(inbox) = self.nodes.get(&to) else { return };
        if let Err(TrySendError::Full(_)) = inbox.messages.try_send(event) {
            inbox.report(LinkEvent::SlowConsumer);
        }
    }
}

impl fmt::Debug for ChaosNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChaosNetwork")
    }
}

/// The messenger of a node in a [`ChaosNetwork`].
#[derive(Clone, Debug)]
pub struct ChaosMessenger {
    node: NodeId,
    network: ChaosNetwork,
}

impl ClusterMessenger for ChaosMessenger {
    fn node(&self) -> NodeId {
        self.node
    }

    fn send(&self, to: NodeId, correlation: Correlation, body: MessageBody) -> Result<(), SendError> {
        let mut state = self.network.lock();
        if !state.nodes.contains_key(&self.node) {
            return Err(SendError::Ended);
        }
        state.send(ClusterMessage { from: self.node, to: Some(to), correlation, body }, to);
        Ok(())
    }

    fn send_all(&self, body: MessageBody) -> Result<(), SendError> {
        let mut state = self.network.lock();
        if !state.nodes.contains_key(&self.node) {
            return Err(SendError::Ended);
        }
        let others: Vec<NodeId> = state.nodes.keys().copied().filter(|other| *other != self.node).collect();
        let message = ClusterMessage { from: self.node, to: None, correlation: Correlation::default(), body };
        for other in others {
            state.send(message.clone(), other);
        }
        Ok(())
    }
}
