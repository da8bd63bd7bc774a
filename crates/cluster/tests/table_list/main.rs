//! The list of tables: each node has the tables of all others, although messages are lost.

#![expect(clippy::unwrap_used, reason = "a panic is how a test says no")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use quadrex_cluster::limits::{ANSWER_PATIENCE, DEAD_LIST_LIFETIME, GAP_PATIENCE, LIST_INTERVAL};
use quadrex_cluster::message::{
    HibernatingTable, ListChange, ListChanges, ListPart, ListRequest, LobbyState, OverviewUpdate,
};
use quadrex_cluster::{
    Chaos, ChaosMessenger, ChaosNetwork, ClusterMessenger, Correlation, Heartbeats, Inbox, InboxEvent,
    ListEffect, ListedTable, MergedTableList, MessageBody, NodeId, OwnTableList, PublishedState,
};
use quadrex_protocol::http::{CreateTable, TableStatus, TableSummary};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Head, Phase};
use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_rules::{Timestamp, Variant};
use quadrex_table::validate_settings;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);

fn node(number: u128) -> NodeId {
    NodeId(Uuid::from_u128(number))
}

fn table_id(number: u128) -> TableId {
    TableId(Uuid::from_u128(number))
}

fn table(number: u128, name: &str, plies: u32) -> OverviewUpdate {
    let summary = TableSummary {
        table: table_id(number),
        settings: validate_settings(CreateTable::plain(Variant::Dilkel, Privacy::Public)).unwrap(),
        host: UserView {
            id: UserId(Uuid::from_u128(1)),
            name: name.to_owned(),
            account: false,
            bot: None,
            anonymous: false,
        },
        phase: Phase::Running,
        seats: Vec::new(),
        turn: None,
        plies,
        spectators: 0,
        created_at_ms: 0,
    };
    let head = Head { match_id: MatchId(Uuid::from_u128(number)), seq: plies.into() };
    OverviewUpdate {
        head,
        summary,
        kicked: Vec::new(),
        connected: Vec::new(),
        arrived: Vec::new(),
        is_host_present: false,
        open_turn: None,
    }
}

fn awake(number: u128, name: &str, plies: u32) -> ListedTable {
    ListedTable::Awake(Box::new(table(number, name, plies)))
}

/// Returns all tables of a node, as others list them.
fn all(own: &OwnTableList) -> BTreeMap<TableId, ListedTable> {
    let mut listed = BTreeMap::new();
    for part in own.parts() {
        let hibernating = part.hibernating.iter();
        listed.extend(hibernating.map(|HibernatingTable { table, players }| {
            (*table, ListedTable::Hibernating { players: *players })
        }));
        let tables = part.tables.into_iter();
        listed.extend(tables.map(|table| (table.summary.table, ListedTable::Awake(Box::new(table)))));
    }
    listed
}

fn list_part(version: u64, tables: Vec<OverviewUpdate>) -> ListPart {
    ListPart { version, part: 0, parts: 1, tables, hibernating: Vec::new() }
}

/// Returns the fields of the table 1 that change with every move.
fn state(plies: u32) -> PublishedState {
    let status = TableStatus { table: table_id(1), turn: None, plies, spectators: 0 };
    PublishedState { head: table(1, "Ada", plies).head, status, open_turn: None }
}

fn changed(tables: &[u128]) -> ListEffect {
    ListEffect::Changed(tables.iter().map(|number| table_id(*number)).collect())
}

fn changes(version: u64, changes: Vec<ListChange>) -> ListChanges {
    ListChanges { version, changes }
}

/// Returns a list that has the tables 1 and 2 of node 1 in version 5.
fn merged() -> MergedTableList {
    let mut list = MergedTableList::default();
    assert_eq!(list.on_version(node(1), 5, START), [ListEffect::Ask(node(1))]);
    let part = |part, tables| ListPart { version: 5, part, parts: 2, tables, hibernating: Vec::new() };
    assert_eq!(list.on_part(node(1), part(1, vec![table(2, "Ada", 0)]), START), []);
    assert_eq!(list.on_part(node(1), part(0, vec![table(1, "Ada", 0)]), START), [changed(&[1, 2])]);
    assert_eq!(list.next_deadline(), None);
    list
}

