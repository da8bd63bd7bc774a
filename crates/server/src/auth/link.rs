//! Invites and watch links of tables.

use std::time::Duration;

use quadrex_protocol::TableId;
use quadrex_rules::Timestamp;

use super::Identity;
use super::access::Key;
use super::token::Token;
use crate::entropy::Entropy;
use quadrex_store::{Link, Purpose, SecretHash, Store, StoreError};

/// The invites and watch links in the store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Links {
    store: Store,
    entropy: Entropy,
    lifetime: Duration,
    /// The most links of a table.
    most: u32,
}

impl Links {
    /// Links in this store, each valid for `lifetime`, at most `most` of them per table.
    pub fn new(store: Store, entropy: Entropy, lifetime: Duration, most: u32) -> Self {
        Self { store, entropy, lifetime, most }
    }

    /// Returns the most links that a table may have.
    pub fn max_per_table(&self) -> u32 {
        self.most
    }

    /// Makes a link and returns it with its secret, which is shown only once; `None` if the table
    /// has as many links as it may.
    ///
    /// # Errors
    /// [`StoreError`] if the link cannot be stored.
    pub async fn issue(
        &self,
        table: TableId,
        purpose: Purpose,
        now: Timestamp,
    ) -> Result<Option<(Token, Link)>, StoreError> {
        let secret = Token::draw(&self.entropy);
        let link = Link {
            secret: secret.hash(),
            table,
            purpose,
            created_at: now,
            expires_at: now + self.lifetime,
            used_by: None,
        };
        let is_kept = self.store.add_link(&link, self.most).await?;
        Ok(is_kept.then_some((secret, link)))
    }

    /// Returns a table's links that have not expired, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot say.
    pub async fn list(&self, table: TableId, now: Timestamp) -> Result<Vec<Link>, StoreError> {
        self.store.links(table, now).await
    }

    /// Removes a link of a table. Returns false if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if it may still be there.
    pub async fn revoke(&self, table: TableId, secret: SecretHash) -> Result<bool, StoreError> {
        self.store.remove_link(table, secret).await
    }

    /// Returns what a secret is worth at a table for this identity, and the link that it is of; for
    /// an action that needs it see [`Key`].
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot say.
    pub async fn key(
        &self,
        shown: Option<&str>,
        table: TableId,
        identity: &Identity,
        now: Timestamp,
    ) -> Result<(Key, Option<Link>), StoreError> {
        let Some(shown) = shown else { return Ok((Key::None, None)) };
        let found = self.store.link(Token::hash_of(shown)).await?;
        Ok((Key::of(found.as_ref(), table, identity.id(), now), found))
    }
}
