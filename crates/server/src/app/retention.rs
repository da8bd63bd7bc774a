//! The removal of old data, once a day for each database.

use std::convert::Infallible;
use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_rules::Timestamp;
use quadrex_store::error_chain::chain;
use quadrex_store::{Store, StoreError};

use crate::config::RetentionConfig;
use crate::lease::Lease;
use crate::telemetry::metrics::METRICS;

/// The time between two attempts to become the server that removes old data.
const INTERVAL: Duration = Duration::from_secs(600);

/// The time from one removal to the next one, at whichever server.
const PERIOD: Duration = Duration::from_secs(86_400);

/// The largest number of rows that are removed in one transaction.
const BATCH: u16 = 200;

/// The pause between two transactions, in which others use the database.
const PAUSE: Duration = Duration::from_millis(100);

/// The periodic removal of old data.
#[derive(Debug)]
pub(super) struct Retention {
    pub(super) config: RetentionConfig,
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) lease: Lease,
}

impl Retention {
    /// Removes old data once a day, unless another server on the database does it. Never returns.
    pub(super) async fn run(self) -> Infallible {
        loop {
            self.clock.sleep_until(self.clock.now() + INTERVAL).await;
            self.lease.wait_until_held().await;
            if let Err(error) = self.remove_old().await {
                tracing::warn!("old data could not be removed: {}", chain(&error));
            }
        }
    }

    async fn remove_old(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        if !self.store.claim_retention(now, now + PERIOD).await? {
            return Ok(());
        }
        METRICS.removed.inc_by("expired", self.store.remove_expired(now).await?);
        let RetentionConfig { guests, open_tables: _, closed_reports } = self.config;
        let guests = before(now, guests).map(OldData::Guests);
        let reports = before(now, closed_reports).map(OldData::Reports);
        for old in guests.into_iter().chain(reports) {
            self.remove_in_batches(old).await?;
        }
        Ok(())
    }

    /// Removes one batch after the other, until a batch is not full.
    async fn remove_in_batches(&self, old: OldData) -> Result<(), StoreError> {
        let (kind, mut all) = (old.kind(), 0);
        loop {
            self.lease.wait_until_held().await;
            let removed = match old {
                OldData::Guests(unused_since) => {
                    self.store.remove_guests(unused_since, self.clock.now(), BATCH).await?
                }
                OldData::Reports(closed_before) => {
                    self.store.remove_closed_reports(closed_before, BATCH).await?
                }
            };
            METRICS.removed.inc_by(kind, removed);
            all += removed;
            if removed < u64::from(BATCH) {
                if all > 0 {
                    tracing::info!(kind, count = all, "removed old data");
                }
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Data that is removed in batches.
#[derive(Clone, Copy, Debug)]
enum OldData {
    /// The guests who have used no session since this time.
    Guests(Timestamp),
    /// The reports that were closed before this time.
    Reports(Timestamp),
}

impl OldData {
    /// Returns the kind in the metrics.
    fn kind(self) -> &'static str {
        match self {
            Self::Guests(_) => "guests",
            Self::Reports(_) => "reports",
        }
    }
}

/// Returns the time before which data is old, unless it stays for ever.
fn before(now: Timestamp, age: Duration) -> Option<Timestamp> {
    (!age.is_zero()).then(|| now - age)
}
