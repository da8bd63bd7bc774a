//! The tables of this node.

use std::collections::BTreeMap;

use quadrex_protocol::TableId;
use quadrex_protocol::http::{TableStatus, TableSummary};
use quadrex_rules::Timestamp;

use crate::limits::LIST_INTERVAL;
use crate::message::{HibernatingTable, ListChange, ListChanges, ListPart, OverviewUpdate};
use crate::node_subscription::PublishedState;

/// The largest number of tables in one message, whose size is limited.
const MAX_TABLES: usize = 300;

/// The largest number of hibernating tables in one message.
const MAX_HIBERNATING: usize = 5_000;

/// The tables of this node, public and private ones, with the changes that the other nodes do not know yet.
#[derive(Debug, Default)]
pub struct OwnTableList {
    /// The number of messages with changes so far.
    version: u64,
    tables: BTreeMap<TableId, OverviewUpdate>,
    /// The tables in the lobby's list whose matches hibernate, with the number of people who are
    /// seated there.
    hibernating: BTreeMap<TableId, u32>,
    changed: BTreeMap<TableId, Changed>,
    last_sent: Option<Timestamp>,
}

/// The part of a table that has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changed {
    State,
    Table,
}

impl OwnTableList {
    /// Returns the version, which the heartbeats of this node contain.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns the tables.
    pub fn tables(&self) -> impl Iterator<Item = &OverviewUpdate> {
        self.tables.values()
    }

    /// Returns the number of people at a table whose match hibernates. Returns `None` if the table is
    /// not in the lobby's list, or if its match does not hibernate.
    #[must_use]
    pub fn hibernating(&self, table: TableId) -> Option<u32> {
        self.hibernating.get(&table).copied()
    }

    /// Sets the number of people at a table in the lobby's list whose match hibernates.
    pub fn hibernate(&mut self, table: TableId, players: u32) {
        self.tables.remove(&table);
        if self.hibernating.insert(table, players) != Some(players) {
            self.changed.insert(table, Changed::Table);
        }
    }

    /// Adds a table, or replaces it if it has changed.
    pub fn set(&mut self, table: OverviewUpdate) {
        let id = table.summary.table;
        self.hibernating.remove(&id);
        let known = self.tables.get(&id);
        if known == Some(&table) {
            return;
        }
        let is_state = known.is_some_and(|known| with_state(known, state(&table)) == table);
        let changed = self.changed.entry(id).or_insert(Changed::State);
        if !is_state {
            *changed = Changed::Table;
        }
        self.tables.insert(id, table);
    }

    /// Removes a table.
    pub fn remove(&mut self, table: TableId) {
        let is_known = self.tables.remove(&table).is_some();
        if self.hibernating.remove(&table).is_some() || is_known {
            self.changed.insert(table, Changed::Table);
        }
    }

    /// Returns the time of the next changes to be sent, if there are any.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let next = self.last_sent.map_or(Timestamp::default(), |last| last + LIST_INTERVAL);
        (!self.changed.is_empty()).then_some(next)
    }

    /// Returns the changes to be sent to all nodes now.
    pub fn due(&mut self, now: Timestamp) -> Vec<ListChanges> {
        if self.next_deadline().is_none_or(|next| now < next) {
            return Vec::new();
        }
        self.last_sent = Some(now);
        let Self { tables, hibernating, .. } = &*self;
        let change = |(table, changed): (TableId, Changed)| match (tables.get(&table), changed) {
            (None, _) => match hibernating.get(&table) {
                Some(&players) => ListChange::Hibernating(HibernatingTable { table, players }),
                None => ListChange::Removed(table),
            },
            (Some(table), Changed::State) => ListChange::State(state(table)),
            (Some(table), Changed::Table) => ListChange::Table(Box::new(table.clone())),
        };
        let changes: Vec<ListChange> =
            self.changed.iter().map(|(table, changed)| change((*table, *changed))).collect();
        self.changed.clear();
        let messages = changes.chunks(MAX_TABLES).zip(self.version + 1..);
        let messages: Vec<ListChanges> =
            messages.map(|(changes, version)| ListChanges { version, changes: changes.to_vec() }).collect();
        self.version += messages.len() as u64;
        messages
    }

    /// Returns all tables, for a node that has missed changes.
    #[must_use]
    pub fn parts(&self) -> Vec<ListPart> {
        let tables: Vec<OverviewUpdate> = self.tables.values().cloned().collect();
        let hibernating: Vec<HibernatingTable> = self
            .hibernating
            .iter()
            .map(|(table, players)| HibernatingTable { table: *table, players: *players })
            .collect();
        let mut chunks: Vec<(Vec<OverviewUpdate>, Vec<HibernatingTable>)> =
            tables.chunks(MAX_TABLES).map(|chunk| (chunk.to_vec(), Vec::new())).collect();
        chunks.extend(hibernating.chunks(MAX_HIBERNATING).map(|chunk| (Vec::new(), chunk.to_vec())));
        if chunks.is_empty() {
            chunks.push((Vec::new(), Vec::new()));
        }
        let parts = u32::try_from(chunks.len()).expect("the tables are in memory");
        let part = |(part, (tables, hibernating))| ListPart {
            version: self.version,
            part,
            parts,
            tables,
            hibernating,
        };
        (0..).zip(chunks).map(part).collect()
    }
}

/// Returns the fields of a table that change with every move.
fn state(table: &OverviewUpdate) -> PublishedState {
    let TableSummary { table: id, turn, plies, spectators, .. } = table.summary;
    let status = TableStatus { table: id, turn, plies, spectators };
    PublishedState { head: table.head, status, open_turn: table.open_turn }
}

/// Returns the table with these fields.
pub(super) fn with_state(table: &OverviewUpdate, state: PublishedState) -> OverviewUpdate {
    let PublishedState { head, status: TableStatus { turn, plies, spectators, .. }, open_turn } = state;
    let summary = TableSummary { turn, plies, spectators, ..table.summary.clone() };
    OverviewUpdate { head, summary, open_turn, ..table.clone() }
}
