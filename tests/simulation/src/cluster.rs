//! The network between the servers of a cluster, and its faults.

use std::time::Duration;

use quadrex_cluster::{Chaos, ChaosNetwork, LinkEvent};
use quadrex_rules::Timestamp;
use quadrex_runtime::simulation::Process;
use quadrex_store::NodeId;

use crate::chance::Chance;

/// The network between the servers of a cluster. Clones are the same network.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    network: ChaosNetwork,
    chance: Chance,
}

impl Cluster {
    /// Returns a network without servers, which delivers messages in virtual time.
    pub(crate) fn new(chance: Chance, clock: impl Fn() -> Timestamp + Clone + Send + 'static) -> Self {
        let network = ChaosNetwork::new(chance.number(), usual(), clock());
        let running = network.clone();
        Process::new("cluster").spawn(async move { running.run(clock).await });
        Self { network, chance }
    }

    pub(crate) fn network(&self) -> ChaosNetwork {
        self.network.clone()
    }

    /// Lets messages be lost, doubled, late or reordered. Returns what happens, for the trace.
    pub(crate) fn disturb(&self) -> String {
        let chance = &self.chance;
        let share = |most: u64| if chance.one_in(2) { chance.below(most) as f64 / 100.0 } else { 0.0 };
        let chaos = Chaos {
            loss: share(40),
            duplication: share(40),
            reordering: share(60),
            delay_ms: 1..=2 + chance.below(3) * chance.below(2_000),
        };
        let text = format!("{chaos:?}");
        self.network.set_chaos(chaos);
        text
    }

    /// Delivers all messages in order again.
    pub(crate) fn calm(&self) {
        self.network.set_chaos(usual());
    }

    /// Loses all messages from one node to another from now on, or no longer.
    pub(crate) fn set_cut(&self, from: NodeId, to: NodeId, is_cut: bool) {
        if is_cut {
            self.network.cut(from, to);
        } else {
            self.network.restore(from, to);
        }
    }

    /// Disconnects a node from all other nodes, or connects it again. The node notices it.
    pub(crate) fn set_connected(&self, node: NodeId, others: &[NodeId], is_connected: bool) {
        for other in others {
            self.set_cut(node, *other, !is_connected);
            self.set_cut(*other, node, !is_connected);
        }
        let event = match is_connected {
            true => LinkEvent::Connected,
            false => LinkEvent::Disconnected { silent_for: Duration::ZERO },
        };
        self.network.report(node, event);
    }
}

/// Returns the usual behavior of the network.
fn usual() -> Chaos {
    Chaos { delay_ms: 1..=4, ..Chaos::NONE }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quadrex_cluster::message::ListRequest;
    use quadrex_cluster::{ChaosMessenger, ClusterMessenger, Correlation, Inbox, InboxEvent};
    use uuid::Uuid;

    use super::*;
    use crate::trace::Trace;

    const NODES: [NodeId; 2] = [NodeId(Uuid::from_u128(1)), NodeId(Uuid::from_u128(2))];

    /// Returns a cluster, and the messengers and inboxes of its nodes.
    fn cluster() -> (Cluster, [(ChaosMessenger, Inbox); 2]) {
        let trace = Trace::new(false);
        let cluster = Cluster::new(Chance::new(7), move || trace.time_of_day());
        let joined = NODES.map(|node| cluster.network().join(node));
        (cluster, joined)
    }

    /// Sends many messages between both nodes. Returns how many arrive in each direction.
    async fn exchanged([first, second]: &mut [(ChaosMessenger, Inbox); 2]) -> [usize; 2] {
        for number in 0..100 {
            first.0.send(NODES[1], Correlation(number), ListRequest {}.into()).unwrap();
            second.0.send(NODES[0], Correlation(number), ListRequest {}.into()).unwrap();
        }
        tokio::time::sleep(Duration::from_secs(10)).await;
        let is_message = |event: &InboxEvent| matches!(event, InboxEvent::Message(_));
        let received = |inbox: &mut Inbox| std::iter::from_fn(|| inbox.try_next()).filter(is_message).count();
        [received(&mut second.1), received(&mut first.1)]
    }

    #[tokio::test(start_paused = true)]
    async fn a_calm_cluster_passes_all_messages_on() {
        let (cluster, mut nodes) = cluster();
        assert_eq!(exchanged(&mut nodes).await, [100, 100]);
        let mut counts = Vec::new();
        for _ in 0..20 {
            assert!(cluster.disturb().starts_with("Chaos {"));
            counts.extend(exchanged(&mut nodes).await);
        }
        assert!(
            counts.iter().any(|count| *count < 100) && counts.iter().any(|count| *count > 100),
            "{counts:?}"
        );
        cluster.calm();
        assert_eq!(exchanged(&mut nodes).await, [100, 100]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_cut_concerns_one_direction() {
        let (cluster, mut nodes) = cluster();
        cluster.set_cut(NODES[0], NODES[1], true);
        assert_eq!(exchanged(&mut nodes).await, [0, 100]);
        cluster.set_cut(NODES[0], NODES[1], false);
        assert_eq!(exchanged(&mut nodes).await, [100, 100]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_disconnected_node_notices_it() {
        let (cluster, mut nodes) = cluster();
        cluster.set_connected(NODES[0], &NODES[1..], false);
        let silent_for = Duration::ZERO;
        let disconnected = InboxEvent::Link(LinkEvent::Disconnected { silent_for });
        assert_eq!(nodes[0].1.try_next(), Some(disconnected));
        assert_eq!(exchanged(&mut nodes).await, [0, 0]);
        cluster.set_connected(NODES[0], &NODES[1..], true);
        assert_eq!(nodes[0].1.try_next(), Some(InboxEvent::Link(LinkEvent::Connected)));
        assert_eq!(exchanged(&mut nodes).await, [100, 100]);
        assert_eq!(nodes[1].1.try_next(), None, "the other node notices nothing");
    }

    #[tokio::test(start_paused = true)]
    async fn a_network_ends_with_the_process_that_runs_it() {
        let trace = Trace::new(false);
        let network = ChaosNetwork::new(7, Chaos::NONE, trace.time_of_day());
        let (process, alive) = (Process::new("the network"), Arc::new(()));
        let (running, held) = (network.clone(), Arc::clone(&alive));
        process.spawn(async move {
            let _held = held;
            running.run(move || trace.time_of_day()).await;
        });
        let mut nodes = NODES.map(|node| network.join(node));
        assert_eq!(exchanged(&mut nodes).await, [100, 100]);
        process.stop();
        assert_eq!(exchanged(&mut nodes).await, [0, 0]);
        process.resume();
        assert_eq!(exchanged(&mut nodes).await, [200, 200], "they were under way");
        process.kill();
        assert_eq!(exchanged(&mut nodes).await, [0, 0]);
        assert_eq!(Arc::strong_count(&alive), 1, "the task is dropped");
    }
}
