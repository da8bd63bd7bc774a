//! The tables of all nodes of a cluster: this node publishes its own tables, and has those of the
//! others.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

use quadrex_cluster::message::{Heartbeat, ListRequest, LobbyState, MessageBody};
use quadrex_cluster::{Correlation, ListEffect, ListedTable, MergedTableList, NodeId, OwnTableList};
use quadrex_protocol::{TableId, UserId};
use quadrex_rules::Timestamp;

use crate::actor::TableOverview;
use crate::cluster::ClusterLink;

/// The time for which this node still lists a table that another node takes over, unless the other
/// node lists it before.
const HAND_OVER_TIME: Duration = Duration::from_secs(10);

/// The tables of all nodes, as this node knows them.
#[derive(Debug)]
pub(super) struct ClusterLists {
    cluster: ClusterLink,
    own: OwnTableList,
    others: MergedTableList,
    /// The people at each other node.
    people: HashMap<NodeId, People>,
    /// The tables that this node has handed over, and that no other node lists yet. They stay in the
    /// list until the given time.
    handed_over: BTreeMap<TableId, Timestamp>,
    next_heartbeat: Timestamp,
}

/// The people at another node.
#[derive(Debug)]
struct People {
    /// The number of people who are online.
    online: u32,
    /// See [`LobbyState::reachable`].
    reachable: HashSet<UserId>,
}

impl ClusterLists {
    pub(super) fn new(cluster: ClusterLink, now: Timestamp) -> Self {
        Self {
            cluster,
            own: OwnTableList::default(),
            others: MergedTableList::default(),
            people: HashMap::new(),
            handed_over: BTreeMap::new(),
            next_heartbeat: now,
        }
    }

    /// Lists a table of this node.
    pub(super) fn set_own(&mut self, overview: &TableOverview) {
        self.handed_over.remove(&overview.status.table);
        self.own.set(overview.to_update());
    }

    /// Lists a table of this node whose match hibernates. `players` is the number of people there if
    /// the table is in the lobby's list.
    pub(super) fn hibernate(&mut self, table: TableId, players: Option<u32>) {
        self.handed_over.remove(&table);
        match players {
            Some(players) => self.own.hibernate(table, players),
            None => self.own.remove(table),
        }
    }

    /// Removes a table of this node.
    pub(super) fn remove_own(&mut self, table: TableId) {
        self.handed_over.remove(&table);
        self.own.remove(table);
    }

    /// Records that this node has handed a table over.
    pub(super) fn hand_over(&mut self, table: TableId, now: Timestamp) {
        self.handed_over.insert(table, now + HAND_OVER_TIME);
    }

    /// Returns whether this node has handed the table over, and no other node lists it yet.
    pub(super) fn is_handed_over(&self, table: TableId) -> bool {
        self.handed_over.contains_key(&table)
    }

    /// Returns the overview of a table of another node.
    pub(super) fn other(&self, table: TableId, before: Option<&TableOverview>) -> Option<TableOverview> {
        match self.others.table(table)? {
            ListedTable::Awake(update) => Some(TableOverview::from_update(update, before)),
            ListedTable::Hibernating { .. } => None,
        }
    }

    /// Returns the number of people at a table in the lobby's list whose match hibernates, at this
    /// node or at another one.
    pub(super) fn hibernating(&self, table: TableId) -> Option<u32> {
        self.own.hibernating(table).or_else(|| match self.others.table(table)? {
            ListedTable::Hibernating { players } => Some(*players),
            ListedTable::Awake(_) => None,
        })
    }

    /// Returns the other node that lists a table.
    pub(super) fn owner(&self, table: TableId) -> Option<NodeId> {
        self.others.owner(table)
    }

    /// Returns the number of people who are online at the other nodes.
    pub(super) fn online(&self) -> u32 {
        self.people.values().fold(0, |sum, people| sum.saturating_add(people.online))
    }

