//! The archive: the lists of started matches, and the standings of their players. Its entries are
//! created from the logs in the background, and no table waits for this. The database has a queue
//! of the missing entries, so a server that starts after another was killed creates them at once.

mod leaves;
mod match_notices;
mod pair_acts;
mod ratings;
mod recomputed_pairs;
mod summary;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_protocol::archive::{MatchList, MatchSummary, Standing};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, UserId};
use tokio::sync::{Mutex, mpsc};

use quadrex_store::error_chain::chain;
use quadrex_store::{MatchToArchive, Store, StoreError};

use match_notices::{MatchNews, MatchNotices};

pub use recomputed_pairs::{RecomputedPairs, recompute_pairs};

pub use quadrex_store::{ArchiveCursor, ArchiveQuery, ArchivedMatch, NamePrefix};

/// The largest number of matches that are archived in one transaction.
const BATCH: u16 = 64;

/// The time for which started and ended matches are collected before they are archived. A request
/// for a list archives the collected matches at once.
const DELAY: Duration = Duration::from_secs(1);

/// The time between two scans for matches that are neither archived nor in the queue. There are such
/// matches if an older server, which knows no queue, has used the same database.
const SCAN_INTERVAL: Duration = Duration::from_secs(3_600);

/// The archive of the matches in a store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Archive {
    store: Store,
    /// A lock that is held while matches are archived. A request for a list waits for it.
    archiving: Arc<Mutex<Archiving>>,
    /// The channel for the matches that have ended, after they were archived.
    ended: Option<mpsc::Sender<MatchSummary>>,
    /// The way to notify users of matches that have started or ended.
    notices: Option<MatchNotices>,
}

/// The state of the work on the queue.
#[derive(Debug, Default)]
struct Archiving {
    /// True if the matches have been read that a process queued in the database before it died.
    has_loaded_queue: bool,
}

