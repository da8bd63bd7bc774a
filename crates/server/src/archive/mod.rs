//! The archive: lists of matches that have begun, and how their players did. It is made from the logs, behind those who
//! write them: nothing waits for it, and what is missing is made again.

mod summary;

use std::sync::Arc;
use std::time::Duration;

use quadrex_protocol::archive::{MatchList, MatchSummary, Standing};
use quadrex_protocol::{MatchId, UserId};
use tokio::sync::Mutex;

use quadrex_store::error_chain::chain;
use quadrex_store::{Store, StoreError};

pub use quadrex_store::{ArchivePlace, ArchiveQuery, ArchivedMatch, NameStart};

/// Matches archived in one transaction, at most.
const AT_ONCE: u16 = 64;

/// How long matches that begin or end are gathered before they are archived, if nobody asks for a list.
const PAUSE: Duration = Duration::from_secs(1);

/// Time between two looks for what others wrote: an older server on the same database, say, that knows of no archive.
const LOOK: Duration = Duration::from_secs(3_600);

/// The archive of a store. Cheap to clone; all clones are one archive.
#[derive(Clone, Debug)]
pub struct Archive {
    store: Store,
    /// Held by whoever archives what is due: a list that is asked for meanwhile waits for it.
    archiving: Arc<Mutex<()>>,
}

impl Archive {
    /// Of this store.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store, archiving: Arc::default() }
    }

    /// Archives what is not archived yet, and then each match as it begins and ends, without end.
    pub async fn go_on(&self) {
        loop {
            if let Err(error) = self.make_whole().await {
                tracing::warn!("the archive is not whole: {}", chain(&error));
            }
            let follow = async {
                loop {
                    self.store.archive_due().await;
                    tokio::time::sleep(PAUSE).await;
                    self.catch_up().await;
                }
            };
            // It goes on until the time for another look.
            tokio::time::timeout(LOOK, follow).await.unwrap_or(());
        }
    }

    /// Archives every match that has begun or ended and is not archived so.
    ///
    /// # Errors
    /// [`StoreError`] if the database gives no answer; what was archived stays.
    pub async fn make_whole(&self) -> Result<(), StoreError> {
        let (mut after, mut count) = (None, 0);
        loop {
            let found = self.store.unarchived(after, AT_ONCE).await?;
            let Some(last) = found.last() else { break };
            after = Some(*last);
            count += found.len();
            self.put(&found).await?;
        }
        if count > 0 {
            tracing::info!(matches = count, "archived what was not archived yet");
        }
        Ok(())
    }

    /// Matches as they are listed, with what begun or ended here up to now among them.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn list(&self, query: ArchiveQuery) -> Result<MatchList, StoreError> {
        self.catch_up().await;
        // One more than asked for tells whether there are more.
        let limit = query.limit;
        let one_more = ArchiveQuery { limit: limit.saturating_add(1), ..query };
        let mut matches = self.store.archived(&one_more).await?;
        let has_more = matches.len() > usize::from(limit);
        matches.truncate(limit.into());
        let next = matches.last().filter(|_| has_more).map(|last| place(last).to_string());
        Ok(MatchList { matches, next })
    }

    /// A match that has begun, as it is archived.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn find(&self, match_id: MatchId) -> Result<Option<ArchivedMatch>, StoreError> {
        self.catch_up().await;
        self.store.archived_match(match_id).await
    }

    /// How somebody did in the matches that `seen_by` may see.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn standings(
        &self,
        user: UserId,
        seen_by: Option<UserId>,
    ) -> Result<Vec<Standing>, StoreError> {
        self.catch_up().await;
        self.store.standings(user, seen_by).await
    }

    /// Archives the matches that have begun or ended here. What cannot be archived now is tried again.
    async fn catch_up(&self) {
        let _archiving = self.archiving.lock().await;
        loop {
            let due = self.store.take_due(AT_ONCE.into());
            if due.is_empty() {
                return;
            }
            if let Err(error) = self.put(&due).await {
                tracing::debug!("matches are archived later: {}", chain(&error));
                self.store.give_back_due(due);
                return;
            }
        }
    }

    async fn put(&self, matches: &[MatchId]) -> Result<(), StoreError> {
        let mut archived = Vec::with_capacity(matches.len());
        for &match_id in matches {
            match self.look(match_id).await {
                Ok(found) => archived.extend(found),
                Err(error @ StoreError::Database { .. }) => return Err(error),
                // The table that runs it, or the start, has said so already.
                Err(error) => tracing::debug!(match.id = %match_id, "not archived: {}", chain(&error)),
            }
        }
        if archived.is_empty() { Ok(()) } else { self.store.archive(&archived).await }
    }

    async fn look(&self, match_id: MatchId) -> Result<Option<ArchivedMatch>, StoreError> {
        let Some(table) = self.store.table_of(match_id).await? else { return Ok(None) };
        let log = self.store.events(match_id, 0).await?;
        Ok(summary::of(table, match_id, &log))
    }
}

fn place(listed: &MatchSummary) -> ArchivePlace {
    let started_at = quadrex_rules::Timestamp::from_millis(listed.started_at_ms);
    ArchivePlace { started_at, match_id: listed.match_id }
}