#[test]
fn an_own_list_sends_what_has_changed() {
    let mut own = OwnTableList::default();
    assert_eq!((own.next_deadline(), own.due(START)), (None, vec![]));
    own.set(table(1, "Ada", 0));
    own.set(table(2, "Ada", 0));
    let both = vec![
        ListChange::Table(Box::new(table(1, "Ada", 0))),
        ListChange::Table(Box::new(table(2, "Ada", 0))),
    ];
    assert_eq!(own.due(START), [changes(1, both)]);
    own.set(table(1, "Ada", 7));
    own.set(table(2, "Ada", 0));
    assert_eq!(own.due(START), [], "the last message was sent just now");
    let now = START + LIST_INTERVAL;
    assert_eq!(own.next_deadline(), Some(now));
    let sent = own.due(now);
    assert!(
        matches!(sent.as_slice(), [ListChanges { version: 2, changes }]
        if changes.as_slice() == [ListChange::State(state(7))]),
        "{sent:?}"
    );
    own.set(table(1, "Ada", 8));
    own.set(table(1, "Bob", 8));
    own.remove(table_id(2));
    own.remove(table_id(3));
    let now = now + LIST_INTERVAL;
    let expected = vec![ListChange::Table(Box::new(table(1, "Bob", 8))), ListChange::Removed(table_id(2))];
    assert_eq!(own.due(now), [changes(3, expected)]);
    assert_eq!(own.version(), 3);
    assert_eq!(own.tables().collect::<Vec<_>>(), [&table(1, "Bob", 8)]);
}

#[test]
fn many_tables_are_sent_in_messages_of_limited_size() {
    let mut own = OwnTableList::default();
    assert_eq!(own.parts(), [list_part(0, vec![])]);
    for number in 0..700 {
        own.set(table(number, "Ada", 0));
    }
    let mut list = MergedTableList::default();
    list.on_part(node(1), own.parts().remove(2), START);
    let sent = own.due(START);
    assert_eq!(sent.iter().map(|message| message.version).collect::<Vec<_>>(), [1, 2, 3]);
    let parts = own.parts();
    assert_eq!(
        parts.iter().map(|part| (part.version, part.part, part.parts)).collect::<Vec<_>>(),
        [(3, 0, 3), (3, 1, 3), (3, 2, 3)]
    );
    for part in parts {
        list.on_part(node(1), part, START);
    }
    assert_eq!(list.tables().count(), 700);
}

#[test]
fn changes_are_applied_once_and_in_order() {
    let mut list = merged();
    let later = awake(1, "Ada", 9);
    let played = |plies| vec![ListChange::State(state(plies))];
    assert_eq!(list.on_changes(node(1), changes(7, played(9)), START), []);
    assert_eq!(list.on_changes(node(1), changes(6, played(8)), START), [changed(&[1])]);
    assert_eq!(list.table(table_id(1)), Some(&later));
    assert_eq!(list.on_changes(node(1), changes(6, played(8)), START), []);
    assert_eq!(
        list.on_changes(node(1), changes(8, vec![ListChange::Removed(table_id(1))]), START),
        [changed(&[1])]
    );
    assert_eq!(list.table(table_id(1)), None);
    assert_eq!(list.next_deadline(), None);
}

#[test]
fn a_node_whose_changes_were_lost_is_asked_for_all_tables() {
    let mut list = merged();
    let new = vec![ListChange::Table(Box::new(table(3, "Ada", 0)))];
    assert_eq!(list.on_changes(node(1), changes(7, new), START), []);
    assert_eq!(list.next_deadline(), Some(START + GAP_PATIENCE));
    let now = START + GAP_PATIENCE;
    assert_eq!(list.tick(now), [ListEffect::Ask(node(1))]);
    assert_eq!(list.tick(now + ANSWER_PATIENCE), [ListEffect::Ask(node(1))], "the answer was lost");
    let whole = list_part(6, vec![table(2, "Bob", 0)]);
    assert_eq!(list.on_part(node(1), whole, now), [changed(&[1, 2, 3])]);
    assert_eq!(list.next_deadline(), None);
    // The last change was lost, as a heartbeat shows.
    assert_eq!(list.on_version(node(1), 8, now), []);
    assert_eq!(list.tick(now + GAP_PATIENCE), [ListEffect::Ask(node(1))]);
}

