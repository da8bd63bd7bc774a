//! The tables of this node.

use std::collections::BTreeMap;

use quadrex_protocol::TableId;
use quadrex_protocol::http::{TableStatus, TableSummary};
use quadrex_rules::Timestamp;

use crate::limits::LIST_INTERVAL;
use crate::message::{ListChange, ListChanges, ListPart, OverviewUpdate};
use crate::node_subscription::PublishedState;

/// The largest number of tables in one message, whose size is limited.
const MAX_TABLES: usize = 300;

/// The tables of this node, public and private ones, with the changes that the other nodes do not know yet.
#[derive(Debug, Default)]
pub struct OwnTableList {
    /// The number of messages with changes so far.
    version: u64,
    tables: BTreeMap<TableId, OverviewUpdate>,
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

    /// Adds a table, or replaces it if it has changed.
    pub fn set(&mut self, table: OverviewUpdate) {
        let id = table.summary.table;
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
        if self.tables.remove(&table).is_some() {
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
        let tables = &self.tables;
        let change = |(table, changed): (TableId, Changed)| match (tables.get(&table), changed) {
            (None, _) => ListChange::Removed(table),
            (Some(table), Changed::State) => ListChange::State(state(table)),
            (Some(table), Changed::Table) => ListChange::Table(Box::new(table.clone())),
        };
        let changes: Vec<ListChange> = std::mem::take(&mut self.changed).into_iter().map(change).collect();
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
        let mut chunks: Vec<Vec<OverviewUpdate>> = tables.chunks(MAX_TABLES).map(<[_]>::to_vec).collect();
        if chunks.is_empty() {
            chunks.push(Vec::new());
        }
        let parts = u32::try_from(chunks.len()).expect("the tables are in memory");
        let part = |(part, tables)| ListPart { version: self.version, part, parts, tables };
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
