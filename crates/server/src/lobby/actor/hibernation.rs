//! The tables in the lobby whose matches hibernate.

use std::time::Duration;

use quadrex_protocol::TableId;
use quadrex_protocol::view::Phase;
use quadrex_store::error_chain::chain;
use quadrex_store::{ListedHibernation, StoreError};
use tokio::task;

use super::super::endpoints::Role;
use super::super::hibernating::read_overview;
use super::Lobby;
use crate::actor::{LoadError, TableOverview};

/// The pause after a failure of the store, before the overview of a hibernating table is read again.
const READ_PAUSE: Duration = Duration::from_secs(1);

/// The result of reading a hibernating table for the window.
#[derive(Debug)]
pub(super) enum Preview {
    /// The overview of the table. There is none if the match is over or its log is corrupt.
    Read(TableId, Option<TableOverview>),
    /// The store has failed, and the pause after it is over.
    Failed,
}

impl Lobby {
    /// Drops the endpoint of a table whose match hibernates. The table stays in all lists.
    pub(super) fn hibernate(&mut self, table: TableId) {
        self.hand_overs.record_end(table, None);
        // The table may have another endpoint already.
        if self.running(table).is_some() {
            return;
        }
        self.refresh_changed();
        self.endpoints.remove(table);
        self.keep_own(table);
        let players = self.index.hibernate(table, self.window.tables().contains(&table));
        if let Some(lists) = &mut self.lists {
            lists.hibernate(table, players);
        }
        self.schedule_tables();
    }

    /// Adds hibernating tables of this server that the lobby lists.
    pub(super) fn add_hibernating(&mut self, tables: Vec<ListedHibernation>) {
        for ListedHibernation { table, players } in tables {
            if self.endpoints.role(table) == Some(Role::Owner) {
                continue;
            }
            if let Some(lists) = &mut self.lists {
                lists.hibernate(table, Some(players));
            }
            self.list_hibernating(table, players);
        }
        self.schedule_tables();
    }

    /// Lists a table without an actor, of this node or of another one.
    pub(super) fn list_hibernating(&mut self, table: TableId, players: u32) {
        if self.index.overview(table).is_some() {
            self.keep_own(table);
            self.index.hibernate(table, self.window.tables().contains(&table));
        }
        self.index.add_hibernating(table, players);
        self.schedule_tables();
    }

    /// Removes a table that no node lists any more. If its match was running, it hibernates, so it
    /// stays in the lists of its users' own tables.
    pub(super) fn unlist_elsewhere(&mut self, table: TableId) {
        let is_running =
            self.index.overview(table).is_some_and(|overview| overview.phase() == Phase::Running);
        if is_running {
            self.keep_own(table);
            self.index.remove(table);
            self.schedule_tables();
        } else {
            self.unlist(table);
        }
    }

    /// Keeps a table, whose overview will be dropped, in the lists of its users' own tables.
    fn keep_own(&mut self, table: TableId) {
        if let Some(overview) = self.index.overview(table) {
            self.own_tables.fall_asleep(overview);
        }
    }

    /// Starts to read the overviews of the hibernating tables that the window shows without them.
    pub(super) fn read_previews(&mut self) {
        for table in self.index.retain_previews(self.window.tables()) {
            let deps = self.deps.clone();
            quadrex_runtime::spawn_in(&mut self.previews, async move {
                match read_overview(&deps, table).await {
                    Ok(overview) => Preview::Read(table, overview),
                    Err(LoadError::Store(error @ StoreError::Database { .. })) => {
                        tracing::debug!(table.id = %table, "a table is not listed yet: {}", chain(&error));
                        deps.clock.sleep_until(deps.clock.now() + READ_PAUSE).await;
                        Preview::Failed
                    }
                    Err(error) => {
                        tracing::debug!(table.id = %table, "a table is not listed: {}", chain(&error));
                        Preview::Read(table, None)
                    }
                }
            });
        }
    }

    /// Adds the overview of a hibernating table that was read for the window. If the store has failed, the
    /// next publication reads it again.
    pub(super) fn add_preview(&mut self, read: Result<Preview, task::JoinError>) {
        match read {
            Ok(Preview::Read(table, overview)) => self.index.add_preview(table, overview),
            Ok(Preview::Failed) => {}
            Err(error) => tracing::error!("a table could not be read for the lobby: {error}"),
        }
        self.schedule_tables();
    }
}
