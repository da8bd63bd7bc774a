//! A network of nodes in memory that loses, doubles, delays and reorders messages, for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_rules::Timestamp;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::sync::Notify;
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

/// A function that returns the time of a network.
type Clock = Box<dyn Fn() -> Timestamp + Send>;

/// A network in memory, which passes messages on without encoding them. It knows no clock: the test
/// moves its time forward, or lets it [`run`](Self::run) with a clock. With the same seed and the same
/// calls it has the same faults. Clones share the network.
#[derive(Clone)]
pub struct ChaosNetwork {
    state: Arc<Mutex<State>>,
    /// Notified when a delivery has been scheduled.
    scheduled: Arc<Notify>,
}

struct State {
    rng: StdRng,
    chaos: Chaos,
    now: Timestamp,
    /// The clock with which the network runs, if it does.
    clock: Option<Clock>,
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
            clock: None,
            nodes: BTreeMap::new(),
            cuts: BTreeSet::new(),
            under_way: BTreeMap::new(),
            latest: BTreeMap::new(),
            sent: 0,
            scheduled: 0,
        };
        Self { state: Arc::new(Mutex::new(state)), scheduled: Arc::default() }
    }

    /// Adds a node.
    #[must_use]
    pub fn join(&self, node: NodeId) -> (ChaosMessenger, Inbox) {
        let (sender, inbox) = InboxSender::new(CAPACITY);
        let mut state = self.lock();
        state.nodes.retain(|_, inbox| inbox.is_open());
        state.nodes.insert(node, sender);
        drop(state);
        (ChaosMessenger { node, network: self.clone() }, inbox)
    }

    /// Removes a node. The senders of later messages to it learn that it is gone.
    pub fn leave(&self, node: NodeId) {
        self.lock().nodes.remove(&node);
    }

    /// Reports a change of its connection to a node.
    pub fn report(&self, node: NodeId, event: LinkEvent) {
        if let Some(inbox) = self.lock().nodes.get(&node) {
            inbox.report(event);
        }
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

    /// Moves the network's time forward with a clock, and delivers each message when it arrives.
    pub async fn run(&self, clock: impl Fn() -> Timestamp + Clone + Send + 'static) {
        self.lock().clock = Some(Box::new(clock.clone()));
        loop {
            let now = clock();
            self.advance(now);
            let scheduled = self.scheduled.notified();
            match self.next_delivery() {
                Some(next) => {
                    // The time is over, or another delivery may be the next one.
                    tokio::time::timeout(next.since(now), scheduled).await.ok();
                }
                None => scheduled.await,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn send(&mut self, message: ClusterMessage, to: NodeId) {
        self.sent += 1;
        if let Some(clock) = &self.clock {
            self.now = self.now.max(clock());
        }
        let from = message.from;
        if self.nodes.get(&to).is_some_and(InboxSender::is_open) {
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
        self.network.scheduled.notify_one();
        Ok(())
    }

    fn send_all(&self, body: MessageBody) -> Result<(), SendError> {
        let mut state = self.network.lock();
        if !state.nodes.contains_key(&self.node) {
            return Err(SendError::Ended);
        }
        let others = state.nodes.iter().filter(|(other, inbox)| **other != self.node && inbox.is_open());
        let others: Vec<NodeId> = others.map(|(other, _)| *other).collect();
        let message = ClusterMessage { from: self.node, to: None, correlation: Correlation::default(), body };
        for other in others {
            state.send(message.clone(), other);
        }
        self.network.scheduled.notify_one();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{ListRequest, NotOwner};
    use quadrex_protocol::TableId;
    use uuid::Uuid;

    const START: Timestamp = Timestamp::from_millis(1_000_000);

    fn node(number: u128) -> NodeId {
        NodeId(Uuid::from_u128(number))
    }

    /// Sends numbered messages from node 1 to node 2, and returns the numbers that arrive.
    fn received(chaos: Chaos, seed: u64) -> Vec<u64> {
        let network = ChaosNetwork::new(seed, chaos, START);
        let ((sender, _inbox), (_receiver, mut inbox)) = (network.join(node(1)), network.join(node(2)));
        for number in 1..=200 {
            network.advance(START + Duration::from_millis(number));
            sender.send(node(2), Correlation(number), ListRequest {}.into()).unwrap();
        }
        network.advance(START + Duration::from_secs(10));
        assert_eq!((network.next_delivery(), network.sent()), (None, 200));
        let number = |event| match event {
            InboxEvent::Message(message) => message.correlation.0,
            other => panic!("{other:?}"),
        };
        std::iter::from_fn(|| inbox.try_next()).map(number).collect()
    }

    #[test]
    fn each_fault_has_its_effect_and_depends_on_the_seed_only() {
        let all: Vec<u64> = (1..=200).collect();
        assert_eq!(received(Chaos::NONE, 1), all);
        let lossy = Chaos { loss: 0.1, ..Chaos::NONE };
        let arrived = received(lossy.clone(), 1);
        assert!((150..200).contains(&arrived.len()) && arrived.is_sorted(), "{arrived:?}");
        assert_eq!(received(lossy.clone(), 1), arrived);
        assert_ne!(received(lossy, 2), arrived);
        let mut doubled = received(Chaos { duplication: 0.1, ..Chaos::NONE }, 1);
        assert!((201..250).contains(&doubled.len()) && doubled.is_sorted(), "{doubled:?}");
        doubled.dedup();
        assert_eq!(doubled, all);
        assert_eq!(
            received(Chaos { delay_ms: 1..=50, ..Chaos::NONE }, 1),
            all,
            "a delay alone keeps the order"
        );
        let mut reordered = received(Chaos { reordering: 0.5, delay_ms: 1..=50, ..Chaos::NONE }, 1);
        assert!(!reordered.is_sorted(), "{reordered:?}");
        reordered.sort_unstable();
        assert_eq!(reordered, all);
    }

    #[test]
    fn a_cut_loses_the_messages_of_one_direction() {
        let network = ChaosNetwork::new(1, Chaos::NONE, START);
        let ((first, mut inbox_1), (second, mut inbox_2)) = (network.join(node(1)), network.join(node(2)));
        let mut exchange = |now: Timestamp| {
            first.send(node(2), Correlation(1), ListRequest {}.into()).unwrap();
            second.send(node(1), Correlation(2), ListRequest {}.into()).unwrap();
            network.advance(now);
            (inbox_2.try_next().is_some(), inbox_1.try_next().is_some())
        };
        assert_eq!(exchange(START + Duration::from_secs(1)), (true, true));
        network.cut(node(1), node(2));
        assert_eq!(exchange(START + Duration::from_secs(2)), (false, true));
        network.restore(node(1), node(2));
        assert_eq!(exchange(START + Duration::from_secs(3)), (true, true));
    }

    #[test]
    fn the_senders_to_a_node_that_has_left_learn_that_it_is_gone() {
        let network = ChaosNetwork::new(1, Chaos::NONE, START);
        let ((first, mut inbox), (second, _inbox_2)) = (network.join(node(1)), network.join(node(2)));
        let (_third, mut inbox_3) = network.join(node(3));
        network.leave(node(2));
        let body = NotOwner { table: TableId(Uuid::from_u128(1)), owner: None };
        assert_eq!(second.send(node(1), Correlation(1), body.into()), Err(SendError::Ended));
        assert_eq!(second.send_all(body.into()), Err(SendError::Ended));
        first.send(node(2), Correlation(7), body.into()).unwrap();
        first.send_all(body.into()).unwrap();
        network.advance(START + Duration::from_secs(1));
        assert_eq!(
            inbox.try_next(),
            Some(InboxEvent::NodeGone { node: node(2), correlation: Correlation(7) })
        );
        assert_eq!(inbox.try_next(), None);
        assert!(matches!(inbox_3.try_next(), Some(InboxEvent::Message(message)) if message.to.is_none()));
    }

    /// Lets a network run in the virtual time of the runtime. Returns a function that returns the
    /// milliseconds since then.
    fn run(network: &ChaosNetwork) -> impl Fn() -> u64 + use<> {
        let began = quadrex_runtime::monotonic();
        let elapsed = move || quadrex_runtime::monotonic() - began;
        let network = network.clone();
        tokio::spawn(async move { network.run(move || START + elapsed()).await });
        move || u64::try_from(elapsed().as_millis()).unwrap()
    }

    /// Returns a network with the nodes 1 and 2, which runs.
    fn running(chaos: Chaos) -> (ChaosNetwork, ChaosMessenger, Inbox, impl Fn() -> u64) {
        let network = ChaosNetwork::new(1, chaos, START);
        let ((sender, _), (_, inbox)) = (network.join(node(1)), network.join(node(2)));
        let elapsed_ms = run(&network);
        (network, sender, inbox, elapsed_ms)
    }

    fn send(sender: &ChaosMessenger, number: u64) {
        sender.send(node(2), Correlation(number), ListRequest {}.into()).unwrap();
    }

    /// Returns the number of the next message.
    async fn next(inbox: &mut Inbox) -> u64 {
        match inbox.next().await {
            Some(InboxEvent::Message(message)) => message.correlation.0,
            other => panic!("{other:?}"),
        }
    }

    /// Sends numbered messages, one in each millisecond, and returns the numbers that arrive within a
    /// second after the last one.
    async fn arrived(chaos: Chaos) -> Vec<u64> {
        let (_network, sender, mut inbox, _) = running(chaos);
        for number in 1..=200 {
            send(&sender, number);
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        let mut arrived = Vec::new();
        while let Some(InboxEvent::Message(message)) = inbox.try_next() {
            arrived.push(message.correlation.0);
        }
        arrived
    }

    #[tokio::test(start_paused = true)]
    async fn a_running_network_delivers_each_message_after_its_delay() {
        let (network, sender, mut inbox, elapsed_ms) = running(Chaos { delay_ms: 7..=7, ..Chaos::NONE });
        for number in [1, 2] {
            send(&sender, number);
            assert_eq!((next(&mut inbox).await, elapsed_ms()), (number, 1_000 * (number - 1) + 7));
            tokio::time::sleep(Duration::from_millis(993)).await;
        }
        // An earlier delivery is scheduled while the network waits for a later one.
        network.set_chaos(Chaos { delay_ms: 500..=500, ..Chaos::NONE });
        send(&sender, 3);
        tokio::time::sleep(Duration::from_millis(100)).await;
        network.set_chaos(Chaos { reordering: 1.0, ..Chaos::NONE });
        send(&sender, 4);
        assert_eq!((next(&mut inbox).await, elapsed_ms()), (4, 2_101));
        assert_eq!((next(&mut inbox).await, elapsed_ms()), (3, 2_500));
    }

    #[tokio::test(start_paused = true)]
    async fn a_running_network_keeps_the_order_without_chaos() {
        let all: Vec<u64> = (1..=200).collect();
        assert_eq!(arrived(Chaos::NONE).await, all);
        assert_eq!(arrived(Chaos { delay_ms: 1..=100, ..Chaos::NONE }).await, all);
    }

    #[tokio::test(start_paused = true)]
    async fn a_running_network_has_the_faults_of_its_chaos() {
        let lossy = arrived(Chaos { loss: 0.1, ..Chaos::NONE }).await;
        assert!((150..200).contains(&lossy.len()) && lossy.is_sorted(), "{lossy:?}");
        let mut doubled = arrived(Chaos { duplication: 0.1, ..Chaos::NONE }).await;
        assert!((201..250).contains(&doubled.len()), "{doubled:?}");
        doubled.dedup();
        assert_eq!(doubled, (1..=200).collect::<Vec<u64>>());
        let mut reordered = arrived(Chaos { reordering: 0.5, delay_ms: 1..=50, ..Chaos::NONE }).await;
        assert!(!reordered.is_sorted(), "{reordered:?}");
        reordered.sort_unstable();
        assert_eq!(reordered, (1..=200).collect::<Vec<u64>>());
        assert_eq!(arrived(Chaos { loss: 1.0, ..Chaos::NONE }).await, [0; 0]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_cut_loses_the_messages_that_are_sent_meanwhile() {
        let (network, sender, mut inbox, elapsed_ms) = running(Chaos { delay_ms: 10..=10, ..Chaos::NONE });
        send(&sender, 1);
        network.cut(node(1), node(2));
        send(&sender, 2);
        assert_eq!((next(&mut inbox).await, elapsed_ms()), (1, 10), "it was under way");
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(inbox.try_next(), None);
        network.restore(node(1), node(2));
        send(&sender, 3);
        assert_eq!((next(&mut inbox).await, elapsed_ms()), (3, 1_020));
    }

    #[tokio::test(start_paused = true)]
    async fn a_node_without_an_inbox_is_gone() {
        let (network, sender, inbox, elapsed_ms) = running(Chaos::NONE);
        send(&sender, 1);
        let (third, mut inbox_3) = network.join(node(3));
        // As if its process was killed.
        drop(inbox);
        third.send(node(2), Correlation(5), ListRequest {}.into()).unwrap();
        let gone = InboxEvent::NodeGone { node: node(2), correlation: Correlation(5) };
        assert_eq!((inbox_3.next().await, elapsed_ms()), (Some(gone), 1));
        let (_second, mut inbox) = network.join(node(2));
        third.send(node(2), Correlation(6), ListRequest {}.into()).unwrap();
        assert_eq!((next(&mut inbox).await, elapsed_ms()), (6, 2), "a new process may have its id");
    }
}
