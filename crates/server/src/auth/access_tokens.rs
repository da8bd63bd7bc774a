//! The tokens that users create for programs, each with a name, scopes, and perhaps an expiry.

use std::time::Duration;

use quadrex_clock::Entropy;
use quadrex_protocol::UserId;
use quadrex_protocol::http::NewToken;
use quadrex_rules::Timestamp;
use quadrex_store::{AccessToken, Store, StoreError};

use super::name::is_visible;
use super::token::Token;

/// The largest number of tokens of a user.
pub const MAX_TOKENS: u16 = 50;

/// The longest name of a token, in characters.
const MAX_NAME: usize = 60;

/// The longest time for which a token can be valid if it expires, in days.
const MAX_DAYS: u16 = 400;

/// The reason for which a token is not created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidToken {
    /// The name is empty, too long, or has characters that are invisible.
    #[error("the name of a token has 1 to {MAX_NAME} visible characters")]
    Name,
    /// The token would have no right.
    #[error("a token needs at least one scope")]
    NoScope,
    /// The token would expire at once, or too late.
    #[error("a token expires after 1 to {MAX_DAYS} days, or never")]
    Days,
}

/// The service that creates and lists tokens. Cheap to clone.
#[derive(Clone, Debug)]
pub struct AccessTokens {
    store: Store,
    entropy: Entropy,
}

impl AccessTokens {
    /// Returns the service for the tokens in this store.
    pub fn new(store: Store, entropy: Entropy) -> Self {
        Self { store, entropy }
    }

    /// Returns a new token of a user, which is not stored yet, and its secret.
    ///
    /// # Errors
    /// Returns [`InvalidToken`] if the request has a value that is not allowed.
    pub fn draw(
        &self,
        user: UserId,
        new: NewToken,
        now: Timestamp,
    ) -> Result<(Token, AccessToken), InvalidToken> {
        let NewToken { name, mut scopes, expires_in_days } = new;
        let name = name.trim();
        if !(1..=MAX_NAME).contains(&name.chars().count()) || !name.chars().all(is_visible) {
            return Err(InvalidToken::Name);
        }
        scopes.sort_unstable();
        scopes.dedup();
        if scopes.is_empty() {
            return Err(InvalidToken::NoScope);
        }
        if expires_in_days.is_some_and(|days| !(1..=MAX_DAYS).contains(&days)) {
            return Err(InvalidToken::Days);
        }
        let expires_at = expires_in_days.map(|days| now + Duration::from_secs(86_400 * u64::from(days)));
        let secret = Token::draw(&self.entropy);
        let token = AccessToken {
            token: secret.hash(),
            user,
            name: name.to_owned(),
            scopes,
            created_at: now,
            expires_at,
            seen_at: None,
        };
        Ok((secret, token))
    }

    /// Stores a new token. Returns false if the user has too many tokens already.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn add(&self, token: &AccessToken, now: Timestamp) -> Result<bool, StoreError> {
        if self.of(token.user, now).await?.len() >= MAX_TOKENS.into() {
            return Ok(false);
        }
        self.store.add_access_token(token).await?;
        Ok(true)
    }

    /// Returns the tokens of a user that have not expired, the newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn of(&self, user: UserId, now: Timestamp) -> Result<Vec<AccessToken>, StoreError> {
        self.store.access_tokens_of(user, now, MAX_TOKENS).await
    }
}
