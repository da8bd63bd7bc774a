//! Guests: users made at once for whoever comes, and the tokens that name them.

use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_protocol::bot::BotView;
use quadrex_rules::Timestamp;

use super::Identity;
use super::name::UserName;
use super::token::Token;
use crate::entropy::Entropy;
use quadrex_store::{Session, SessionKind, Store, StoreError, User};

/// Makes guests, and tells whom a token names. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Guests {
    store: Store,
    entropy: Entropy,
    cookie_lifetime: Duration,
}

/// A new guest with its token, which is shown this once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    /// The guest.
    pub user: User,
    /// The token that names it from now on.
    pub token: Token,
}

impl Guests {
    /// Guests kept in this store. A cookie's token ends after `cookie_lifetime`, a program's never.
    pub fn new(store: Store, entropy: Entropy, cookie_lifetime: Duration) -> Self {
        Self { store, entropy, cookie_lifetime }
    }

    /// A user; `None` if there is none of this id.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot say.
    pub async fn find(&self, user: UserId) -> Result<Option<User>, StoreError> {
        self.store.user(user).await
    }

    /// Makes a guest for a browser, with a drawn name and a cookie's token.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be kept.
    pub async fn for_browser(&self, now: Timestamp) -> Result<Issued, StoreError> {
        let name = UserName::draw(&self.entropy);
        self.make(name, None, SessionKind::Cookie, Some(now + self.cookie_lifetime), now).await
    }

    /// Makes a guest for a program, a bot or one that acts for a person, with a bearer token. Without a name one is drawn.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be kept.
    pub async fn for_program(
        &self,
        name: Option<UserName>,
        bot: Option<BotView>,
        now: Timestamp,
    ) -> Result<Issued, StoreError> {
        let name = name.unwrap_or_else(|| UserName::draw(&self.entropy));
        self.make(name, bot, SessionKind::Bearer, None, now).await
    }

    /// Gives a browser a cookie's token of a user there is already; `None` if there is no such user.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be kept.
    pub async fn again_for_browser(
        &self,
        user: UserId,
        now: Timestamp,
    ) -> Result<Option<Issued>, StoreError> {
        let kind = SessionKind::Cookie;
        let token = self.name(user, kind, Some(now + self.cookie_lifetime), now).await?;
        let user = self.store.session_user(token.hash(), kind, now).await?;
        Ok(user.map(|user| Issued { user, token }))
    }

    /// Whom a token names that came by this door; [`Identity::Anonymous`] if nobody.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot say.
    pub async fn identify(
        &self,
        token: &str,
        kind: SessionKind,
        now: Timestamp,
    ) -> Result<Identity, StoreError> {
        let user = self.store.session_user(Token::hash_of(token), kind, now).await?;
        Ok(user.map_or(Identity::Anonymous, Identity::User))
    }

    async fn make(
        &self,
        name: UserName,
        bot: Option<BotView>,
        kind: SessionKind,
        expires_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Issued, StoreError> {
        let user = User { id: UserId(self.entropy.uuid(now)), name: name.into(), created_at: now, bot };
        self.store.add_user(&user).await?;
        let token = self.name(user.id, kind, expires_at, now).await?;
        Ok(Issued { user, token })
    }

    /// Makes one more token that names this user.
    async fn name(
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