#[test]
fn tables_of_a_dead_node_stay_until_another_node_lists_them() {
    let mut list = merged();
    assert_eq!(list.on_node_dead(node(9), START), []);
    assert_eq!(list.on_node_dead(node(1), START), [changed(&[1, 2])]);
    assert_eq!(list.owner(table_id(1)), Some(node(1)));
    let claimed = list_part(1, vec![table(1, "Ada", 4)]);
    assert_eq!(list.on_part(node(2), claimed, START), [changed(&[1])]);
    assert_eq!(list.owner(table_id(1)), Some(node(2)));
    assert_eq!(list.table(table_id(1)), Some(&awake(1, "Ada", 4)));
    let late = changes(6, vec![ListChange::Removed(table_id(2))]);
    assert_eq!(list.on_changes(node(1), late, START), [], "the node is dead");
    let now = START + DEAD_LIST_LIFETIME;
    assert_eq!(list.next_deadline(), Some(now));
    assert_eq!(list.tick(now), [changed(&[1, 2])]);
    assert_eq!(list.tables().collect::<Vec<_>>(), [(node(2), table_id(1), &awake(1, "Ada", 4))]);
    assert_eq!(list.on_version(node(1), 9, now), []);
    assert_eq!(list.next_deadline(), None, "a dead node is not asked");
}

#[test]
fn a_table_that_is_handed_over_is_never_missing() {
    let mut list = merged();
    let taken = list_part(1, vec![table(1, "Ada", 4)]);
    list.on_part(node(2), taken, START);
    assert_eq!(list.owner(table_id(1)), Some(node(2)), "the node that lists it last");
    list.on_changes(node(1), changes(6, vec![ListChange::Removed(table_id(1))]), START);
    assert_eq!(list.table(table_id(1)), Some(&awake(1, "Ada", 4)));
}

/// A hibernating table stays in the list with the number of its players, until it has an actor again.
#[test]
fn a_hibernating_table_stays_in_the_list() {
    let mut own = OwnTableList::default();
    own.set(table(1, "Ada", 3));
    let mut list = MergedTableList::default();
    list.on_part(node(1), own.parts().remove(0), START);
    let mut now = START;
    let mut after = |own: &mut OwnTableList, list: &mut MergedTableList| {
        now = now + LIST_INTERVAL;
        for changes in own.due(now) {
            list.on_changes(node(1), changes, now);
        }
        (list.table(table_id(1)).cloned(), own.hibernating(table_id(1)))
    };
    after(&mut own, &mut list);
    own.hibernate(table_id(1), 2);
    assert_eq!(after(&mut own, &mut list), (Some(ListedTable::Hibernating { players: 2 }), Some(2)));
    own.hibernate(table_id(1), 2);
    assert_eq!(own.next_deadline(), None, "nothing has changed");
    own.set(table(1, "Ada", 3));
    assert_eq!(after(&mut own, &mut list), (Some(awake(1, "Ada", 3)), None));
    own.hibernate(table_id(1), 2);
    own.remove(table_id(1));
    assert_eq!(after(&mut own, &mut list), (None, None));

    for number in 0..12_000 {
        own.hibernate(table_id(number), 2);
    }
    let parts = own.parts();
    assert_eq!(parts.iter().map(|part| part.hibernating.len()).collect::<Vec<_>>(), [5_000, 5_000, 2_000]);
    let mut list = MergedTableList::default();
    for part in parts {
        list.on_part(node(1), part, START);
    }
    assert_eq!(list.tables().count(), 12_000);
}

/// A node of a simulated cluster.
struct Node {
    messenger: ChaosMessenger,
    inbox: Inbox,
    heartbeats: Heartbeats,
    own: OwnTableList,
    others: MergedTableList,
    /// The other nodes' tables as the effects have reported them.
    reported: BTreeMap<TableId, ListedTable>,
}

