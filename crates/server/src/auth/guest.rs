//! Guests (users without an account) and their tokens.

use std::time::Duration;

use quadrex_clock::Entropy;
use quadrex_protocol::UserId;
use quadrex_protocol::bot::BotView;
use quadrex_rules::Timestamp;

use super::Identity;
use super::name::UserName;
use super::token::Token;
use quadrex_store::{Session, SessionKind, Store, StoreError, User};

/// The service that creates guests, and identifies the user of a token. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Guests {
    store: Store,
    entropy: Entropy,
    cookie_lifetime: Duration,
}

/// A new guest with its token, which is shown only once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    /// The guest as a user.
    pub user: User,
    /// The token that identifies the guest.
    pub token: Token,
}

impl Guests {
    /// Returns the service for guests in this store. The token in a cookie expires after
    /// `cookie_lifetime`. The token of a program never expires.
    pub fn new(store: Store, entropy: Entropy, cookie_lifetime: Duration) -> Self {
        Self { store, entropy, cookie_lifetime }
    }

    /// Returns the user with this id, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn find(&self, user: UserId) -> Result<Option<User>, StoreError> {
        self.store.user(user).await
    }

    /// Changes a user's name; returns the user, or `None` if there is no such user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn rename(&self, user: UserId, name: UserName) -> Result<Option<User>, StoreError> {
        self.store.rename_user(user, name.as_str()).await
    }

    /// Creates a guest for a browser, with a random name and a token for a cookie.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn for_browser(&self, now: Timestamp) -> Result<Issued, StoreError> {
        let name = UserName::draw(&self.entropy);
        self.create(name, None, SessionKind::Cookie, Some(now + self.cookie_lifetime), now).await
    }

    /// Creates a guest for a program, with a bearer token. The program is a bot, or it acts for a
    /// person. If no name is given, the guest gets a random name.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn for_program(
        &self,
        name: Option<UserName>,
        bot: Option<BotView>,
        now: Timestamp,
    ) -> Result<Issued, StoreError> {
        let name = name.unwrap_or_else(|| UserName::draw(&self.entropy));
        self.create(name, bot, SessionKind::Bearer, None, now).await
    }

    /// Creates a token for a cookie of an existing user. Returns `None` if there is no such user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn new_token_for_browser(
        &self,
        user: UserId,
        now: Timestamp,
    ) -> Result<Option<Issued>, StoreError> {
        let kind = SessionKind::Cookie;
        let token = self.add_token(user, kind, Some(now + self.cookie_lifetime), now).await?;
        let user = self.store.session_user(token.hash(), kind, now).await?;
        Ok(user.map(|user| Issued { user, token }))
    }

    /// Returns the identity of a token of this kind. Returns [`Identity::Anonymous`] if the token
    /// is unknown or has expired.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn identify(
        &self,
        token: &str,
        kind: SessionKind,
        now: Timestamp,
    ) -> Result<Identity, StoreError> {
        let user = self.store.session_user(Token::hash_of(token), kind, now).await?;
        Ok(user.map_or(Identity::Anonymous, Identity::User))
    }

    async fn create(
        &self,
        name: UserName,
        bot: Option<BotView>,
        kind: SessionKind,
        expires_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Issued, StoreError> {
        let user = User { id: UserId(self.entropy.uuid(now)), name: name.into(), created_at: now, bot };
        self.store.add_user(&user).await?;
        let token = self.add_token(user.id, kind, expires_at, now).await?;
        Ok(Issued { user, token })
    }

    /// Creates a further token for this user.
    async fn add_token(
        &self,
        user: UserId,
        kind: SessionKind,
        expires_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Token, StoreError> {
        let token = Token::draw(&self.entropy);
        let session = Session { token: token.hash(), user, kind, created_at: now, expires_at };
        self.store.add_session(&session).await?;
        Ok(token)
    }
}
