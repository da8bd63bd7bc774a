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