    /// Returns whether a connection of a user at another node subscribes to the user's own tables.
    /// Knows only the people at public tables with open seats.
    pub(super) fn is_reachable(&self, user: UserId) -> bool {
        self.people.values().any(|people| people.reachable.contains(&user))
    }

    /// Handles a message about the lists. Returns the tables of other nodes that have changed.
    pub(super) fn handle(&mut self, from: NodeId, body: MessageBody, now: Timestamp) -> BTreeSet<TableId> {
        let effects = match body {
            MessageBody::ListChanges(changes) => self.others.on_changes(from, changes, now),
            MessageBody::ListPart(part) => self.others.on_part(from, part, now),
            MessageBody::ListRequest(_) => {
                for part in self.own.parts() {
                    self.cluster.send_to(from, Correlation::default(), part.into());
                }
                Vec::new()
            }
            MessageBody::Heartbeat(Heartbeat { lobby, .. }) => {
                let LobbyState { list_version, online, reachable } = lobby;
                let reachable = reachable.into_iter().collect();
                self.people.insert(from, People { online, reachable });
                self.others.on_version(from, list_version, now)
            }
            _ => Vec::new(),
        };
        self.carry_out(effects)
    }

    /// Handles the death of a node. Returns the tables of other nodes that have changed.
    pub(super) fn node_died(&mut self, node: NodeId, now: Timestamp) -> BTreeSet<TableId> {
        self.people.remove(&node);
        let effects = self.others.on_node_dead(node, now);
        self.carry_out(effects)
    }

    /// Sends the changes and the heartbeats that are due. Returns the tables that have changed.
    /// `people` returns the number of people who are online at this node, and those who are
    /// [reachable](LobbyState::reachable).
    pub(super) fn tick(
        &mut self,
        people: impl FnOnce() -> (u32, Vec<UserId>),
        now: Timestamp,
    ) -> BTreeSet<TableId> {
        let effects = self.others.tick(now);
        let mut changed = self.carry_out(effects);
        let over = self.handed_over.iter().filter(|(_, until)| **until <= now).map(|(table, _)| *table);
        for table in over.collect::<Vec<_>>() {
            self.remove_own(table);
            changed.insert(table);
        }
        for changes in self.own.due(now) {
            self.cluster.send_all(changes.into());
        }
        if self.next_heartbeat <= now {
            self.next_heartbeat = now + quadrex_cluster::limits::HEARTBEAT_INTERVAL;
            let (online, reachable) = people();
            let lobby = LobbyState { list_version: self.own.version(), online, reachable };
            for (to, heartbeat) in self.cluster.heartbeats_due(&lobby, now) {
                self.cluster.send_to(to, Correlation::default(), heartbeat.into());
            }
        }
        changed
    }

    /// Returns the time of the next call of [`tick`](Self::tick).
    pub(super) fn next_deadline(&self) -> Timestamp {
        let hand_over = self.handed_over.values().min().copied();
        let others = [self.own.next_deadline(), self.others.next_deadline(), hand_over];
        others.into_iter().flatten().fold(self.next_heartbeat, Ord::min)
    }

    fn carry_out(&mut self, effects: Vec<ListEffect>) -> BTreeSet<TableId> {
        let mut changed = BTreeSet::new();
        for effect in effects {
            match effect {
                ListEffect::Ask(node) => {
                    self.cluster.send_to(node, Correlation::default(), ListRequest {}.into());
                }
                ListEffect::Changed(tables) => changed.extend(tables),
            }
        }
        for table in changed.iter().copied() {
            let is_listed = self.handed_over.contains_key(&table) && self.others.table(table).is_some();
            // A hibernating match is handed over by the database alone.
            let is_taken = self.own.hibernating(table).is_some() && self.others.is_listed(table);
            if is_listed || is_taken {
                self.handed_over.remove(&table);
                self.own.remove(table);
            }
        }
        changed
    }
}
