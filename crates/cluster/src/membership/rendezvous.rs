//! The choice of a node for a key by rendezvous hashing: all nodes that know the same nodes make
//! the same choice, and if a node leaves, only its own keys move.

use quadrex_protocol::MatchId;
use quadrex_store::{NodeId, NodeRow, NodeState};
use sha2::{Digest, Sha256};

/// Returns the node that is responsible for a key; `None` if there are no nodes.
#[must_use]
pub fn key_owner(nodes: impl IntoIterator<Item = NodeId>, key: &[u8]) -> Option<NodeId> {
    nodes.into_iter().max_by_key(|node| (weight(*node, key), *node))
}

/// Returns the node that claims a match which has no owner; `None` if no node can. A serving node
/// that reaches the other nodes is preferred, and among those a node with the engine that plays in
/// the match, if one does.
#[must_use]
pub fn claimant(nodes: &[NodeRow], match_id: MatchId, engine: Option<&str>) -> Option<NodeId> {
    let serving = || nodes.iter().filter(|node| node.state == NodeState::Serving);
    let is_any_connected = serving().any(|node| node.is_connected);
    let candidates = || serving().filter(move |node| node.is_connected == is_any_connected);
    let has_engine =
        |node: &&NodeRow| engine.is_none_or(|engine| node.engines.iter().any(|other| other == engine));
    let with_engine = candidates().filter(has_engine).map(|node| node.id);
    key_owner(with_engine, match_id.0.as_bytes())
        .or_else(|| key_owner(candidates().map(|node| node.id), match_id.0.as_bytes()))
}

/// Returns the weight of a node for a key. All versions of the program must compute the same.
fn weight(node: NodeId, key: &[u8]) -> u64 {
    let digest = Sha256::new().chain_update(node.0.as_bytes()).chain_update(key).finalize();
    u64::from_be_bytes(digest[..8].try_into().expect("a SHA-256 has 32 bytes"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quadrex_rules::Timestamp;
    use uuid::Uuid;

    use super::*;

    fn node(number: u64, engines: &[&str]) -> NodeRow {
        NodeRow {
            id: NodeId(Uuid::from_u64_pair(0, number)),
            name: String::new(),
            state: NodeState::Serving,
            is_connected: true,
            engines: engines.iter().map(|engine| (*engine).to_owned()).collect(),
            renewed_at: Timestamp::from_millis(0),
        }
    }

    fn match_id(number: u64) -> MatchId {
        MatchId(Uuid::from_u64_pair(1, number))
    }

    /// A weight that changes moves matches between nodes of two versions.
    #[test]
    fn weights_are_the_same_in_all_versions() {
        assert_eq!(weight(NodeId(Uuid::from_u64_pair(1, 2)), b"key"), 11_035_385_944_036_144_779);
    }

    proptest! {
        /// If a node leaves, only its keys move, and they spread over the others.
        #[test]
        fn only_the_keys_of_a_node_that_leaves_move(count in 2_u64..8, gone in 0_u64..8) {
            let nodes: Vec<NodeId> = (0..count).map(|number| node(number, &[]).id).collect();
            let gone = nodes[usize::try_from(gone % count).unwrap()];
            let mut shares = std::collections::BTreeMap::new();
            for key in 0..400_u64 {
                let before = key_owner(nodes.iter().copied(), &key.to_be_bytes()).unwrap();
                let rest = nodes.iter().copied().filter(|node| *node != gone);
                let after = key_owner(rest.rev(), &key.to_be_bytes()).unwrap();
                prop_assert!(before == after || before == gone);
                *shares.entry(before).or_insert(0) += 1;
            }
            let fair = 400 / count;
            prop_assert!(nodes.iter().all(|node| (fair / 2..fair * 2).contains(&shares[node])), "{shares:?}");
        }
    }

    #[test]
    fn a_match_goes_to_a_serving_connected_node_with_its_engine() {
        let mut nodes = vec![node(1, &["quadrex"]), node(2, &["quadrex", "other"]), node(3, &["quadrex"])];
        let claimants = |nodes: &[NodeRow], engine| {
            let all = (0..50).map(|number| claimant(nodes, match_id(number), engine).unwrap());
            all.collect::<std::collections::BTreeSet<_>>()
        };
        let [first, second, third] = [1, 2, 3].map(|number| node(number, &[]).id);
        assert_eq!(claimants(&nodes, Some("quadrex")).len(), 3);
        assert_eq!(claimants(&nodes, Some("other")), [second].into());
        assert_eq!(claimants(&nodes, Some("unknown")).len(), 3, "a substitute plays");
        nodes[1].state = NodeState::Draining;
        assert_eq!(claimants(&nodes, Some("other")), [first, third].into());
        nodes[0].is_connected = false;
        assert_eq!(claimants(&nodes, None), [third].into());
        nodes[2].is_connected = false;
        assert_eq!(claimants(&nodes, None), [first, third].into(), "none is better than the others");
        nodes.iter_mut().for_each(|node| node.state = NodeState::Dead);
        assert_eq!(claimant(&nodes, match_id(1), None), None);
    }
}
