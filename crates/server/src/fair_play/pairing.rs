//! The users whom a rated quick join does not seat at the same table.

use quadrex_cluster::message::SeatOrigin;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;
use quadrex_store::StoreError;

use super::FairPlay;

/// A seat of a rated match that a user takes.
#[derive(Clone, Copy, Debug)]
pub struct NewSeat<'a> {
    /// The match.
    pub match_id: MatchId,
    /// The user.
    pub user: UserId,
    /// The origin of the request for the seat.
    pub origin: &'a SeatOrigin,
    /// The time at which the match was opened.
    pub opened_at: Timestamp,
}

impl FairPlay {
    /// Returns whether a user may take a seat beside these users. Only a quick join is refused: it
    /// pairs nobody with users of the same network, with users who follow each other, or with the
    /// opponents of the last matches. The opponents of the last matches are accepted at a table that
    /// waits for a while, so that people find matches where few play.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn may_pair(
        &self,
        seat: &NewSeat<'_>,
        others: &[UserId],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let config = &*self.config;
        if !seat.origin.is_quick_join || others.is_empty() {
            return Ok(true);
        }
        let is_among_others = |users: Vec<UserId>| users.iter().any(|user| others.contains(user));
        if let Some(network) = &seat.origin.network
            && !config.pair_same_network
            && is_among_others(self.store.seated_from(seat.match_id, network).await?)
        {
            return Ok(false);
        }
        if !config.pair_friends && is_among_others(self.store.mutual_follows(seat.user).await?) {
            return Ok(false);
        }
        if config.recent_matches > 0 && now.since(seat.opened_at) < config.recent_relax {
            let since = now - config.recent;
            let recent = self.store.rated_opponents(seat.user, config.recent_matches, since).await?;
            return Ok(!is_among_others(recent));
        }
        Ok(true)
    }

    /// Records the network from which a user takes a seat, for later quick joins.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn record_network(&self, seat: &NewSeat<'_>, now: Timestamp) -> Result<(), StoreError> {
        match &seat.origin.network {
            Some(network) if !self.config.pair_same_network => {
                self.store.put_seat_network(seat.match_id, seat.user, network, now).await
            }
            _ => Ok(()),
        }
    }
}
