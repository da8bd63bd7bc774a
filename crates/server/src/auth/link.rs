//! The secrets that let people in at a table.

use std::time::Duration;

use quadrex_protocol::TableId;
use quadrex_rules::Timestamp;

use super::Identity;
use super::access::Key;
use super::token::Token;
use crate::entropy::Entropy;
use quadrex_store::{Link, Purpose, Store, StoreError};

/// Makes invites and watch links, and tells what a shown secret is worth. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Links {
    store: Store,
    entropy: Entropy,
    lifetime: Duration,
}

impl Links {
    /// Links kept in this store, each for `lifetime`.
    pub fn new(store: Store, entropy: Entropy, lifetime: Duration) -> Self {
        Self { store, entropy, lifetime }
    }

    /// Makes a link. Its secret is shown this once.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be kept.
    pub async fn issue(
        &self,
        table: TableId,
        purpose: Purpose,
        now: Timestamp,
    ) -> Result<(Token, Link), StoreError> {
        let secret = Token::draw(&self.entropy);
        let link = Link {
            secret: secret.hash(),
            table,
            purpose,
            created_at: now,
            expires_at: now + self.lifetime,
            used_by: None,
        };
        self.store.add_link(&link).await?;
        Ok((secret, link))
    }

    /// What a secret is worth at a table for this identity; for an action that needs it see [`Key`].
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot say.
    pub async fn key(
        &self,
        shown: Option<&str>,
        table: TableId,
        identity: &Identity,
        now: Timestamp,
    ) -> Result<Key, StoreError> {
        let Some(shown) = shown else { return Ok(Key::None) };
        let found = self.store.link(Token::hash_of(shown)).await?;
        Ok(Key::of(found.as_ref(), table, identity.id(), now))
    }
}
