//! The endpoints of tables at this node.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use quadrex_protocol::TableId;
use quadrex_protocol::view::Phase;

use crate::actor::{ProxyServer, TableActor, TableHandle};

/// The task that serves an endpoint.
#[derive(Debug)]
pub(super) enum TableServer {
    /// The actor of a table of this node.
    Actor(Box<TableActor>),
    /// The proxy of a table of another node.
    Proxy(Box<ProxyServer>),
}

impl TableServer {
    pub(super) fn table(&self) -> TableId {
        match self {
            Self::Actor(actor) => actor.id(),
            Self::Proxy(proxy) => proxy.id(),
        }
    }

    pub(super) fn handle(&self) -> TableHandle {
        match self {
            Self::Actor(actor) => actor.handle(),
            Self::Proxy(proxy) => proxy.handle(),
        }
    }
}

/// The role of this node at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// An actor serves the endpoint.
    Owner,
    /// A proxy serves the endpoint.
    Proxy,
    /// A proxy serves the endpoint, until the actor of this node replaces it.
    NextOwner,
}

impl Role {
    /// Returns whether the table has an actor of this node, or will have one.
    fn is_own(self) -> bool {
        matches!(self, Self::Owner | Self::NextOwner)
    }
}

/// The numbers of tables in the memory of this server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableCounts {
    /// The tables of other nodes.
    pub proxies: usize,
    /// The tables of this server whose match has not begun.
    pub open: usize,
    /// The tables of this server whose match is running.
    pub running: usize,
    /// The tables of this server whose match has ended.
    pub ended: usize,
}

/// The endpoints of tables at this node. The lobby changes them, and other tasks read them without a
/// message to the lobby. Clones share the endpoints.
#[derive(Clone, Debug, Default)]
pub(super) struct Endpoints {
    tables: Arc<RwLock<HashMap<TableId, (TableHandle, Role)>>>,
}

impl Endpoints {
    /// Returns the handle to a table.
    pub(super) fn handle(&self, table: TableId) -> Option<TableHandle> {
        self.read().get(&table).map(|(handle, _)| handle.clone())
    }

    /// Returns the role of this node at a table.
    pub(super) fn role(&self, table: TableId) -> Option<Role> {
        self.read().get(&table).map(|(_, role)| *role)
    }

    /// Returns handles to all tables that have an actor of this node, or will have one as soon as their
    /// proxies have ended.
    pub(super) fn own_handles(&self) -> Vec<TableHandle> {
        let tables = self.read();
        let own = tables.values().filter(|(handle, role)| role.is_own() && !handle.is_gone());
        own.map(|(handle, _)| handle.clone()).collect()
    }

    /// Returns handles to all tables.
    pub(super) fn all(&self) -> Vec<TableHandle> {
        self.read().values().map(|(handle, _)| handle.clone()).collect()
    }

    /// Returns the numbers of tables and matches.
    pub(super) fn counts(&self) -> TableCounts {
        let mut counts = TableCounts::default();
        for (handle, role) in self.read().values() {
            if *role != Role::Owner {
                counts.proxies += 1;
                continue;
            }
            match handle.phase() {
                Phase::Open => counts.open += 1,
                Phase::Running => counts.running += 1,
                Phase::Ended => counts.ended += 1,
            }
        }
        counts
    }

    /// Adds an endpoint, or changes the role of this node at its table.
    pub(super) fn set(&self, handle: TableHandle, role: Role) {
        self.write().insert(handle.table(), (handle, role));
    }

    /// Returns the handle to a table that has an actor of this node, or will have one as soon as its
    /// proxy has ended.
    pub(super) fn own_handle(&self, table: TableId) -> Option<TableHandle> {
        let tables = self.read();
        let own = tables.get(&table).filter(|(handle, role)| role.is_own() && !handle.is_gone());
        own.map(|(handle, _)| handle.clone())
    }

    /// Removes an endpoint.
    pub(super) fn remove(&self, table: TableId) {
        self.write().remove(&table);
    }

    fn read(&self) -> RwLockReadGuard<'_, HashMap<TableId, (TableHandle, Role)>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<TableId, (TableHandle, Role)>> {
        self.tables.write().unwrap_or_else(PoisonError::into_inner)
    }
}
