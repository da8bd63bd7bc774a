//! The tables of the other nodes.

use std::collections::{BTreeMap, BTreeSet};

use quadrex_protocol::TableId;
use quadrex_rules::Timestamp;

use super::own::with_state;
use crate::NodeId;
use crate::limits::{ANSWER_PATIENCE, DEAD_LIST_LIFETIME, GAP_PATIENCE};
use crate::message::{HibernatingTable, ListChange, ListChanges, ListPart, OverviewUpdate};

/// A task for the caller of a [`MergedTableList`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListEffect {
    /// Ask a node for all of its tables.
    Ask(NodeId),
    /// These tables have changed: see [`MergedTableList::table`].
    Changed(BTreeSet<TableId>),
}

/// The tables of the other nodes, merged by their owners. It knows no rules: it has what the
/// owners publish, and asks again for what was lost.
#[derive(Debug, Default)]
pub struct MergedTableList {
    nodes: BTreeMap<NodeId, NodeTables>,
    /// The nodes that list each table, the one that has listed it last at the end.
    listed_by: BTreeMap<TableId, Vec<NodeId>>,
    /// The dead nodes, whose late messages are ignored. A restarted server is another node.
    dead: BTreeSet<NodeId>,
}

/// A table as its owner lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListedTable {
    /// A table that has an actor.
    Awake(Box<OverviewUpdate>),
    /// A table in the lobby's list whose match hibernates.
    Hibernating {
        /// The number of people who are seated at the table.
        players: u32,
    },
}

/// The tables of one node.
#[derive(Debug, Default)]
struct NodeTables {
    /// The version of the tables; `None` before the first whole list.
    version: Option<u64>,
    tables: BTreeMap<TableId, ListedTable>,
    /// Later changes that cannot be applied yet, by their versions.
    early: BTreeMap<u64, Vec<ListChange>>,
    /// The parts of a whole list that have arrived, with the version of the list.
    parts: BTreeMap<u32, ListPart>,
    parts_version: u64,
    /// The largest version that the node has named.
    named_version: u64,
    /// The time at which the node is asked for all of its tables.
    ask_at: Option<Timestamp>,
    /// The time of the node's death.
    dead_since: Option<Timestamp>,
}

impl NodeTables {
    /// Asks for the whole list at `at`, unless the list is complete.
    fn ask_unless_complete(&mut self, at: Timestamp) {
        if self.version.is_some_and(|version| version >= self.named_version) {
            self.ask_at = None;
        } else {
            self.ask_at.get_or_insert(at);
        }
    }
}

impl MergedTableList {
    /// Returns a table as its owner lists it.
    #[must_use]
    pub fn table(&self, table: TableId) -> Option<&ListedTable> {
        self.nodes.get(&self.owner(table)?)?.tables.get(&table)
    }

    /// Returns the node that lists a table: a living one, if there is one.
    #[must_use]
    pub fn owner(&self, table: TableId) -> Option<NodeId> {
        let listing = self.listed_by.get(&table)?;
        let is_alive = |node: &&NodeId| self.nodes.get(node).is_some_and(|node| node.dead_since.is_none());
        listing.iter().rev().find(is_alive).or(listing.last()).copied()
    }

    /// Returns all tables, with their owners.
    pub fn tables(&self) -> impl Iterator<Item = (NodeId, TableId, &ListedTable)> {
        self.listed_by.keys().filter_map(|table| Some((self.owner(*table)?, *table, self.table(*table)?)))
    }

    /// Returns whether a living node lists a table.
    #[must_use]
    pub fn is_listed(&self, table: TableId) -> bool {
        let owner = self.owner(table).and_then(|owner| self.nodes.get(&owner));
        owner.is_some_and(|owner| owner.dead_since.is_none())
    }

    /// Handles the version that a node's heartbeat names. Of a new node, asks for all tables.
    pub fn on_version(&mut self, from: NodeId, version: u64, now: Timestamp) -> Vec<ListEffect> {
        if self.dead.contains(&from) {
            return Vec::new();
        }
        self.note_version(from, version, now);
        self.tick(now)
    }

    /// Handles the changes of a node.
    pub fn on_changes(&mut self, from: NodeId, message: ListChanges, now: Timestamp) -> Vec<ListEffect> {
        if self.dead.contains(&from) {
            return Vec::new();
        }
        self.note_version(from, message.version, now);
        let node = self.nodes.entry(from).or_default();
        if node.version.is_none_or(|version| message.version > version) {
            node.early.insert(message.version, message.changes);
        }
        let changed = self.apply_early(from, now);
        with_changed(changed, self.tick(now))
    }

    /// Handles a part of a whole list. The list is replaced when all parts have arrived.
    pub fn on_part(&mut self, from: NodeId, message: ListPart, now: Timestamp) -> Vec<ListEffect> {
        if self.dead.contains(&from) {
            return Vec::new();
        }
        self.note_version(from, message.version, now);
        let node = self.nodes.entry(from).or_default();
        if node.version.is_some_and(|version| message.version <= version) {
            return self.tick(now);
        }
        if message.version != node.parts_version {
            node.parts.clear();
            node.parts_version = message.version;
        }
        let (version, parts) = (message.version, message.parts);
        node.parts.insert(message.part, message);
        if !(0..parts).all(|part| node.parts.contains_key(&part)) {
            return self.tick(now);
        }
        let mut tables = BTreeMap::new();
        for part in std::mem::take(&mut node.parts).into_values() {
            let listed = |HibernatingTable { table, players }| (table, ListedTable::Hibernating { players });
            tables.extend(part.hibernating.into_iter().map(listed));
            let listed = |table: OverviewUpdate| (table.summary.table, ListedTable::Awake(Box::new(table)));
            tables.extend(part.tables.into_iter().map(listed));
        }
        node.version = Some(version);
        let before = std::mem::replace(&mut node.tables, tables.clone());
        let mut changed = BTreeSet::new();
        for table in before.keys().filter(|table| !tables.contains_key(table)) {
            self.unlist(from, *table);
            changed.insert(*table);
        }
        for (table, _) in tables.iter().filter(|(table, summary)| before.get(table) != Some(*summary)) {
            self.list(from, *table);
            changed.insert(*table);
        }
        changed.extend(self.apply_early(from, now));
        with_changed(changed, self.tick(now))
    }

