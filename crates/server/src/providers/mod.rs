//! Sign-in with the accounts of other sites: Lichess, and providers of `OpenID` Connect.
//!
//! A browser goes to the provider and comes back with a code (RFC 6749, section 4.1), which the server
//! exchanges for the identity of the user there. The secret `state` of a sign-in is in a cookie of the
//! browser too, so that nobody else can finish it, and it works only once. The code is useless without
//! a further secret, which only the server knows (RFC 7636).

mod lichess;
mod oauth;
mod openid;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use quadrex_clock::Entropy;
use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use quadrex_store::{ProviderSignIn, Store, StoreError};

use crate::auth::{NameKey, Token, UserName};
use crate::config::{ProviderConfig, ProviderKind};
use crate::outgoing::OutgoingHttp;
use lichess::Lichess;
use openid::OpenId;

pub use quadrex_store::{
    ConnectedIdentity, IdentityConnection, IdentityDisconnection, NewAccount, ProviderAccountCreation,
    ProviderIdentity,
};

/// The time within which the user must come back from the provider.
const SIGN_IN_LIFETIME: Duration = Duration::from_mins(15);

/// The time within which the user must choose a name for a new account.
const SIGN_UP_LIFETIME: Duration = Duration::from_hours(1);

/// The longest id of an identity that is accepted from a provider (`OpenID` Connect Core 1.0, section
/// 2), in characters.
const MAX_SUBJECT: usize = 255;

/// The longest name that is kept of an identity, in characters.
const MAX_NAME: usize = 100;

/// The service for sign-ins with providers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Providers {
    store: Store,
    entropy: Entropy,
    http: OutgoingHttp,
    list: Arc<[Provider]>,
}

/// A provider in the settings.
#[derive(Debug)]
pub struct Provider {
    id: String,
    title: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Lichess(Lichess),
    OpenId(OpenId),
}

impl Provider {
    /// Returns the id, which is in URLs and in the database.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the name that users read.
    pub fn title(&self) -> &str {
        &self.title
    }
}

/// The file with the secret of a provider could not be read.
#[derive(Debug, thiserror::Error)]
#[error("providers.{provider}.client_secret_file: {}: {source}", file.display())]
pub struct ProviderSecretError {
    provider: String,
    file: PathBuf,
    source: std::io::Error,
}

/// The reason for which a provider has not given an identity.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The provider cannot be reached, or its answer is not valid.
    #[error("{0}")]
    Failed(String),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ProviderError {
    fn failed(error: impl std::fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }
}

/// A sign-in to begin.
#[derive(Debug)]
pub struct SignInRequest<'a> {
    /// The URL to which the provider sends the browser back.
    pub redirect_url: String,
    /// The path to which the browser returns at the end.
    pub return_to: &'a str,
    /// The user who connects an identity; `None` if the browser signs in.
    pub connect: Option<UserId>,
}

/// A sign-in that has begun.
#[derive(Debug)]
pub struct StartedSignIn {
    /// The URL of the provider to which the browser goes.
    pub url: String,
    /// The secret that the browser keeps in a cookie.
    pub state: Token,
}

