//! The heartbeats of a node: what it sends to each other node once a second.

use std::collections::BTreeMap;

use quadrex_protocol::TableId;
use quadrex_rules::Timestamp;

use crate::NodeId;
use crate::limits::{HEARTBEAT_INTERVAL, HEARTBEATS_PER_ROUND};
use crate::message::{FollowHead, FollowState, Heartbeat, LobbyState};

/// The largest number of follows in one heartbeat. A node with more sends several at once, because
/// the size of a message is limited.
const MAX_FOLLOWS: usize = 2_000;

/// The heartbeats of a node. There is one heartbeat for each other node, not for each table: it
/// names the follows between the two nodes that have changed, and in turn all others.
#[derive(Debug, Default)]
pub struct Heartbeats {
    peers: BTreeMap<NodeId, Peer>,
    /// The number of heartbeats so far.
    count: u64,
    last_sent: Option<Timestamp>,
}

/// The follows between this node and another one.
#[derive(Debug, Default)]
struct Peer {
    /// Tables of this node that the other one follows.
    heads: BTreeMap<TableId, Named<FollowHead>>,
    /// Tables of the other node that this one follows.
    follows: BTreeMap<TableId, Named<FollowState>>,
    last_received: Option<Timestamp>,
}

/// An entry of the next heartbeats.
#[derive(Debug)]
struct Named<T> {
    entry: T,
    has_changed: bool,
}

impl Heartbeats {
    /// Sets the other nodes of the cluster. A node that is no longer among them gets no heartbeats,
    /// and its follows are forgotten.
    pub fn set_peers(&mut self, peers: impl IntoIterator<Item = NodeId>) {
        let mut before = std::mem::take(&mut self.peers);
        self.peers = peers.into_iter().map(|peer| (peer, before.remove(&peer).unwrap_or_default())).collect();
    }

    /// Sets the follows of a table of this node by other nodes. Earlier ones are removed.
    pub fn set_heads(&mut self, table: TableId, heads: impl IntoIterator<Item = (NodeId, FollowHead)>) {
        let mut heads: BTreeMap<NodeId, FollowHead> = heads.into_iter().collect();
        for (node, peer) in &mut self.peers {
            set(&mut peer.heads, table, heads.remove(node));
        }
        for (node, head) in heads {
            set(&mut self.peer(node).heads, table, Some(head));
        }
    }

    /// Sets the follow of a table of another node by this node. An earlier one is removed.
    pub fn set_follow(&mut self, table: TableId, follow: Option<(NodeId, FollowState)>) {
        let owner = follow.map(|(owner, _)| owner);
        for (_, peer) in self.peers.iter_mut().filter(|(node, _)| Some(**node) != owner) {
            set(&mut peer.follows, table, None);
        }
        if let Some((owner, state)) = follow {
            set(&mut self.peer(owner).follows, table, Some(state));
        }
    }

    /// Returns the tables of another node that this one follows.
    #[must_use]
    pub fn followed(&self, owner: NodeId) -> Vec<TableId> {
        self.peers.get(&owner).map(|peer| peer.follows.keys().copied().collect()).unwrap_or_default()
    }

    /// Returns the tables of this node that another one follows.
    #[must_use]
    pub fn followed_by(&self, follower: NodeId) -> Vec<TableId> {
        self.peers.get(&follower).map(|peer| peer.heads.keys().copied().collect()).unwrap_or_default()
    }

    /// Records a heartbeat of another node.
    pub fn receive(&mut self, from: NodeId, now: Timestamp) {
        self.peer(from).last_received = Some(now);
    }

    /// Returns the time of the last heartbeat of another node.
    #[must_use]
    pub fn last_received(&self, from: NodeId) -> Option<Timestamp> {
        self.peers.get(&from)?.last_received
    }

    /// Returns the time of the next heartbeats.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        self.last_sent.map(|last| last + HEARTBEAT_INTERVAL)
    }

    /// Returns the heartbeats to be sent now, if it is time to send them, with the state of this
    /// node's lobby.
    pub fn due(&mut self, lobby: &LobbyState, now: Timestamp) -> Vec<(NodeId, Heartbeat)> {
        if self.next_deadline().is_some_and(|next| now < next) {
            return Vec::new();
        }
        self.last_sent = Some(now);
        self.count += 1;
        let count = self.count;
        let mut heartbeats = Vec::new();
        for (peer, follows) in &mut self.peers {
            let mut heads = named(&mut follows.heads, count).into_iter().peekable();
            let mut states = named(&mut follows.follows, count).into_iter().peekable();
            loop {
                let heartbeat = Heartbeat {
                    heads: heads.by_ref().take(MAX_FOLLOWS).collect(),
                    follows: states.by_ref().take(MAX_FOLLOWS).collect(),
                    lobby: lobby.clone(),
                };
                heartbeats.push((*peer, heartbeat));
                if heads.peek().is_none() && states.peek().is_none() {
                    break;
                }
            }
        }
        heartbeats
    }

    fn peer(&mut self, node: NodeId) -> &mut Peer {
        self.peers.entry(node).or_default()
    }
}

fn set<T: PartialEq>(entries: &mut BTreeMap<TableId, Named<T>>, table: TableId, entry: Option<T>) {
    match entry {
        None => _ = entries.remove(&table),
        Some(entry) if entries.get(&table).is_some_and(|known| known.entry == entry) => {}
        Some(entry) => _ = entries.insert(table, Named { entry, has_changed: true }),
    }
}

