//! Reviews of past matches. A review shows the chances of each player after every move, and the
//! moves that lost most of a player's chance.
//!
//! A review is requested by somebody who reads a match, or queued when a match of people ends. It
//! waits in the store and is made in the background, one match at a time. Requested reviews are
//! made first. Searches for bots and analyses have priority over searches for reviews. A review
//! that is interrupted by a stop of the server remains in the queue and starts again from the
//! beginning.
//!
//! In a cluster each review is made by the node that is responsible for its key. If this node stops
//! or dies, the next one finds the match in the store.

mod match_review;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_cluster::NodeId;
use quadrex_cluster::message::{MessageBody, ReviewAnswer, ReviewProgress, ReviewQuestion};
use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::review::ReviewStatus;
use quadrex_protocol::{MatchId, RefusalCode};
use quadrex_store::error_chain::chain;
use quadrex_store::{Store, StoreError, StoredReview};
use quadrex_table::History;
use tokio::sync::{Notify, mpsc};

use crate::bots::Bots;
use crate::cluster::ClusterLink;
use crate::config::ReviewsConfig;
use crate::lease::Lease;
use crate::lobby::Lobby;
use match_review::MatchReview;

/// The time until a review is tried again after the database failed.
const RETRY: Duration = Duration::from_secs(5);

/// The interval at which a node of a cluster looks for reviews that it has to make, for example
/// because the node that was responsible for them has died.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// The time that a node waits for the one that makes a review to tell how far it is.
const PROGRESS_PATIENCE: Duration = Duration::from_millis(500);

/// The largest number of waiting matches among which a node looks for those that it reviews.
const LOOKED_THROUGH: u16 = 1_000;

/// The parts of the server that the reviews depend on.
#[derive(Debug)]
pub(crate) struct ReviewsDeps {
    pub(crate) config: ReviewsConfig,
    pub(crate) store: Store,
    pub(crate) lobby: Lobby,
    pub(crate) bots: Bots,
    pub(crate) clock: Clock,
    pub(crate) lease: Lease,
    pub(crate) cluster: Option<ClusterLink>,
}

/// The service that makes reviews. Clones share one queue. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Reviews(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    deps: ReviewsDeps,
    /// Notified when a review is requested or queued. This wakes the task that makes reviews.
    requested: Notify,
    progress: Mutex<Option<Progress>>,
}

/// Returns whether an ended match is reviewed without a request. This requires that a person played
/// and that the match had enough moves.
fn is_automatic(config: &ReviewsConfig, summary: &MatchSummary) -> bool {
    let mut players = summary.seats.iter().filter_map(|seat| seat.user.as_ref());
    config.automatic && summary.plies >= config.automatic_plies && players.any(|user| user.bot.is_none())
}

/// The review that is being made.
#[derive(Clone, Copy, Debug)]
struct Progress {
    match_id: MatchId,
    review: ReviewProgress,
}

/// The reason for which a review is not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReviewError {
    /// The settings allow no reviews.
    #[error("this server makes no reviews")]
    Off,
    /// The match still runs.
    #[error("a match is reviewed once it has ended")]
    Running,
    /// The match has no moves.
    #[error("this match has no moves to review")]
    Empty,
    /// The match has too many moves.
    #[error("this match has {plies} moves, reviews are made of at most {most}")]
    TooLong {
        /// The number of moves of the match.
        plies: u32,
        /// The largest number of moves that a reviewed match may have.
        most: u32,
    },
    /// Too many matches wait for a review.
    #[error("too many matches wait for a review; ask again later")]
    Busy,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ReviewError {
    /// Returns the code of the refusal on the wire.
    pub(crate) fn code(&self) -> RefusalCode {
        match self {
            Self::Off | Self::Running | Self::Empty | Self::TooLong { .. } => RefusalCode::Forbidden,
            Self::Busy => RefusalCode::Busy,
            Self::Store(_) => RefusalCode::Internal,
        }
    }
}