impl Archive {
    /// Returns the archive of this store.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store, archiving: Arc::default(), ended: None, notices: None }
    }

    /// Returns the archive, which now sends each ended match to `ended` after it was archived. If
    /// the channel is full, the match is not sent.
    #[must_use]
    pub fn announcing(self, ended: mpsc::Sender<MatchSummary>) -> Self {
        Self { ended: Some(ended), ..self }
    }

    /// Returns the archive, which now also notifies users of matches that have started or ended.
    #[must_use]
    pub fn notifying(self, clock: Clock, delay: Duration) -> Self {
        Self { notices: Some(MatchNotices { clock, delay }), ..self }
    }

    /// Archives all matches that are not archived yet. After that, archives each match when it
    /// begins and when it ends. Runs without end.
    pub async fn run(&self) -> Infallible {
        self.catch_up().await;
        loop {
            if let Err(error) = self.complete().await {
                tracing::warn!("the archive is incomplete: {}", chain(&error));
            }
            let follow = async {
                loop {
                    self.store.wait_for_archive_queue().await;
                    tokio::time::sleep(DELAY).await;
                    self.catch_up().await;
                }
            };
            // The timeout ends the inner loop when the next scan is due.
            tokio::time::timeout(SCAN_INTERVAL, follow).await.unwrap_or(());
        }
    }

    /// Archives every match whose start or end is not archived yet.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. Matches that were archived before the failure
    /// stay archived.
    pub async fn complete(&self) -> Result<(), StoreError> {
        let (mut after, mut count) = (None, 0);
        loop {
            let found = self.store.unarchived(after, BATCH).await?;
            let Some(last) = found.last() else { break };
            after = Some(*last);
            count += found.len();
            self.insert(&found).await?;
        }
        if count > 0 {
            tracing::info!(matches = count, "archived what was not archived yet");
        }
        Ok(())
    }

    /// Archives the matches that a server which has died did not archive. A server that takes over
    /// the matches of another one calls this. At its start a server does it anyway.
    pub async fn take_over_queue(&self) {
        self.archiving.lock().await.has_loaded_queue = false;
        self.catch_up().await;
    }

    /// Returns a list of matches. It includes all matches that this server has started or ended
    /// until now, and those of a server that ran on the database before this one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn list(&self, query: ArchiveQuery) -> Result<MatchList, StoreError> {
        self.catch_up().await;
        // One match more than requested is read, which shows whether there is a further page.
        let limit = query.limit;
        let one_more = ArchiveQuery { limit: limit.saturating_add(1), ..query };
        let mut matches = self.store.archived(&one_more).await?;
        let has_more = matches.len() > usize::from(limit);
        matches.truncate(limit.into());
        let next = matches.last().filter(|_| has_more).map(|last| cursor_of(last).to_string());
        Ok(MatchList { matches, next })
    }

    /// Returns the archive's entry of a started match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn find(&self, match_id: MatchId) -> Result<Option<ArchivedMatch>, StoreError> {
        self.catch_up().await;
        self.store.archived_match(match_id).await
    }

    /// Returns a user's standings in the matches that `seen_by` may see.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn standings(
        &self,
        user: UserId,
        seen_by: Option<UserId>,
    ) -> Result<Vec<Standing>, StoreError> {
        self.catch_up().await;
        self.store.standings(user, seen_by).await
    }

    /// Archives the matches in the queue. A failure is retried later.
    pub async fn catch_up(&self) {
        let mut archiving = self.archiving.lock().await;
        if !archiving.has_loaded_queue {
            match self.store.load_archive_queue().await {
                Ok(()) => archiving.has_loaded_queue = true,
                Err(error) => tracing::debug!("matches are archived later: {}", chain(&error)),
            }
        }
        loop {
            let due_matches = self.store.take_archive_queue(BATCH.into());
            if due_matches.is_empty() {
                return;
            }
            if let Err(error) = self.insert(&due_matches).await {
                tracing::debug!("matches are archived later: {}", chain(&error));
                if !quadrex_runtime::has_planted!(ResultNeverArchived) {
                    self.store.requeue_for_archive(due_matches);
                }
                return;
            }
        }
    }

    async fn insert(&self, matches: &[MatchId]) -> Result<(), StoreError> {
        let (mut archived, mut never_started) = (Vec::with_capacity(matches.len()), Vec::new());
        for &match_id in matches {
            match self.summarize(match_id).await {
                Ok(Some(found)) => archived.push(found),
                Ok(None) => never_started.push(match_id),
                Err(error @ StoreError::Database { .. }) => return Err(error),
                // A log that cannot be replayed was already reported by its table, or when the
                // server started.
                Err(error) => tracing::debug!(match.id = %match_id, "not archived: {}", chain(&error)),
            }
        }
        if archived.is_empty() && never_started.is_empty() {
            return Ok(());
        }
        if let Some(notices) = &self.notices {
            // The matches leave the queue after this, so no notification is lost if the server dies.
            let (now, news) = (notices.clock.now(), self.news_of(&archived).await?);
            self.store.queue_notifications(&notices.of(&news, now), now).await?;
        }
        self.store.archive(&archived, &never_started).await?;
        if let Some(ended) = &self.ended {
            let archived = archived.into_iter().map(|entry| entry.archived);
            for archived in archived.filter(|archived| archived.phase == Phase::Ended) {
                // A match that does not fit into the channel is not reviewed automatically.
                ended.try_send(archived.summary).ok();
            }
        }
        Ok(())
    }

    /// Returns the matches that have started or ended. A running match is archived again when a player
    /// leaves it, which is no news.
    async fn news_of(&self, matches: &[MatchToArchive]) -> Result<Vec<MatchNews>, StoreError> {
        let mut news = Vec::new();
        for MatchToArchive { archived, players, .. } in matches {
            let is_new = self.store.archived_match(archived.summary.match_id).await?.is_none();
            if is_new || archived.phase == Phase::Ended {
                news.push(MatchNews { archived: archived.clone(), players: players.clone(), is_new });
            }
        }
        Ok(news)
    }

    async fn summarize(&self, match_id: MatchId) -> Result<Option<MatchToArchive>, StoreError> {
        let Some(table) = self.store.table_of(match_id).await? else { return Ok(None) };
        let log = self.store.events(match_id, 0).await?;
        let Some(mut archived) = summary::of(table, match_id, &log) else { return Ok(None) };
        let players = archived.people();
        summary::hide_names(&mut archived, &log);
        Ok(Some(MatchToArchive { archived, players, leaves: leaves::of(&log), pairs: pair_acts::of(&log) }))
    }
}

fn cursor_of(listed: &MatchSummary) -> ArchiveCursor {
    let started_at = quadrex_rules::Timestamp::from_millis(listed.started_at_ms);
    ArchiveCursor { started_at, match_id: listed.match_id }
}
