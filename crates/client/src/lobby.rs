//! The client's copy of the lobby's list.

use std::collections::BTreeMap;

use quadrex_protocol::http::TableSummary;
use quadrex_protocol::{ServerFrame, TableId};

/// The lobby's public tables; the open ones are the newest of all.
#[derive(Clone, Debug, Default)]
pub struct LobbyMirror(BTreeMap<TableId, TableSummary>);

impl LobbyMirror {
    /// Applies a frame. Returns true if it concerns the list.
    pub fn apply_frame(&mut self, frame: &ServerFrame) -> bool {
        match frame {
            ServerFrame::Lobby { tables, .. } => {
                self.0 = tables.iter().map(|table| (table.table, table.clone())).collect();
            }
            ServerFrame::LobbyTable { table } => drop(self.0.insert(table.table, table.clone())),
            ServerFrame::LobbyRemoved { table } => drop(self.0.remove(table)),
            _ => return false,
        }
        true
    }

    /// Returns the tables in the order of their ids.
    pub fn tables(&self) -> impl Iterator<Item = &TableSummary> {
        self.0.values()
    }
}
