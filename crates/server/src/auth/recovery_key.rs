//! Recovery keys. With a recovery key a user continues as the same user in any browser.

use std::fmt;

use quadrex_clock::Entropy;
use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use quadrex_store::{SecretHash, Store, StoreError};

use super::token::Token;

/// The number of letters in a group of a displayed key.
const GROUP: usize = 4;

/// The longest text that is read as a key. A displayed key has 39 characters.
const MAX_LENGTH: usize = 100;

/// A new recovery key. The user keeps it, and the server stores only its hash. `Debug` does not show
/// it.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryKey(Token);

impl RecoveryKey {
    /// Returns the key in groups of letters, which are easy to read and to copy by hand.
    pub fn text(&self) -> String {
        let letters: Vec<char> = self.0.as_str().chars().collect();
        let groups: Vec<String> = letters.chunks(GROUP).map(|group| group.iter().collect()).collect();
        groups.join("-")
    }
}

impl fmt::Debug for RecoveryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryKey(..)")
    }
}

/// Returns the hash of a key that a user has typed. Separators and the case of letters do not matter,
/// and letters that are not used stand for those that look like them (Crockford's base 32). Returns
/// `None` if the text is too long for a key.
fn hash_of(text: &str) -> Option<SecretHash> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let typed = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '-');
    let letters: String = typed
        .map(|letter| match letter.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            letter => letter,
        })
        .collect();
    Some(Token::hash_of(&letters))
}

/// The service that creates, removes and looks up recovery keys. Cheap to clone.
#[derive(Clone, Debug)]
pub struct RecoveryKeys {
    store: Store,
    entropy: Entropy,
}

impl RecoveryKeys {
    /// Returns the service for the recovery keys in this store.
    pub fn new(store: Store, entropy: Entropy) -> Self {
        Self { store, entropy }
    }

    /// Creates a recovery key for a user. It replaces an earlier key, and is shown only once.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn issue(&self, user: UserId, now: Timestamp) -> Result<RecoveryKey, StoreError> {
        let key = Token::draw(&self.entropy);
        self.store.set_recovery_key(user, key.hash(), now).await?;
        Ok(RecoveryKey(key))
    }

    /// Removes the recovery key of a user, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn remove(&self, user: UserId) -> Result<(), StoreError> {
        self.store.remove_recovery_key(user).await.map(drop)
    }

    /// Returns the user of a recovery key, or `None` if the key is unknown.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn user_of(&self, text: &str) -> Result<Option<UserId>, StoreError> {
        match hash_of(text) {
            Some(key) => self.store.recovery_key_user(key).await,
            None => Ok(None),
        }
    }

    /// Returns whether a user has a recovery key.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn exists_for(&self, user: UserId) -> Result<bool, StoreError> {
        self.store.has_recovery_key(user).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_however_it_is_typed() {
        let key = RecoveryKey(Token::draw(&Entropy::seeded(1)));
        let text = key.text();
        assert_eq!(text.len(), 39);
        assert!(text.split('-').all(|group| group.len() == GROUP), "{text}");
        let typed = [
            text.clone(),
            text.to_uppercase(),
            text.replace('-', " "),
            text.replace('-', ""),
            format!(" {text}\n"),
            text.replace('0', "O").replace('1', "l"),
            text.replace('1', "I"),
        ];
        for typed in typed {
            assert_eq!(hash_of(&typed), Some(key.0.hash()), "{typed}");
        }
        assert_ne!(hash_of(&text[1..]), Some(key.0.hash()));
        assert_eq!(hash_of(&"a".repeat(MAX_LENGTH + 1)), None);
        assert_eq!(format!("{key:?}"), "RecoveryKey(..)");
    }
}
