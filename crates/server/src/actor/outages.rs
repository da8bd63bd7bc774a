//! The outages of the server, for which the players of matches without an actor must be
//! compensated. An actor compensates its players itself.

use std::convert::Infallible;
use std::time::Duration;

use quadrex_clock::{Clock, Stall};
use quadrex_protocol::MatchId;
use quadrex_rules::Timestamp;
use quadrex_store::error_chain::chain;
use quadrex_store::{NodeId, Store, StoreError, StoredOutage};
use quadrex_table::Outage;
use tokio::sync::Mutex;

use crate::telemetry::metrics::METRICS;

/// The pause before a stall is recorded again after a failure of the store.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The record of outages in the store. When a hibernating match is woken, the events of the outages
/// since the beginning of its hibernation are appended to its log, with the times of the outages.
/// The log is then the same as if the match had not hibernated.
#[derive(Debug)]
pub struct OutageRecord {
    store: Store,
    clock: Clock,
    grace: Duration,
    /// The server whose matches the outages concern; `None` if they concern all matches.
    owner: Option<NodeId>,
    /// The last stall of the process that the store has, or that was before this record existed.
    recorded: Mutex<Option<Stall>>,
}

impl OutageRecord {
    /// Returns the record in a store. Stalls of the process before this moment are not recorded.
    /// After a stall, the players' clocks run again after `grace`.
    #[must_use]
    pub fn new(store: Store, clock: Clock, grace: Duration, owner: Option<NodeId>) -> Self {
        let last = *clock.stalls().borrow();
        Self { store, clock, grace, owner, recorded: Mutex::new(last) }
    }

    /// Records the stalls of the process, without end.
    pub async fn run(&self) -> Infallible {
        let mut stalls = self.clock.stalls();
        loop {
            while let Err(error) = self.record_stall().await {
                tracing::debug!("a stall is not recorded yet: {}", chain(&error));
                tokio::time::sleep(RETRY_PAUSE).await;
            }
            if stalls.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
            METRICS.stalls.inc();
        }
    }

    /// Records an outage for the matches that hibernate now.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn record(&self, outage: Outage) -> Result<(), StoreError> {
        let Outage { last_alive, back, resumes } = outage;
        let outage = StoredOutage { alive_at: last_alive, back_at: back, resumes_at: resumes };
        self.store.add_outage(&outage, self.owner).await
    }

    /// Returns the outages of a match that its log does not have yet, in order: those since it began
    /// to hibernate, if it has had no event since, and then `last`, if it is not among them.
    pub(super) async fn pending(
        &self,
        match_id: MatchId,
        last_event_at: Timestamp,
        last: Option<Outage>,
    ) -> Result<Vec<Outage>, StoreError> {
        self.record_stall().await?;
        let stored = self.store.outages_of(match_id, last_event_at, self.grace).await?;
        let outage = |StoredOutage { alive_at, back_at, resumes_at }| Outage {
            last_alive: alive_at,
            back: back_at,
            resumes: resumes_at,
        };
        let mut outages: Vec<Outage> = stored.into_iter().map(outage).collect();
        // A record that was interrupted, because the server stopped, may be in the store twice.
        outages.dedup();
        let recorded_until = outages.last().map(|outage| outage.back);
        outages.extend(last.filter(|last| recorded_until.is_none_or(|until| until < last.back)));
        Ok(outages)
    }

    /// Records the last stall of the process, unless the store has it.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn record_stall(&self) -> Result<(), StoreError> {
        let mut recorded = self.recorded.lock().await;
        let last = *self.clock.stalls().borrow();
        if let Some(Stall { since, until }) = last.filter(|_| last != *recorded) {
            self.record(Outage { last_alive: Some(since), back: until, resumes: until + self.grace }).await?;
            *recorded = last;
        }
        Ok(())
    }
}