impl Reviews {
    /// Returns the service. It makes no reviews before [`run`](Self::run) is called.
    pub(crate) fn new(deps: ReviewsDeps) -> Self {
        Self(Arc::new(Shared { deps, requested: Notify::new(), progress: Mutex::default() }))
    }

    /// Returns the state of the review of an archived match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn status(&self, summary: &MatchSummary) -> Result<ReviewStatus, StoreError> {
        let match_id = summary.match_id;
        Ok(match self.0.deps.store.review(match_id).await? {
            Some(StoredReview::Done(review)) => ReviewStatus::Done { review },
            Some(StoredReview::Waiting { ahead, .. }) => match self.progress_in_cluster(match_id).await {
                Some(ReviewProgress { done, of }) => ReviewStatus::Running { done, of },
                None => ReviewStatus::Waiting { ahead },
            },
            None if self.check(summary).is_ok() => ReviewStatus::None {},
            None => ReviewStatus::Unavailable {},
        })
    }

    /// Returns the progress of a review that is being made, here or at another node.
    async fn progress_in_cluster(&self, match_id: MatchId) -> Option<ReviewProgress> {
        let Some((cluster, other)) = self.other_maker(match_id) else {
            return self.progress_of(match_id);
        };
        let question = ReviewQuestion { match_id };
        match cluster.ask(other, question.into(), PROGRESS_PATIENCE).await? {
            MessageBody::ReviewAnswer(ReviewAnswer { progress }) => progress,
            _ => None,
        }
    }

    fn progress_of(&self, match_id: MatchId) -> Option<ReviewProgress> {
        self.progress().filter(|current| current.match_id == match_id).map(|current| current.review)
    }

    /// Returns the other node that makes the review of a match. Returns `None` if this node makes it.
    fn other_maker(&self, match_id: MatchId) -> Option<(&ClusterLink, NodeId)> {
        let cluster = self.0.deps.cluster.as_ref()?;
        let owner = cluster.key_owner(&format!("review {match_id}"));
        (owner != cluster.node()).then_some((cluster, owner))
    }

    /// Answers another node's question. The match may wait for its review only since a moment ago.
    pub(crate) fn answer(&self, question: ReviewQuestion) -> ReviewAnswer {
        self.0.requested.notify_one();
        ReviewAnswer { progress: self.progress_of(question.match_id) }
    }

    /// Requests the review of an archived match, and returns the state of the review. Changes
    /// nothing if the review was requested before.
    ///
    /// # Errors
    /// Returns [`ReviewError`] if no review can be made.
    pub(crate) async fn request(&self, summary: &MatchSummary) -> Result<ReviewStatus, ReviewError> {
        let ReviewsDeps { config, store, clock, .. } = &self.0.deps;
        let match_id = summary.match_id;
        if matches!(store.review(match_id).await?, None | Some(StoredReview::Waiting { automatic: true, .. }))
        {
            self.check(summary)?;
            if store.request_review(match_id, clock.now(), config.waiting).await? {
                self.0.requested.notify_one();
            } else if store.review(match_id).await?.is_none() {
                return Err(ReviewError::Busy);
            }
        }
        Ok(self.status(summary).await?)
    }

    /// Checks that a match may be reviewed. Fails with the reason for which it may not.
    fn check(&self, summary: &MatchSummary) -> Result<(), ReviewError> {
        let ReviewsConfig { waiting, plies: most, .. } = self.0.deps.config;
        let plies = summary.plies;
        match plies {
            _ if waiting == 0 => Err(ReviewError::Off),
            _ if summary.ended_at_ms.is_none() => Err(ReviewError::Running),
            0 => Err(ReviewError::Empty),
            _ if plies > most => Err(ReviewError::TooLong { plies, most }),
            _ => Ok(()),
        }
    }

    /// Queues matches when they end, and makes the waiting reviews one after another. Never
    /// returns.
    pub(crate) async fn run(&self, ended: mpsc::Receiver<MatchSummary>) -> Infallible {
        if self.0.deps.config.waiting == 0 {
            return std::future::pending().await;
        }
        tokio::select! {
            never = self.queue_ended(ended) => never,
            never = self.make_all() => never,
        }
    }

    /// Queues the ended matches that are reviewed without a request. If the queue is full, a match
    /// is not queued.
    async fn queue_ended(&self, mut ended: mpsc::Receiver<MatchSummary>) -> Infallible {
        let ReviewsDeps { config, store, clock, lease, .. } = &self.0.deps;
        while let Some(summary) = ended.recv().await {
            if !is_automatic(config, &summary) || self.check(&summary).is_err() {
                continue;
            }
            lease.wait_until_held().await;
            match store.queue_automatic_review(summary.match_id, clock.now(), config.waiting).await {
                Ok(true) => self.0.requested.notify_one(),
                Ok(false) => {}
                Err(error) => tracing::debug!("a match is not reviewed by itself: {}", chain(&error)),
            }
        }
        std::future::pending().await
    }

    /// Makes the waiting reviews one after another. Never returns.
    async fn make_all(&self) -> Infallible {
        loop {
            let waiting = self.0.deps.store.waiting_reviews(LOOKED_THROUGH).await;
            let is_own = |match_id: &MatchId| self.other_maker(*match_id).is_none();
            let made = match waiting.map(|waiting| waiting.into_iter().find(is_own)) {
                Ok(Some(match_id)) => self.make(match_id).await,
                Ok(None) => {
                    self.wait_for_request().await;
                    continue;
                }
                Err(error) => Err(error),
            };
            *self.progress() = None;
            if let Err(error) = made {
                tracing::debug!("a review is made later: {}", chain(&error));
                tokio::time::sleep(RETRY).await;
            }
        }
    }

    /// Waits until a match may wait for its review.
    async fn wait_for_request(&self) {
        let requested = self.0.requested.notified();
        if self.0.deps.cluster.is_none() {
            return requested.await;
        }
        // Requests at other nodes notify this one only when somebody asks for the progress.
        tokio::time::timeout(LOOK_INTERVAL, requested).await.ok();
    }

    /// Makes and stores one review. If the review cannot be made, removes the request for it.
    async fn make(&self, match_id: MatchId) -> Result<(), StoreError> {
        let ReviewsDeps { config, store, bots, lease, .. } = &self.0.deps;
        let Some(moves) = self.read(match_id).await? else {
            tracing::warn!(match.id = %match_id, "a review is not made: the match cannot be read");
            return store.remove_review_request(match_id).await;
        };
        let of = u32::try_from(moves.len()).unwrap_or(u32::MAX);
        tracing::debug!(match.id = %match_id, "makes a review");
        let review = moves
            .review(config.nodes, bots, |done| {
                *self.progress() = Some(Progress { match_id, review: ReviewProgress { done, of } });
            })
            .await;
        // Without the lease nothing may be written.
        lease.wait_until_held().await;
        match review {
            Some(review) => store.finish_review(match_id, &review).await.map(drop),
            None => {
                tracing::warn!(match.id = %match_id, "a review is not made: the engine broke over a position");
                store.remove_review_request(match_id).await
            }
        }
    }

    /// Reads the moves of a match. Returns `None` if the log of the match cannot be read.
    async fn read(&self, match_id: MatchId) -> Result<Option<MatchReview>, StoreError> {
        let Some(table) = self.0.deps.store.table_of(match_id).await? else { return Ok(None) };
        let Ok((identity, log)) = self.0.deps.lobby.read_log(table, match_id).await else { return Ok(None) };
        let replay = move || History::replay(identity, log).ok().map(|history| MatchReview::of(&history));
        Ok(quadrex_runtime::run_blocking(replay).await.unwrap_or(None))
    }

    fn progress(&self) -> MutexGuard<'_, Option<Progress>> {
        self.0.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
