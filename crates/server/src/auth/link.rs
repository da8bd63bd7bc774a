//! The invites and watch links of tables.

use std::time::Duration;

use quadrex_clock::Entropy;
use quadrex_protocol::TableId;
use quadrex_rules::Timestamp;

use super::Identity;
use super::access::Key;
use super::token::Token;
use quadrex_store::{Link, LinkPurpose, SecretHash, Store, StoreError};

/// The service for the invites and watch links in the store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Links {
    store: Store,
    entropy: Entropy,
    lifetime: Duration,
    /// The largest number of links of a table.
    max_per_table: u32,
}

impl Links {
    /// Returns the service for the links in this store. A link is valid for `lifetime`. A table may
    /// have at most `max_per_table` links.
    pub fn new(store: Store, entropy: Entropy, lifetime: Duration, max_per_table: u32) -> Self {
        Self { store, entropy, lifetime, max_per_table }
    }

    /// Returns the largest number of links that a table may have.
    pub fn max_per_table(&self) -> u32 {
        self.max_per_table
    }

    /// Creates a link. Returns the link with its secret, which is shown only once. Returns `None`
    /// if the table already has the largest number of links.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the link cannot be stored.
    pub async fn issue(
        &self,
        table: TableId,
        purpose: LinkPurpose,
        now: Timestamp,
    ) -> Result<Option<(Token, Link)>, StoreError> {
        let (secret, link) = self.draft(table, purpose, now);
        let is_added = self.store.add_link(&link, self.max_per_table).await?;
        Ok(is_added.then_some((secret, link)))
    }

    /// Returns a new link that is not stored yet, with its secret.
    pub(super) fn draft(&self, table: TableId, purpose: LinkPurpose, now: Timestamp) -> (Token, Link) {
        let secret = Token::draw(&self.entropy);
        let link = Link {
            secret: secret.hash(),
            table,
            purpose,
            created_at: now,
            expires_at: now + self.lifetime,
            used_by: None,
        };
        (secret, link)
    }

    /// Returns the links of a table that have not expired, oldest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn list(&self, table: TableId, now: Timestamp) -> Result<Vec<Link>, StoreError> {
        self.store.links(table, now).await
    }

    /// Removes a link of a table. Returns false if there is no such link.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails. In that case the link may still exist.
    pub async fn revoke(&self, table: TableId, secret: SecretHash) -> Result<bool, StoreError> {
        self.store.remove_link(table, secret).await
    }

    /// Returns the right that a secret gives to this identity at a table, and the link of the
    /// secret.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn key(
        &self,
        secret_text: Option<&str>,
        table: TableId,
        identity: &Identity,
        now: Timestamp,
    ) -> Result<(Key, Option<Link>), StoreError> {
        let Some(secret_text) = secret_text else { return Ok((Key::None, None)) };
        let found = self.store.link(Token::hash_of(secret_text)).await?;
        Ok((Key::of(found.as_ref(), table, identity.id(), now), found))
    }
}
