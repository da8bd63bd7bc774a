//! Fair play in rated matches: the wait of users who have left matches, and the users whom a quick
//! join does not seat at the same table, and the pairs of users who spare each other.

mod pairing;
mod pairs;
mod wait;

use quadrex_protocol::UserId;
use quadrex_protocol::http::{LeftMatch, SeatNetwork};
use quadrex_rules::Timestamp;
use quadrex_store::{Store, StoreError};

use crate::config::FairPlayConfig;

pub use pairing::NewSeat;
pub use wait::RatedWait;

/// The rules of fair play of a server. Cheap to clone.
#[derive(Clone, Debug)]
pub struct FairPlay {
    store: Store,
    config: std::sync::Arc<FairPlayConfig>,
}

impl FairPlay {
    /// Returns the rules with these settings.
    #[must_use]
    pub fn new(store: Store, config: FairPlayConfig) -> Self {
        Self { store, config: std::sync::Arc::new(config) }
    }

    /// Returns the time for which a user may not sit down at rated tables, if the user must wait.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn rated_wait(&self, user: UserId, now: Timestamp) -> Result<Option<RatedWait>, StoreError> {
        let conduct = self.store.rated_conduct(user, now - wait::REMEMBERED).await?;
        Ok(RatedWait::of(&conduct, &self.config.leaver_waits, now))
    }

    /// Returns all rated matches that a user has left, the last one first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn left_matches(&self, user: UserId) -> Result<Vec<LeftMatch>, StoreError> {
        let left = self.store.left_matches(user).await?.into_iter();
        Ok(left.map(|(match_id, at)| LeftMatch { match_id, at_ms: at.as_millis() }).collect())
    }

    /// Returns the networks that are stored for a user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn seat_networks(&self, user: UserId) -> Result<Vec<SeatNetwork>, StoreError> {
        let networks = self.store.seat_networks(user).await?.into_iter();
        Ok(networks.map(|(match_id, network)| SeatNetwork { match_id, network }).collect())
    }
}
