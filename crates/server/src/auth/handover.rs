//! The secrets with which one goes on from another device.

use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;

use super::token::Token;
use crate::entropy::Entropy;
use quadrex_store::{Handover, Store, StoreError};

/// How long a handover is good. Carrying a link to the device beside one takes no longer.
const LIFETIME: Duration = Duration::from_mins(10);

/// Makes handovers, and redeems them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Handovers {
    store: Store,
    entropy: Entropy,
}

impl Handovers {
    /// Handovers kept in this store.
    pub fn new(store: Store, entropy: Entropy) -> Self {
        Self { store, entropy }
    }

    /// Makes one for this user. Its secret is shown this once.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be kept.
    pub async fn issue(&self, user: UserId, now: Timestamp) -> Result<(Token, Handover), StoreError> {
        let secret = Token::draw(&self.entropy);
        let handover = Handover { secret: secret.hash(), user, created_at: now, expires_at: now + LIFETIME };
        self.store.add_handover(&handover).await?;
        Ok((secret, handover))
    }

    /// Whom a secret hands over to, without using it; nobody if it is unknown, used or expired.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot say.
    pub async fn preview(&self, shown: &str, now: Timestamp) -> Result<Option<UserId>, StoreError> {
        self.store.handover_user(Token::hash_of(shown), now).await
    }

    /// Whom a secret hands over to; nobody if it is unknown, used or expired. It is used from now on.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot say.
    pub async fn redeem(&self, shown: &str, now: Timestamp) -> Result<Option<UserId>, StoreError> {
        self.store.use_handover(Token::hash_of(shown), now).await
    }
}