impl Node {
    fn step(&mut self, now: Timestamp) {
        let mut effects = self.others.tick(now);
        while let Some(item) = self.inbox.try_next() {
            let InboxEvent::Message(message) = item else { continue };
            let from = message.from;
            effects.extend(match message.body {
                MessageBody::Heartbeat(heartbeat) => {
                    self.others.on_version(from, heartbeat.lobby.list_version, now)
                }
                MessageBody::ListChanges(changes) => self.others.on_changes(from, changes, now),
                MessageBody::ListPart(part) => self.others.on_part(from, part, now),
                MessageBody::ListRequest(_) => {
                    for part in self.own.parts() {
                        self.messenger.send(from, Correlation(0), part.into()).unwrap();
                    }
                    Vec::new()
                }
                other => panic!("{other:?}"),
            });
        }
        for effect in effects {
            match effect {
                ListEffect::Ask(node) => {
                    self.messenger.send(node, Correlation(0), ListRequest {}.into()).unwrap();
                }
                ListEffect::Changed(tables) => {
                    for table in tables {
                        match self.others.table(table) {
                            Some(summary) => _ = self.reported.insert(table, summary.clone()),
                            None => _ = self.reported.remove(&table),
                        }
                    }
                }
            }
        }
        for changes in self.own.due(now) {
            self.messenger.send_all(changes.into()).unwrap();
        }
        let lobby = LobbyState { list_version: self.own.version(), ..LobbyState::default() };
        for (to, heartbeat) in self.heartbeats.due(&lobby, now) {
            self.messenger.send(to, Correlation(0), heartbeat.into()).unwrap();
        }
    }
}

fn simulate(seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let chaos = Chaos { loss: 0.1, duplication: 0.1, reordering: 0.2, delay_ms: 1..=60 };
    let network = ChaosNetwork::new(seed, chaos, START);
    let ids: Vec<NodeId> = (1..=3).map(node).collect();
    let join = |id: &NodeId| {
        let (messenger, inbox) = network.join(*id);
        let mut heartbeats = Heartbeats::default();
        heartbeats.set_peers(ids.iter().copied().filter(|other| other != id));
        let (own, others) = (OwnTableList::default(), MergedTableList::default());
        Node { messenger, inbox, heartbeats, own, others, reported: BTreeMap::new() }
    };
    let mut nodes: Vec<Node> = ids.iter().map(join).collect();
    let step = Duration::from_millis(20);
    let mut now = START;
    while now.since(START) < Duration::from_secs(25) {
        now = now + step;
        network.advance(now);
        if now.since(START) < Duration::from_secs(10) {
            let (from, number) = (rng.random_range(0..3), rng.random_range(0..12));
            match rng.random_range(0..5) {
                4 => nodes[from].own.hibernate(table_id(number), rng.random_range(1..4)),
                // Several nodes list a table while it is handed over.
                0 => nodes[from].own.remove(table_id(number)),
                1 => nodes[from].own.set(table(number, "Ada", rng.random_range(0..3))),
                _ => {
                    let known =
                        nodes[from].own.tables().find(|table| table.summary.table == table_id(number));
                    if let Some(mut known) = known.cloned() {
                        known.summary.plies += 1;
                        known.head.seq += 1;
                        nodes[from].own.set(known);
                    }
                }
            }
        }
        for node in &mut nodes {
            node.step(now);
        }
    }
    for (index, own) in nodes.iter().enumerate() {
        let others = nodes.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, node)| node);
        let expected: BTreeSet<TableId> = others.flat_map(|other| all(&other.own).into_keys()).collect();
        let listed: BTreeMap<TableId, ListedTable> =
            own.others.tables().map(|(_, table, listed)| (table, listed.clone())).collect();
        assert_eq!(listed.keys().copied().collect::<BTreeSet<_>>(), expected, "seed {seed}, node {index}");
        assert_eq!(own.reported, listed, "seed {seed}, node {index}: every change is reported");
        for (owner, table, listed) in own.others.tables() {
            let owner = nodes.iter().find(|node| node.messenger.node() == owner).unwrap();
            assert_eq!(all(&owner.own).get(&table), Some(listed), "seed {seed}, node {index}");
        }
    }
}

#[test]
fn all_nodes_have_the_tables_of_all_others_although_messages_are_lost() {
    for seed in 0..100 {
        simulate(seed);
    }
}