    /// Notes the death of a node. Its tables stay in the list for a while, until other nodes list
    /// them.
    pub fn on_node_dead(&mut self, node: NodeId, now: Timestamp) -> Vec<ListEffect> {
        self.dead.insert(node);
        let Some(tables) = self.nodes.get_mut(&node) else { return Vec::new() };
        tables.dead_since.get_or_insert(now);
        tables.ask_at = None;
        // Other nodes may list some of these tables already.
        let changed = self.nodes[&node].tables.keys().copied().collect();
        with_changed(changed, Vec::new())
    }

    /// Returns the time of the next call of [`tick`](Self::tick).
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let deadlines = self
            .nodes
            .values()
            .flat_map(|node| [node.ask_at, node.dead_since.map(|since| since + DEAD_LIST_LIFETIME)]);
        deadlines.flatten().min()
    }

    /// Asks again for lists that are incomplete, and removes the tables of nodes that are dead for
    /// long.
    pub fn tick(&mut self, now: Timestamp) -> Vec<ListEffect> {
        let is_over =
            |node: &NodeTables| node.dead_since.is_some_and(|since| now.since(since) >= DEAD_LIST_LIFETIME);
        let over: Vec<NodeId> =
            self.nodes.iter().filter(|(_, node)| is_over(node)).map(|(node, _)| *node).collect();
        let mut changed = BTreeSet::new();
        for node in over {
            for table in self.nodes.remove(&node).unwrap_or_default().tables.into_keys() {
                self.unlist(node, table);
                changed.insert(table);
            }
        }
        let mut effects = Vec::new();
        for (id, node) in &mut self.nodes {
            if node.ask_at.is_some_and(|at| at <= now) {
                node.ask_at = Some(now + ANSWER_PATIENCE);
                effects.push(ListEffect::Ask(*id));
            }
        }
        with_changed(changed, effects)
    }

    /// Notes a version that a node has named. If changes are missing, the node is asked for all
    /// tables: a new node at once, another one after a moment in which the changes may still
    /// arrive.
    fn note_version(&mut self, from: NodeId, version: u64, now: Timestamp) {
        let node = self.nodes.entry(from).or_default();
        node.named_version = node.named_version.max(version);
        let patience = node.version.map(|_| GAP_PATIENCE).unwrap_or_default();
        node.ask_unless_complete(now + patience);
    }

    /// Applies the changes that continue a node's list. Returns the tables that have changed.
    fn apply_early(&mut self, from: NodeId, now: Timestamp) -> BTreeSet<TableId> {
        let mut changed = BTreeSet::new();
        while let Some(changes) = self.next_early(from) {
            for change in changes {
                changed.extend(self.apply(from, change));
            }
        }
        if let Some(node) = self.nodes.get_mut(&from) {
            node.ask_unless_complete(now + GAP_PATIENCE);
        }
        changed
    }

    fn next_early(&mut self, from: NodeId) -> Option<Vec<ListChange>> {
        let node = self.nodes.get_mut(&from)?;
        let version = node.version?;
        node.early.retain(|early, _| *early > version);
        let changes = node.early.remove(&(version + 1))?;
        node.version = Some(version + 1);
        Some(changes)
    }

    /// Applies a change, and returns its table if the table is known.
    fn apply(&mut self, from: NodeId, change: ListChange) -> Option<TableId> {
        let tables = &mut self.nodes.get_mut(&from)?.tables;
        match change {
            ListChange::Table(overview) => {
                let table = overview.summary.table;
                tables.insert(table, ListedTable::Awake(overview));
                self.list(from, table);
                Some(table)
            }
            ListChange::State(state) => {
                let ListedTable::Awake(known) = tables.get_mut(&state.status.table)? else { return None };
                **known = with_state(known, state);
                Some(state.status.table)
            }
            ListChange::Hibernating(HibernatingTable { table, players }) => {
                tables.insert(table, ListedTable::Hibernating { players });
                self.list(from, table);
                Some(table)
            }
            ListChange::Removed(table) => {
                tables.remove(&table)?;
                self.unlist(from, table);
                Some(table)
            }
        }
    }

    fn list(&mut self, node: NodeId, table: TableId) {
        let listing = self.listed_by.entry(table).or_default();
        listing.retain(|other| *other != node);
        listing.push(node);
    }

    fn unlist(&mut self, node: NodeId, table: TableId) {
        if let Some(listing) = self.listed_by.get_mut(&table) {
            listing.retain(|other| *other != node);
            if listing.is_empty() {
                self.listed_by.remove(&table);
            }
        }
    }
}

fn with_changed(changed: BTreeSet<TableId>, effects: Vec<ListEffect>) -> Vec<ListEffect> {
    let changed = (!changed.is_empty()).then_some(ListEffect::Changed(changed));
    changed.into_iter().chain(effects).collect()
}