impl Providers {
    /// Returns the service for the providers in the settings.
    ///
    /// # Errors
    /// Returns [`ProviderSecretError`] if the file with a secret cannot be read.
    pub fn new<'a>(
        configs: impl IntoIterator<Item = (&'a String, &'a ProviderConfig)>,
        store: Store,
        entropy: Entropy,
        http: OutgoingHttp,
    ) -> Result<Self, ProviderSecretError> {
        let list = configs.into_iter().map(|(id, config)| provider(id, config)).collect::<Result<_, _>>()?;
        Ok(Self { store, entropy, http, list })
    }

    /// Returns the providers in the settings.
    pub fn list(&self) -> &[Provider] {
        &self.list
    }

    /// Returns the provider with this id, if there is one.
    pub fn find(&self, id: &str) -> Option<&Provider> {
        self.list.iter().find(|provider| provider.id == id)
    }

    /// Begins a sign-in.
    ///
    /// # Errors
    /// Returns [`ProviderError`] if the provider cannot be reached, or the store fails.
    pub async fn start(
        &self,
        provider: &Provider,
        request: SignInRequest<'_>,
        now: Timestamp,
    ) -> Result<StartedSignIn, ProviderError> {
        let SignInRequest { redirect_url, return_to, connect } = request;
        let state = Token::draw(&self.entropy);
        let verifier = BASE64_URL_SAFE_NO_PAD.encode(self.entropy.bytes::<32>());
        let url = match &provider.kind {
            Kind::Lichess(lichess) => lichess.sign_in_url(&redirect_url, state.as_str(), &verifier)?,
            Kind::OpenId(openid) => {
                openid.sign_in_url(&self.http, &redirect_url, state.as_str(), &verifier, now).await?
            }
        };
        let sign_in = ProviderSignIn {
            state: state.hash(),
            provider: provider.id.clone(),
            verifier,
            connect,
            return_to: return_to.to_owned(),
            expires_at: now + SIGN_IN_LIFETIME,
        };
        self.store.add_provider_sign_in(&sign_in, now).await?;
        Ok(StartedSignIn { url, state })
    }

    /// Returns the sign-in with this secret, which does not work again. Returns `None` if the secret is
    /// unknown, used or expired, or belongs to another provider.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn take(
        &self,
        provider: &Provider,
        state: &str,
        now: Timestamp,
    ) -> Result<Option<ProviderSignIn>, StoreError> {
        let taken = self.store.take_provider_sign_in(Token::hash_of(state), now).await?;
        Ok(taken.filter(|sign_in| sign_in.provider == provider.id))
    }

    /// Exchanges the code of a sign-in for the identity of the user at the provider. `issuer` is the
    /// provider's URL as it came back with the code, if it did (RFC 9207).
    ///
    /// # Errors
    /// Returns [`ProviderError::Failed`] if the provider does not give a valid identity.
    pub async fn identify(
        &self,
        provider: &Provider,
        code: ReturnedCode<'_>,
        now: Timestamp,
    ) -> Result<ProviderIdentity, ProviderError> {
        let (subject, name) = match &provider.kind {
            Kind::Lichess(lichess) => lichess.identify(&self.http, code).await?,
            Kind::OpenId(openid) => openid.identify(&self.http, code, now).await?,
        };
        if subject.is_empty() || subject.chars().count() > MAX_SUBJECT {
            return Err(ProviderError::failed("the id of the user is empty or too long"));
        }
        let name = name.chars().filter(|letter| !letter.is_control()).take(MAX_NAME).collect();
        Ok(ProviderIdentity { provider: provider.id.clone(), subject, name })
    }

    /// Returns the user of an identity, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn user_of(&self, identity: &ProviderIdentity) -> Result<Option<UserId>, StoreError> {
        self.store.user_of_identity(&identity.provider, &identity.subject).await
    }

    /// Connects an identity to the account of a user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn connect(
        &self,
        user: UserId,
        identity: &ProviderIdentity,
        now: Timestamp,
    ) -> Result<IdentityConnection, StoreError> {
        self.store.connect_identity(user, identity, now).await
    }

    /// Disconnects a user's identity at a provider. The provider may not be in the settings any more.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn disconnect(
        &self,
        user: UserId,
        provider: &str,
    ) -> Result<IdentityDisconnection, StoreError> {
        self.store.disconnect_identity(user, provider).await
    }

    /// Returns the identities of a user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn of(&self, user: UserId) -> Result<Vec<ConnectedIdentity>, StoreError> {
        self.store.identities_of(user).await
    }

    /// Lets a browser create an account for an identity. Returns the secret that the browser keeps in a
    /// cookie.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn offer_sign_up(
        &self,
        identity: &ProviderIdentity,
        now: Timestamp,
    ) -> Result<Token, StoreError> {
        let key = Token::draw(&self.entropy);
        self.store.add_provider_sign_up(key.hash(), identity, now, now + SIGN_UP_LIFETIME).await?;
        Ok(key)
    }

    /// Returns the identity for which a browser may create an account. Returns `None` if the secret is
    /// unknown, used or expired.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn sign_up(&self, key: &str, now: Timestamp) -> Result<Option<ProviderIdentity>, StoreError> {
        self.store.provider_sign_up(Token::hash_of(key), now).await
    }

    /// Gives a user an account for the identity of a sign-up.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn create_account(
        &self,
        key: &str,
        user: UserId,
        name: &UserName,
        name_key: &NameKey,
        at: Timestamp,
    ) -> Result<ProviderAccountCreation, StoreError> {
        let (name, name_key) = (name.as_str(), name_key.as_str());
        let account = NewAccount { user, name, name_key, password_hash: None, at };
        self.store.create_provider_account(Token::hash_of(key), account).await
    }
}

/// The code that a browser has brought back from a provider.
#[derive(Clone, Copy, Debug)]
pub struct ReturnedCode<'a> {
    /// The code.
    pub code: &'a str,
    /// The provider's URL, if it came with the code (RFC 9207).
    pub issuer: Option<&'a str>,
    /// The secret of the sign-in.
    pub verifier: &'a str,
    /// The URL to which the provider has sent the browser back.
    pub redirect_url: &'a str,
}

fn provider(id: &str, config: &ProviderConfig) -> Result<Provider, ProviderSecretError> {
    let secret = (!config.client_secret_file.as_os_str().is_empty()).then(|| {
        let read = std::fs::read_to_string(&config.client_secret_file);
        read.map(|text| text.trim_end().to_owned()).map_err(|source| {
            let file = config.client_secret_file.clone();
            ProviderSecretError { provider: id.to_owned(), file, source }
        })
    });
    let client = oauth::ClientCredentials::new(config.client_id.clone(), secret.transpose()?);
    let url = config.url.trim_end_matches('/').to_owned();
    let kind = match config.kind {
        ProviderKind::Lichess => Kind::Lichess(Lichess::new(url, client)),
        ProviderKind::OpenidConnect => Kind::OpenId(OpenId::new(url, client)),
    };
    Ok(Provider { id: id.to_owned(), title: config.title.clone(), kind })
}