/// Returns the entries that a heartbeat names: all that have changed, and the turn of the others.
fn named<T: Copy>(entries: &mut BTreeMap<TableId, Named<T>>, heartbeat: u64) -> Vec<T> {
    let is_turn =
        |table: &TableId| (table.0.as_u128() as u64 ^ heartbeat).is_multiple_of(HEARTBEATS_PER_ROUND);
    let is_named =
        |table: &TableId, entry: &mut Named<T>| std::mem::take(&mut entry.has_changed) || is_turn(table);
    entries.iter_mut().filter_map(|(table, entry)| is_named(table, entry).then_some(entry.entry)).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::FollowId;
    use quadrex_protocol::MatchId;
    use quadrex_protocol::view::Head;
    use uuid::Uuid;

    const START: Timestamp = Timestamp::from_millis(1_000_000);

    fn node(number: u128) -> NodeId {
        NodeId(Uuid::from_u128(number))
    }

    fn table(number: u128) -> TableId {
        TableId(Uuid::from_u128(number))
    }

    fn follow(heartbeats: &mut Heartbeats, number: u128, presence_version: u64) {
        let state = FollowState { table: table(number), follow: FollowId(1), presence_version };
        heartbeats.set_follow(table(number), Some((node(1), state)));
    }

    /// Returns the tables of the heartbeats to one node.
    fn named_tables(heartbeats: &[(NodeId, Heartbeat)], to: NodeId) -> Vec<u128> {
        let follows = heartbeats.iter().filter(|(node, _)| *node == to).flat_map(|(_, beat)| &beat.follows);
        follows.map(|follow| follow.table.0.as_u128()).collect()
    }

    #[test]
    fn every_peer_gets_one_heartbeat_a_second() {
        let mut heartbeats = Heartbeats::default();
        heartbeats.set_peers([node(1), node(2)]);
        let receivers =
            |sent: Vec<(NodeId, Heartbeat)>| sent.into_iter().map(|(to, _)| to).collect::<Vec<_>>();
        assert_eq!(receivers(heartbeats.due(&LobbyState::default(), START)), [node(1), node(2)]);
        assert_eq!(receivers(heartbeats.due(&LobbyState::default(), START + Duration::from_millis(999))), []);
        heartbeats.set_peers([node(2)]);
        assert_eq!(heartbeats.next_deadline(), Some(START + HEARTBEAT_INTERVAL));
        assert_eq!(receivers(heartbeats.due(&LobbyState::default(), START + HEARTBEAT_INTERVAL)), [node(2)]);
    }

    #[test]
    fn a_heartbeat_names_changed_follows_at_once_and_all_others_in_turn() {
        let mut heartbeats = Heartbeats::default();
        for table in 1..=4 {
            follow(&mut heartbeats, table, 1);
        }
        let mut now = START;
        let mut next = |heartbeats: &mut Heartbeats| {
            now = now + HEARTBEAT_INTERVAL;
            named_tables(&heartbeats.due(&LobbyState::default(), now), node(1))
        };
        assert_eq!(next(&mut heartbeats), [1, 2, 3, 4]);
        let mut in_turn = [next(&mut heartbeats), next(&mut heartbeats)].concat();
        in_turn.sort_unstable();
        assert_eq!(in_turn, [1, 2, 3, 4]);
        for _ in 0..2 {
            follow(&mut heartbeats, 1, 1);
            follow(&mut heartbeats, 2, 7);
            let named = next(&mut heartbeats);
            assert!(named.contains(&2) && named.len() <= 3, "{named:?}");
            follow(&mut heartbeats, 2, 1);
        }
        heartbeats.set_follow(table(2), None);
        assert!(![next(&mut heartbeats), next(&mut heartbeats)].concat().contains(&2));
    }

    #[test]
    fn many_follows_are_named_by_several_messages() {
        let mut heartbeats = Heartbeats::default();
        for table in 0..5_000 {
            follow(&mut heartbeats, table, 1);
        }
        let sent = heartbeats.due(&LobbyState::default(), START);
        assert_eq!(
            sent.iter().map(|(_, beat)| beat.follows.len()).collect::<Vec<_>>(),
            [2_000, 2_000, 1_000]
        );
    }

    #[test]
    fn a_table_is_named_to_the_nodes_that_follow_it_now() {
        let mut heartbeats = Heartbeats::default();
        let head = FollowHead {
            table: table(1),
            follow: FollowId(1),
            count: 1,
            head: Head { match_id: MatchId(Uuid::from_u128(5)), seq: 3 },
            presence_version: 1,
        };
        let mut named_to = |followers: &[u128], now: Timestamp| {
            heartbeats.set_heads(table(1), followers.iter().map(|number| (node(*number), head)));
            let sent = heartbeats.due(&LobbyState::default(), now);
            let naming = sent.iter().filter(|(_, beat)| beat.heads == [head]);
            naming.map(|(to, _)| *to).collect::<Vec<_>>()
        };
        assert_eq!(named_to(&[1, 2], START), [node(1), node(2)]);
        assert_eq!(named_to(&[3], START + HEARTBEAT_INTERVAL), [node(3)]);
        assert_eq!(named_to(&[], START + 2 * HEARTBEAT_INTERVAL), []);
    }

    #[test]
    fn the_last_heartbeat_of_a_node_is_known() {
        let mut heartbeats = Heartbeats::default();
        heartbeats.receive(node(1), START);
        assert_eq!(heartbeats.last_received(node(1)), Some(START));
        assert_eq!(heartbeats.last_received(node(2)), None);
    }
}
