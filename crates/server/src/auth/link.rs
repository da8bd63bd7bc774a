//! The secrets that let people in at a table.

use std::time::Duration;

use quadrex_protocol::TableId;
use quadrex_rules::Timestamp;

use super::Identity;
use super::access::Key;
use super::token::Token;
use crate::entropy::Entropy;
use quadrex_store::{Link, Purpose, SecretHash, Store, StoreError};

/// Makes invites and watch links, and tells what a shown secret is worth. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Links {
    store: Store,
    entropy: Entropy,
    lifetime: Duration,
    /// How many a table may have at a time.
    most: u32,
}

impl Links {
    /// Links kept in this store, each for `lifetime`, at most `most` of a table.
    pub fn new(store: Store, entropy: Entropy, lifetime: Duration, most: u32) -> Self {
        Self { store, entropy, lifetime, most }
    }

    /// Returns how many links a table may have at a time.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// Makes a link, unless the table has as many as it may. Its secret is shown this once.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be kept.
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

    /// Returns what a secret is worth at a table for this identity, and the link that it is of; for an action that
    /// needs it see [`Key`].
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

/// The name of a link by which its host revokes it: the hash of its secret, of which nothing follows about the secret.
pub fn id_of_link(secret: SecretHash) -> String {
    use std::fmt::Write as _;
    secret.0.iter().fold(String::with_capacity(64), |mut id, byte| {
        // A string takes whatever is written to it.
        write!(id, "{byte:02x}").ok();
        id
    })
}

/// Reads the name of a link.
pub fn read_link_id(id: &str) -> Option<SecretHash> {
    if id.len() != 64 || !id.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let mut hash = [0; 32];
    for (byte, digits) in hash.iter_mut().zip(id.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(SecretHash(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_s_name_reads_back_and_nothing_else_is_one() {
        let secret = SecretHash(std::array::from_fn(|index| u8::try_from(index * 8).unwrap()));
        let id = id_of_link(secret);
        assert_eq!(read_link_id(&id), Some(secret));
        for wrong in ["", "0", &id[1..], &id.to_uppercase(), &format!("+{}", &id[1..]), &"é".repeat(32)] {
            assert_eq!(read_link_id(wrong), None, "{wrong:?}");
        }
    }
}
