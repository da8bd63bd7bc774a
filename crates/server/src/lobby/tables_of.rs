//! The list of a user's unfinished tables. It comes from the store, so it is complete on every
//! server of the database. A table without an actor in this process is read from its log.

use futures_util::{StreamExt, TryStreamExt};
use quadrex_protocol::http::TableSummary;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{TableId, UserId};
use quadrex_store::error_chain::chain;
use quadrex_store::{OwnMatch, StoreError};
use quadrex_table::{shown_summary, summary};

use super::actor::Message;
use super::own_tables::members;
use super::{FindError, Lobby, READ_AT_ONCE, TablePage};
use crate::actor::{LoadError, TableOverview, replay};

impl Lobby {
    /// Returns a page of the unfinished tables at which a user is seated or host, newest first. If
    /// there are more, returns the table after which the next page begins.
    ///
    /// # Errors
    /// Returns [`FindError`] if the store failed, or if the server is shutting down.
    pub async fn tables_of(
        &self,
        user: UserId,
        page: TablePage,
    ) -> Result<(Vec<TableSummary>, Option<TableId>), FindError> {
        // One match more than requested is read, which shows whether there is a further page.
        let matches = self.deps.store.own_matches(user, page.before, page.limit.saturating_add(1)).await;
        let mut matches = matches.map_err(|error| self.fault("list the tables of a user", &error))?;
        let has_more = matches.len() > usize::from(page.limit);
        matches.truncate(page.limit.into());
        let next = matches.last().filter(|_| has_more).map(|last| last.table);
        // The match may have ended, or the user may have left, since the matches were read.
        let is_own = |table: &TableOverview| members(table).any(|member| member == user);
        let summaries = self.summaries(matches, Some(user), is_own).await?;
        Ok((summaries.into_iter().flatten().collect(), next))
    }

    /// Returns the summaries of those of the matches that are unfinished.
    ///
    /// # Errors
    /// Returns [`FindError`] if the store failed, or if the server is shutting down.
    pub async fn unfinished(&self, matches: Vec<OwnMatch>) -> Result<Vec<TableSummary>, FindError> {
        let summaries = self.summaries(matches, None, |table| table.phase() != Phase::Ended).await?;
        Ok(summaries.into_iter().flatten().collect())
    }

    /// Returns the summaries of matches that were unfinished, in the same order. The summary of a match
    /// that has ended since then or cannot be replayed is `None`, and so is that of a table that this
    /// process knows and `is_listed` does not accept. `viewer` is the user who sees the own name in
    /// anonymous matches.
    pub(super) async fn summaries(
        &self,
        matches: Vec<OwnMatch>,
        viewer: Option<UserId>,
        is_listed: impl Fn(&TableOverview) -> bool,
    ) -> Result<Vec<Option<TableSummary>>, FindError> {
        let tables = matches.iter().map(|own| own.table).collect();
        let overviews = self.request(|answer| Message::Overviews { tables, answer }).await?;
        let known = matches.into_iter().zip(overviews).map(|(own, overview)| {
            let current = overview.filter(|overview| is_current(overview, &own));
            (own, current.map(|overview| is_listed(&overview).then(|| overview.summary_for(viewer))))
        });
        let known: Vec<_> = known.collect();
        let summaries = known.into_iter().map(|(own, known)| async move {
            match known {
                Some(summary) => Ok(summary),
                None => self.read_summary(&own, viewer).await,
            }
        });
        futures_util::stream::iter(summaries).buffered(READ_AT_ONCE).try_collect().await
    }

    /// Reads the summary of an unfinished match from its log. Returns `None` if the match has ended
    /// or cannot be replayed.
    async fn read_summary(
        &self,
        own: &OwnMatch,
        viewer: Option<UserId>,
    ) -> Result<Option<TableSummary>, FindError> {
        match replay(&self.deps.store, own.table, own.match_id).await {
            Ok(history) => {
                let state = history.state();
                Ok((state.phase() != Phase::Ended).then(|| shown_summary(summary(state), viewer)))
            }
            Err(LoadError::Store(error @ StoreError::Database { .. })) => {
                Err(self.fault("read a table of a user", &error).into())
            }
            // The server has logged this when it started.
            Err(error) => {
                tracing::debug!(match.id = %own.match_id, "a match is not listed: {}", chain(&error));
                Ok(None)
            }
        }
    }
}

/// Returns whether this process knows at least the state of a match that the store had. An actor
/// that does not own its match may not know the last events. Ids of matches grow with time.
fn is_current(overview: &TableOverview, own: &OwnMatch) -> bool {
    (overview.head.match_id, overview.head.seq) >= (own.match_id, own.head_seq)
}
