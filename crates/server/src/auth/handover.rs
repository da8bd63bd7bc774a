//! Handovers. A handover is a secret with which a user continues as the same user on another
//! device.

use std::time::Duration;

use quadrex_clock::Entropy;
use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;

use super::token::Token;
use quadrex_store::{Handover, Store, StoreError};

/// The lifetime of a handover. It is long enough to transfer a link to a device nearby.
const LIFETIME: Duration = Duration::from_mins(10);

/// The service that creates and redeems handovers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Handovers {
    store: Store,
    entropy: Entropy,
}

impl Handovers {
    /// Returns the service for handovers in this store.
    pub fn new(store: Store, entropy: Entropy) -> Self {
        Self { store, entropy }
    }

    /// Creates a handover for this user. Its secret is shown only once.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn issue(&self, user: UserId, now: Timestamp) -> Result<(Token, Handover), StoreError> {
        let secret = Token::draw(&self.entropy);
        let handover = Handover { secret: secret.hash(), user, created_at: now, expires_at: now + LIFETIME };
        self.store.add_handover(&handover).await?;
        Ok((secret, handover))
    }

    /// Returns the user of a secret. The secret can still be redeemed after this. Returns `None` if
    /// the secret is unknown, used or expired.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn preview(&self, secret_text: &str, now: Timestamp) -> Result<Option<UserId>, StoreError> {
        self.store.handover_user(Token::hash_of(secret_text), now).await
    }

    /// Redeems a secret, so that it cannot be used again, and returns its user. Returns `None` if
    /// the secret is unknown, used or expired.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn redeem(&self, secret_text: &str, now: Timestamp) -> Result<Option<UserId>, StoreError> {
        self.store.use_handover(Token::hash_of(secret_text), now).await
    }
}
