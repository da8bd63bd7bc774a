//! The move of a node's clients to the other nodes, before the node stops.

use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_store::NodeState;
use tokio::sync::watch;

use crate::cluster::ClusterLink;
use crate::stop::{MovePlan, OpenConnections, StopStage};

/// The maximum time for which a node that stops serves its clients, after load balancers have
/// noticed it.
pub(super) const MOVE_LIMIT: Duration = Duration::from_secs(60);

/// The clients of a node.
#[derive(Debug)]
pub(super) struct Clients {
    pub(super) link: ClusterLink,
    pub(super) clock: Clock,
    pub(super) connections: OpenConnections,
}

impl Clients {
    /// Asks all clients to connect to other nodes, and serves them until they have, or until the
    /// plan ends. Does nothing if there is no other node.
    pub(super) async fn move_away(&self, plan: MovePlan, stage: &watch::Sender<StopStage>) {
        let left = plan.closes_at.saturating_sub(self.clock.elapsed());
        if plan.spread.is_zero() || left.is_zero() || !self.has_other_node() {
            return;
        }
        let count = self.connections.count();
        tracing::info!(connections = count, "asks the clients to connect to other nodes");
        stage.send_replace(StopStage::Moving(plan));
        if tokio::time::timeout(left, self.connections.none()).await.is_err() {
            let count = self.connections.count();
            tracing::warn!(connections = count, "some clients did not connect to other nodes in time");
        }
    }

    fn has_other_node(&self) -> bool {
        let me = self.link.node();
        self.link.nodes().iter().any(|node| node.id != me && node.state == NodeState::Serving)
    }
}
