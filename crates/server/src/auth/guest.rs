//! Guests (users without an account) and their tokens.

use std::time::Duration;

use quadrex_clock::Entropy;
use quadrex_protocol::UserId;
use quadrex_protocol::bot::BotView;
use quadrex_rules::Timestamp;

use super::Identity;
use super::name::UserName;
use super::rights::Rights;
use super::token::Token;
use quadrex_store::error_chain::chain;
use quadrex_store::{Session, SessionKind, SessionUser, Store, StoreError, StoredAccount, User};

/// The time between two records of the use of a token.
const USE_INTERVAL: Duration = Duration::from_secs(3_600);

/// The number of random names that are tried until one belongs to no account.
const NAME_DRAWS: u32 = 10;

/// The client that is given a token, such as `Firefox, Linux`; `None` if it is unknown.
pub type Client = Option<String>;

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

/// The properties of a new token.
struct NewSession {
    kind: SessionKind,
    expires_at: Option<Timestamp>,
    client: Client,
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

    /// Creates a guest for a browser, with a random name and a token for a cookie.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn for_browser(&self, client: Client, now: Timestamp) -> Result<Issued, StoreError> {
        let name = self.draw_name().await?;
        let session = NewSession { kind: SessionKind::Cookie, expires_at: self.cookie_end(now), client };
        self.create(name, None, session, now).await
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
        let name = match name {
            Some(name) => name,
            None => self.draw_name().await?,
        };
        let session = NewSession { kind: SessionKind::Bearer, expires_at: None, client: None };
        self.create(name, bot, session, now).await
    }

    /// Creates a token for a cookie of an existing user. Returns `None` if there is no such user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn new_token_for_browser(
        &self,
        user: UserId,
        client: Client,
        now: Timestamp,
    ) -> Result<Option<Issued>, StoreError> {
        let Some(user) = self.store.user(user).await? else { return Ok(None) };
        let session = NewSession { kind: SessionKind::Cookie, expires_at: self.cookie_end(now), client };
        let token = self.add_token(user.id, session, now).await?;
        Ok(Some(Issued { user, token }))
    }

    /// Creates a token for a cookie of a user who has signed in with the password of an account.
    /// Returns `None` if the account has another password by now.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn new_token_for_account(
        &self,
        account: &StoredAccount,
        client: Client,
        now: Timestamp,
    ) -> Result<Option<Issued>, StoreError> {
        let Some(user) = self.store.user(account.user).await? else { return Ok(None) };
        let session = NewSession { kind: SessionKind::Cookie, expires_at: self.cookie_end(now), client };
        let (token, session) = self.draw_session(user.id, session, now);
        let is_added = self.store.add_account_session(&session, account).await?;
        Ok(is_added.then_some(Issued { user, token }))
    }

    /// Returns a random name that belongs to no account, if one is found soon.
    async fn draw_name(&self) -> Result<UserName, StoreError> {
        let mut name = UserName::draw(&self.entropy);
        for _ in 1..NAME_DRAWS {
            let Some(key) = name.key() else { break };
            if self.store.owner_of_name(key.as_str()).await?.is_none() {
                break;
            }
            name = UserName::draw(&self.entropy);
        }
        Ok(name)
    }

    fn cookie_end(&self, now: Timestamp) -> Option<Timestamp> {
        Some(now + self.cookie_lifetime)
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
        let token = Token::hash_of(token);
        let known = self.store.session_user(token, kind, now).await?;
        let Some(SessionUser { mut user, seen_at, expires_at, scopes, suspension }) = known else {
            return Ok(Identity::Anonymous);
        };
        let rights = scopes.map_or(Rights::All, |scopes| Rights::Token { scopes, expires_at });
        rights.mark(&mut user);
        if seen_at.is_none_or(|seen_at| now.since(seen_at) >= USE_INTERVAL)
            && let Err(error) = self.store.record_session_use(token, now).await
        {
            // The user is known nevertheless.
            tracing::debug!("{}", chain(&error));
        }
        Ok(Identity::User { user, rights, suspension: suspension.map(Box::new) })
    }

    async fn create(
        &self,
        name: UserName,
        bot: Option<BotView>,
        session: NewSession,
        now: Timestamp,
    ) -> Result<Issued, StoreError> {
        let user = User {
            id: UserId(self.entropy.uuid(now)),
            name: name.into(),
            created_at: now,
            account: false,
            bot,
        };
        self.store.add_user(&user).await?;
        let token = self.add_token(user.id, session, now).await?;
        Ok(Issued { user, token })
    }

    /// Creates a further token for this user.
    async fn add_token(
        &self,
        user: UserId,
        session: NewSession,
        now: Timestamp,
    ) -> Result<Token, StoreError> {
        let (token, session) = self.draw_session(user, session, now);
        self.store.add_session(&session).await?;
        Ok(token)
    }

    /// Returns a new random token and its session.
    fn draw_session(&self, user: UserId, session: NewSession, now: Timestamp) -> (Token, Session) {
        let token = Token::draw(&self.entropy);
        let NewSession { kind, expires_at, client } = session;
        let token_hash = token.hash();
        let session = Session {
            token: token_hash,
            user,
            kind,
            created_at: now,
            expires_at,
            seen_at: Some(now),
            client,
        };
        (token, session)
    }
}
