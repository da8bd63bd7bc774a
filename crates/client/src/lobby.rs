//! The client's copy of the list of tables in the lobby.

use std::collections::BTreeMap;

use quadrex_protocol::http::TableSummary;
use quadrex_protocol::{ServerFrame, TableId};

/// The client's copy of the public tables in the lobby. If there are very many open tables, it
/// contains only the newest of them.
#[derive(Clone, Debug, Default)]
pub struct LobbyMirror {
    tables: BTreeMap<TableId, TableSummary>,
}

impl LobbyMirror {
    /// Applies a frame. Returns true if the frame concerns the lobby.
    pub fn apply_frame(&mut self, frame: &ServerFrame) -> bool {
        match frame {
            ServerFrame::Lobby { tables, .. } => {
                self.tables = tables.iter().map(|table| (table.table, table.clone())).collect();
            }
            ServerFrame::LobbyTable { table } => drop(self.tables.insert(table.table, table.clone())),
            ServerFrame::LobbyRemoved { table } => drop(self.tables.remove(table)),
            _ => return false,
        }
        true
    }

    /// Returns the tables in the order of their ids.
    pub fn tables(&self) -> impl Iterator<Item = &TableSummary> {
        self.tables.values()
    }
}
