//! The public tables of this node.

use std::collections::BTreeMap;

use quadrex_protocol::TableId;
use quadrex_protocol::http::{TableStatus, TableSummary};
use quadrex_rules::Timestamp;

use crate::limits::LIST_INTERVAL;
use crate::message::{ListChange, ListChanges, ListPart};

/// The largest number of tables in one message, whose size is limited.
const MAX_TABLES: usize = 300;

/// The public tables of this node, with the changes that the other nodes do not know yet.
#[derive(Debug, Default)]
pub struct OwnTableList {
    /// The number of messages with changes so far.
    version: u64,
    tables: BTreeMap<TableId, TableSummary>,
    changed: BTreeMap<TableId, Changed>,
    last_sent: Option<Timestamp>,
}

/// The part of a table that has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changed {
    Status,
    Table,
}

impl OwnTableList {
    /// Returns the version, which the heartbeats of this node contain.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns the tables.
    pub fn tables(&self) -> impl Iterator<Item = &TableSummary> {
        self.tables.values()
    }

    /// Adds a table, or replaces it if it has changed.
    pub fn set(&mut self, table: TableSummary) {
        let known = self.tables.get(&table.table);
        if known == Some(&table) {
            return;
        }
        let is_status = known.is_some_and(|known| with_status(known, status(&table)) == table);
        let changed = self.changed.entry(table.table).or_insert(Changed::Status);
        if !is_status {
            *changed = Changed::Table;
        }
        self.tables.insert(table.table, table);
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
            (Some(summary), Changed::Status) => ListChange::Status(status(summary)),
            (Some(summary), Changed::Table) => ListChange::Table(summary.clone()),
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
        let tables: Vec<TableSummary> = self.tables.values().cloned().collect();
        let mut chunks: Vec<Vec<TableSummary>> = tables.chunks(MAX_TABLES).map(<[_]>::to_vec).collect();
        if chunks.is_empty() {
            chunks.push(Vec::new());
        }
        let parts = u32::try_from(chunks.len()).expect("the tables are in memory");
        let part = |(part, tables)| ListPart { version: self.version, part, parts, tables };
        (0..).zip(chunks).map(part).collect()
    }
}

/// Returns the fields of a summary that change with every move.
fn status(table: &TableSummary) -> TableStatus {
    let TableSummary { table, turn, plies, spectators, .. } = *table;
    TableStatus { table, turn, plies, spectators }
}

/// Returns the table with this status.
pub(super) fn with_status(table: &TableSummary, status: TableStatus) -> TableSummary {
    let TableStatus { turn, plies, spectators, .. } = status;
    TableSummary { turn, plies, spectators, ..table.clone() }
}
