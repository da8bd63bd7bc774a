//! The users who are connected, to this server or to another node of its cluster.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::future::join_all;
use quadrex_cluster::message::{MessageBody, OnlineAnswer, OnlineQuestion};
use quadrex_protocol::UserId;
use quadrex_store::NodeState;

use super::Lobby;

/// The time that a node waits for the answers of the other nodes.
const ONLINE_PATIENCE: Duration = Duration::from_millis(300);

impl Lobby {
    /// Returns those of the users who are connected to this server.
    #[must_use]
    pub fn online_here(&self, users: &[UserId]) -> Vec<UserId> {
        self.online.among(users)
    }

    /// Returns those of the users who are connected to any server. The users of a node that does not
    /// answer count as not connected.
    pub async fn online_among(&self, users: &[UserId]) -> HashSet<UserId> {
        let mut online: HashSet<UserId> = self.online_here(users).into_iter().collect();
        let Some(cluster) = &self.deps.cluster else { return online };
        let nodes = cluster.nodes();
        let others = nodes.iter().filter(|node| node.id != cluster.node() && node.state != NodeState::Dead);
        let answers = others.map(|node| {
            let question = OnlineQuestion { users: users.to_vec() };
            cluster.ask(node.id, question.into(), ONLINE_PATIENCE)
        });
        for answer in join_all(answers).await.into_iter().flatten() {
            if let MessageBody::OnlineAnswer(OnlineAnswer { online: there }) = answer {
                online.extend(there);
            }
        }
        online
    }
}
