//! The tables of all nodes of a cluster: this node publishes its own tables, and has those of the
//! others.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use quadrex_cluster::message::{Heartbeat, ListRequest, MessageBody};
use quadrex_cluster::{Correlation, ListEffect, MergedTableList, NodeId, OwnTableList};
use quadrex_protocol::TableId;
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
    /// The number of people who are online at each other node.
    online: HashMap<NodeId, u32>,
    /// The tables that this node has handed over, and that no other node lists yet. They stay in the
    /// list until the given time.
    handed_over: BTreeMap<TableId, Timestamp>,
    next_heartbeat: Timestamp,
}

impl ClusterLists {
    pub(super) fn new(cluster: ClusterLink, now: Timestamp) -> Self {
        Self {
            cluster,
            own: OwnTableList::default(),
            others: MergedTableList::default(),
            online: HashMap::new(),
            handed_over: BTreeMap::new(),
            next_heartbeat: now,
        }
    }

    /// Lists a table of this node.
    pub(super) fn set_own(&mut self, overview: &TableOverview) {
        self.handed_over.remove(&overview.status.table);
        self.own.set(overview.to_update());
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
        self.others.table(table).map(|update| TableOverview::from_update(update, before))
    }

    /// Returns the other node that lists a table.
    pub(super) fn owner(&self, table: TableId) -> Option<NodeId> {
        self.others.owner(table)
    }

    /// Returns the number of people who are online at the other nodes.
    pub(super) fn online(&self) -> u32 {
        self.online.values().fold(0, |sum, count| sum.saturating_add(*count))
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
            MessageBody::Heartbeat(Heartbeat { list_version, online, .. }) => {
                self.online.insert(from, online);
                self.others.on_version(from, list_version, now)
            }
            _ => Vec::new(),
        };
        self.carry_out(effects)
    }

    /// Handles the death of a node. Returns the tables of other nodes that have changed.
    pub(super) fn node_died(&mut self, node: NodeId, now: Timestamp) -> BTreeSet<TableId> {
        self.online.remove(&node);
        let effects = self.others.on_node_dead(node, now);
        self.carry_out(effects)
    }

    /// Sends the changes and the heartbeats that are due. Returns the tables that have changed.
    pub(super) fn tick(&mut self, online: u32, now: Timestamp) -> BTreeSet<TableId> {
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
            for (to, heartbeat) in self.cluster.heartbeats_due(self.own.version(), online, now) {
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
        let listed = changed.iter().filter(|table| self.others.table(**table).is_some());
        for table in listed.copied().collect::<Vec<_>>() {
            if self.handed_over.contains_key(&table) {
                self.remove_own(table);
            }
        }
        changed
    }
}
