//! The share links of matches.

use quadrex_clock::Entropy;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;

use super::token::Token;
use quadrex_store::{Store, StoreError};

/// The share links in the store. Each player has one link of a match at most. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Shares {
    store: Store,
    entropy: Entropy,
}

impl Shares {
    /// Returns the share links of this store.
    pub fn new(store: Store, entropy: Entropy) -> Self {
        Self { store, entropy }
    }

    /// Creates a player's link of a match in place of an earlier one, and returns its secret, which
    /// is shown only once.
    ///
    /// # Errors
    /// [`StoreError`] if the link cannot be stored.
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

    /// Returns the time at which a player's link of a match was created, if there is one.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails.
    pub async fn created_at(
        &self,
        match_id: MatchId,
        player: UserId,
    ) -> Result<Option<Timestamp>, StoreError> {
        self.store.share_created_at(match_id, player).await
    }

    /// Returns whether a secret is that of a link of a match.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails.
    pub async fn is_valid(&self, secret: &str, match_id: MatchId) -> Result<bool, StoreError> {
        self.store.is_match_shared(match_id, Token::hash_of(secret)).await
    }

    /// Removes a player's link of a match. Returns false if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if the link may still be there.
    pub async fn revoke(&self, match_id: MatchId, player: UserId) -> Result<bool, StoreError> {
        self.store.remove_share(match_id, player).await
    }
}
