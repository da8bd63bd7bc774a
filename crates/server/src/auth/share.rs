//! The share links of matches.

use quadrex_clock::Entropy;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;

use super::token::Token;
use quadrex_store::{Store, StoreError};

/// The share links in the store. Each player has at most one link of a match. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Shares {
    store: Store,
    entropy: Entropy,
}

impl Shares {
    /// Returns the service for the share links in this store.
    pub fn new(store: Store, entropy: Entropy) -> Self {
        Self { store, entropy }
    }

    /// Creates a player's link of a match, which replaces an earlier link, and returns the secret
    /// of the new link. The secret cannot be read later.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the link cannot be stored.
    pub async fn issue(
        &self,
        match_id: MatchId,
        player: UserId,
        now: Timestamp,
    ) -> Result<Token, StoreError> {
        let secret = Token::draw(&self.entropy);
        self.store.share_match(match_id, player, secret.hash(), now).await?;
        Ok(secret)
    }

    /// Returns the time at which a player's link of a match was created. Returns `None` if there is
    /// no link.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn created_at(
        &self,
        match_id: MatchId,
        player: UserId,
    ) -> Result<Option<Timestamp>, StoreError> {
        self.store.share_created_at(match_id, player).await
    }

    /// Returns whether a secret belongs to a share link of a match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn is_valid(&self, secret: &str, match_id: MatchId) -> Result<bool, StoreError> {
        self.store.is_match_shared(match_id, Token::hash_of(secret)).await
    }

    /// Removes a player's link of a match. Returns false if there is no link.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the link may not have been removed.
    pub async fn revoke(&self, match_id: MatchId, player: UserId) -> Result<bool, StoreError> {
        self.store.remove_share(match_id, player).await
    }
}
