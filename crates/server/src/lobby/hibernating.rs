//! The hibernating tables in the lobby. Their matches have no actor, so the lobby keeps no overview
//! of them. Of those that it lists, it knows the id and the number of people. What a list shows of
//! such a table is read from the log.

use futures_util::{StreamExt, TryStreamExt};
use quadrex_protocol::http::TableList;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{TableId, UserId};
use quadrex_store::error_chain::chain;
use quadrex_store::{ListedHibernation, StoreError, TableRow};

use super::actor::{MAX_OWN_TABLES, Message};
use super::index::{ListedTable, ListedTables};
use super::{FindError, Lobby, READ_AT_ONCE, TablePage};
use crate::actor::{LoadError, TableActor, TableDeps, TableOverview};

impl Lobby {
    /// Returns the public tables that are open or running, newest first.
    ///
    /// # Errors
    /// Returns [`FindError`] if the store failed, or if the server is shutting down.
    pub async fn list(&self, page: TablePage) -> Result<TableList, FindError> {
        let ListedTables { tables, next, counts } =
            self.request(|answer| Message::List { page, answer }).await?;
        let summaries = tables.into_iter().map(|listed| async move {
            match listed {
                ListedTable::Awake(summary) => Ok::<_, FindError>(Some(*summary)),
                ListedTable::Hibernating(table) => {
                    Ok(self.hibernating_overview(table).await?.map(|overview| overview.summary()))
                }
            }
        });
        let summaries: Vec<_> =
            futures_util::stream::iter(summaries).buffered(READ_AT_ONCE).try_collect().await?;
        Ok(TableList { tables: summaries.into_iter().flatten().collect(), next, counts })
    }

    /// Lists hibernating tables that this node has claimed.
    pub async fn list_hibernating(&self, tables: Vec<ListedHibernation>) {
        // An error means that the server is shutting down.
        self.mailbox.send(Message::AddHibernating { tables }).await.ok();
    }

    /// Returns the newest of a user's tables that have no actor.
    pub(super) async fn hibernating_tables_of(&self, user: UserId) -> Result<Vec<TableOverview>, FindError> {
        let limit = u16::try_from(MAX_OWN_TABLES).unwrap_or(u16::MAX);
        let matches = self.deps.store.own_matches(user, None, limit).await;
        let matches = matches.map_err(|error| self.fault("list the tables of a user", &error))?;
        let tables: Vec<TableId> = matches.iter().map(|own| own.table).collect();
        let known = tables.clone();
        let known = self.request(|answer| Message::Overviews { tables: known, answer }).await?;
        let unknown = tables.into_iter().zip(known).filter(|(_, overview)| overview.is_none());
        let overviews = unknown.map(|(table, _)| self.hibernating_overview(table));
        let overviews: Vec<_> =
            futures_util::stream::iter(overviews).buffered(READ_AT_ONCE).try_collect().await?;
        Ok(overviews.into_iter().flatten().collect())
    }

    async fn hibernating_overview(&self, table: TableId) -> Result<Option<TableOverview>, FindError> {
        match read_overview(&self.deps, table).await {
            Ok(overview) => Ok(overview),
            Err(LoadError::Store(error @ StoreError::Database { .. })) => {
                Err(self.fault("read a table for a list", &error).into())
            }
            // The server logs this when it tries to run the match.
            Err(error) => {
                tracing::debug!(table.id = %table, "a table is not listed: {}", chain(&error));
                Ok(None)
            }
        }
    }
}

/// Reads the overview of a table without an actor. Returns `None` if its match has ended.
pub(super) async fn read_overview(
    deps: &TableDeps,
    table: TableId,
) -> Result<Option<TableOverview>, LoadError> {
    let row = deps.store.table(table).await?;
    let Some(TableRow { match_id, .. }) = row.filter(|row| row.phase != Phase::Ended) else {
        return Ok(None);
    };
    let actor = TableActor::read(deps.clone(), table, match_id).await?;
    Ok(Some(actor.handle().overview()))
}
