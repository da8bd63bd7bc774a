//! The routes of sign-ins with the accounts of other sites.

use std::net::IpAddr;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use quadrex_protocol::http::{
    ConnectedProvider, NewProviderAccount, ProviderFailure, ProviderSignInStarted, ProviderSignUp,
    SignInOptions, SignInProvider, SignIns, StartProviderSignIn,
};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{RefusalCode, UserId};
use serde::Deserialize;

use super::account::{already_account, choose_name, no_name_of_account};
use super::matches::parse_query;
use crate::auth::{AccountCreation, Denial, Issued, Token, User};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::http::user_agent::client_name;
use crate::providers::{
    IdentityConnection, IdentityDisconnection, Provider, ProviderAccountCreation, ProviderError,
    ProviderIdentity, ReturnedCode, SignInRequest,
};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// The name of the cookie with the secret of a sign-in, or of a sign-up, over http.
const COOKIE: &str = "quadrex_provider";

/// The name of the cookie over https.
const HOST_COOKIE: &str = "__Host-quadrex_provider";

/// The lifetime of the cookie. The store ends a sign-in and a sign-up sooner.
const COOKIE_LIFETIME: time::Duration = time::Duration::hours(1);

/// The longest path of a page to return to, in bytes.
const MAX_RETURN_TO: usize = 500;

/// The page on which the user chooses the name of a new account.
const SIGN_UP_PAGE: &str = "/sign-in/complete";

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/sign-in-options", get(options))
        .route("/api/providers/{provider}/start", post(start))
        .route("/api/providers/{provider}/callback", get(come_back))
        .route("/api/me/provider-sign-up", get(show_sign_up).post(sign_up))
        .route("/api/me/sign-ins", get(sign_ins))
        .route("/api/me/sign-ins/{provider}", delete(disconnect))
}

/// Returns the ways to sign in.
async fn options(State(state): State<AppState>) -> Json<SignInOptions> {
    let view = |provider: &Provider| SignInProvider {
        id: provider.id().to_owned(),
        name: provider.title().to_owned(),
    };
    let providers = state.providers.list().iter().map(view).collect();
    Json(SignInOptions { password_reset: state.mail.is_on(), providers })
}

/// Begins a sign-in with a provider.
async fn start(
    State(state): State<AppState>,
    Path(provider): Path<String>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(StartProviderSignIn { return_to, connect }): JsonBody<StartProviderSignIn>,
) -> Result<Response, Refusal> {
    state.check_own_page(&headers)?;
    let provider = state.provider(&provider)?;
    check_return_to(&return_to)?;
    let identity = state.identify_by_cookie(&headers).await?;
    let connect = match identity.user() {
        _ if !connect => None,
        Some(user) if user.account => Some(user.id),
        Some(_) => return Err(Refusal::new(RefusalCode::AccountNeeded, "only an account has sign-ins")),
        None => return Err(Denial::SignIn.into()),
    };
    state.rate_limits.check_sign_in(None, state.proxies.client_addr(peer.0, &headers)?).await?;
    let redirect_url = state.redirect_url(provider, &headers);
    let request = SignInRequest { redirect_url, return_to: &return_to, connect };
    match state.providers.start(provider, request, state.now()).await {
        Ok(started) => {
            let cookie = state.provider_cookie(started.state.as_str());
            Ok((cookie, Json(ProviderSignInStarted { url: started.url })).into_response())
        }
        Err(ProviderError::Failed(reason)) => {
            tracing::warn!(provider = provider.id(), "a sign-in cannot begin: {reason}");
            let message = format_args!("{} cannot be reached; try again later", provider.title());
            Err(Refusal::new(RefusalCode::ProviderFailed, message))
        }
        Err(ProviderError::Store(error)) => Err(state.fault("begin a sign-in with a provider", &error)),
    }
}

/// The query with which a provider sends a browser back (RFC 6749, sections 4.1.2 and 4.1.2.1).
/// Providers may add further parameters.
#[derive(Deserialize)]
struct Returned {
    #[serde(default)]
    state: String,
    code: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

/// A browser that comes back from a provider.
struct Visit<'a> {
    provider: &'a Provider,
    address: IpAddr,
    headers: &'a HeaderMap,
}

/// Finishes a sign-in: the browser gets the session of the identity's user, connects the identity to
/// its user, or may create an account for the identity. All outcomes are pages for the browser.
async fn come_back(
    State(state): State<AppState>,
    Path(provider): Path<String>,
    peer: Peer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Refusal> {
    let provider = state.provider(&provider)?;
    let returned: Returned = parse_query(&uri)?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    // Somebody who has lured the browser to this URL does not know the cookie.
    let is_own = provider_secret(&headers).is_some_and(|secret| secret == returned.state);
    let sign_in = match is_own {
        true => state.providers.take(provider, &returned.state, state.now()).await,
        false => Ok(None),
    };
    let sign_in = sign_in.map_err(|error| state.fault("finish a sign-in with a provider", &error))?;
    let Some(sign_in) = sign_in else { return Ok(failed("/", ProviderFailure::StaleSignIn)) };
    let return_to = sign_in.return_to.as_str();
    let code = match (returned.code, returned.error) {
        (Some(code), None) => code,
        (_, Some(error)) if error == "access_denied" => {
            return Ok(failed(return_to, ProviderFailure::ProviderRefused));
        }
        (_, error) => {
            let error: String = error.unwrap_or_default().chars().take(100).collect();
            tracing::warn!(provider = provider.id(), "a browser came back without a code: {error:?}");
            return Ok(failed(return_to, ProviderFailure::ProviderFailed));
        }
    };
    let redirect_url = state.redirect_url(provider, &headers);
    let code = ReturnedCode {
        code: &code,
        issuer: returned.iss.as_deref(),
        verifier: &sign_in.verifier,
        redirect_url: &redirect_url,
    };
    let identity = match state.providers.identify(provider, code, state.now()).await {
        Ok(identity) => identity,
        Err(error) => {
            tracing::warn!(provider = provider.id(), "a user could not be identified: {error}");
            return Ok(failed(return_to, ProviderFailure::ProviderFailed));
        }
    };
    let visit = Visit { provider, address, headers: &headers };
    match sign_in.connect {
        Some(user) => state.connect(user, &identity, &visit, return_to).await,
        None => state.sign_in_as(&identity, &visit, return_to).await,
    }
}

/// Returns the identity for which the browser may create an account.
async fn show_sign_up(
    State(state): State<AppState>,
    headers: HeaderMap,
) -> Result<Json<ProviderSignUp>, Refusal> {
    let secret = provider_secret(&headers).ok_or_else(no_sign_up)?;
    let identity = state.providers.sign_up(&secret, state.now()).await;
    let identity = identity.map_err(|error| state.fault("look up a sign-up with a provider", &error))?;
    let ProviderIdentity { provider, name, .. } = identity.ok_or_else(no_sign_up)?;
    Ok(Json(ProviderSignUp { provider, name }))
}

/// Makes the current user, a guest, an account without a password, for the identity at the provider.
async fn sign_up(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(NewProviderAccount { name }): JsonBody<NewProviderAccount>,
) -> Result<(StatusCode, CookieJar, Json<UserView>), Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let name = choose_name(&name, user)?;
    let key = name.key().ok_or_else(no_name_of_account)?;
    if user.account {
        return Err(already_account());
    }
    let secret = provider_secret(&headers).ok_or_else(no_sign_up)?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_sign_in(None, address).await?;
    if state.is_taken(&key, Some(user.id)).await? {
        return Err(Refusal::name_taken());
    }
    let created = state.providers.create_account(&secret, user.id, &name, &key, state.now()).await;
    match created.map_err(|error| state.fault("create an account for an identity", &error))? {
        ProviderAccountCreation::Account(AccountCreation::Created(user)) => {
            AuditEntry::new(AuditAction::AccountCreated).by(user.id).from(address).record();
            Ok((StatusCode::CREATED, state.removed_provider_cookie(), Json(user.view())))
        }
        ProviderAccountCreation::Account(AccountCreation::NameTaken) => Err(Refusal::name_taken()),
        ProviderAccountCreation::Account(AccountCreation::HasAccount) => Err(already_account()),
        ProviderAccountCreation::IdentityTaken | ProviderAccountCreation::NoSignUp => Err(no_sign_up()),
    }
}

/// Returns the ways in which the user signs in.
async fn sign_ins(
    State(state): State<AppState>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<SignIns>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    state.sign_ins_of(require_all_rights(&identity)?).await.map(Json)
}

/// Disconnects the user's account at a provider.
async fn disconnect(
    State(state): State<AppState>,
    Path(provider): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_all_rights(&identity)?.id;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    let disconnected = state.providers.disconnect(user, &provider).await;
    match disconnected.map_err(|error| state.fault("disconnect an identity", &error))? {
        IdentityDisconnection::Disconnected => {
            AuditEntry::new(AuditAction::ProviderDisconnected).by(user).from(address).record();
            Ok(StatusCode::NO_CONTENT)
        }
        IdentityDisconnection::NotConnected => {
            Err(Refusal::new(RefusalCode::NotFound, "you do not sign in with this provider"))
        }
        IdentityDisconnection::LastSignIn => Err(Refusal::new(
            RefusalCode::LastSignIn,
            "you sign in with this provider only: set a password first",
        )),
    }
}

impl AppState {
    fn provider(&self, id: &str) -> Result<&Provider, Refusal> {
        let found = self.providers.find(id);
        found.ok_or_else(|| Refusal::new(RefusalCode::NotFound, "there is no such provider"))
    }

    /// Returns the URL to which the provider sends the browser back.
    fn redirect_url(&self, provider: &Provider, headers: &HeaderMap) -> String {
        format!("{}/api/providers/{}/callback", self.origins.of(headers), provider.id())
    }

    /// Returns the ways in which a user signs in.
    pub(super) async fn sign_ins_of(&self, user: &User) -> Result<SignIns, Refusal> {
        let account = self.accounts.of(user.id).await;
        let account = account.map_err(|error| self.fault("look up an account", &error))?;
        let password = account.is_some_and(|account| account.password_hash.is_some());
        let identities = self.providers.of(user.id).await;
        let identities = identities.map_err(|error| self.fault("list the identities of a user", &error))?;
        let providers = identities.into_iter().map(|connected| {
            let ProviderIdentity { provider: id, name: user_name, .. } = connected.identity;
            let name = self.providers.find(&id).map_or_else(|| id.clone(), |known| known.title().to_owned());
            ConnectedProvider { id, name, user_name, connected_at_ms: connected.connected_at.as_millis() }
        });
        Ok(SignIns { password, providers: providers.collect() })
    }

    /// Connects an identity to the account of the user who has begun the sign-in.
    async fn connect(
        &self,
        user: UserId,
        identity: &ProviderIdentity,
        visit: &Visit<'_>,
        return_to: &str,
    ) -> Result<Response, Refusal> {
        // The session with which the user has begun may have ended meanwhile.
        if self.identify_by_cookie(visit.headers).await?.id() != Some(user) {
            return Ok(failed(return_to, ProviderFailure::StaleSignIn));
        }
        let connected = self.providers.connect(user, identity, self.now()).await;
        match connected.map_err(|error| self.fault("connect an identity", &error))? {
            IdentityConnection::Connected => {
                AuditEntry::new(AuditAction::ProviderConnected).by(user).from(visit.address).record();
                Ok((self.removed_provider_cookie(), Redirect::to(return_to)).into_response())
            }
            IdentityConnection::Taken => Ok(failed(return_to, ProviderFailure::AlreadyConnected)),
            IdentityConnection::HasOther => Ok(failed(return_to, ProviderFailure::OtherConnected)),
            IdentityConnection::NoAccount => Ok(failed(return_to, ProviderFailure::StaleSignIn)),
        }
    }

    /// Gives the browser a session of the identity's user. If there is no such user, the browser may
    /// create an account.
    async fn sign_in_as(
        &self,
        identity: &ProviderIdentity,
        visit: &Visit<'_>,
        return_to: &str,
    ) -> Result<Response, Refusal> {
        let Visit { provider, address, headers } = visit;
        let user = self.providers.user_of(identity).await;
        let user = user.map_err(|error| self.fault("look up an identity", &error))?;
        let issued = match user {
            Some(user) => self.guests.new_token_for_browser(user, client_name(headers), self.now()).await,
            None => Ok(None),
        };
        let Some(Issued { user, token }) = issued.map_err(|error| self.fault("store a session", &error))?
        else {
            let key = self.providers.offer_sign_up(identity, self.now()).await;
            let key = key.map_err(|error| self.fault("store a sign-up with a provider", &error))?;
            let cookie = self.provider_cookie(key.as_str());
            return Ok((cookie, Redirect::to(SIGN_UP_PAGE)).into_response());
        };
        AuditEntry::new(AuditAction::ProviderSignedIn).by(user.id).from(*address).record();
        tracing::debug!(provider = provider.id(), "a browser has signed in");
        let cookies = self.session_cookies(headers, user.id, &token).await?;
        Ok((self.removed_provider_cookie(), cookies, Redirect::to(return_to)).into_response())
    }

    /// Returns the cookies of a browser that gets a session. If it belonged to another user before, it
    /// can return to that user.
    async fn session_cookies(
        &self,
        headers: &HeaderMap,
        user: UserId,
        token: &Token,
    ) -> Result<CookieJar, Refusal> {
        let current = self.identify_by_cookie(headers).await?.id();
        Ok(match current {
            Some(current) if current != user => self.cookies_after_sign_in(headers, token),
            _ => self.cookie(token),
        })
    }

    fn provider_cookie(&self, secret: &str) -> CookieJar {
        self.cookie_of_provider(secret.to_owned(), COOKIE_LIFETIME)
    }

    fn removed_provider_cookie(&self) -> CookieJar {
        self.cookie_of_provider(String::new(), time::Duration::ZERO)
    }

    fn cookie_of_provider(&self, value: String, lifetime: time::Duration) -> CookieJar {
        let is_https = self.origins.is_https();
        // The provider's page leads to this server, so the cookie must be sent with such a request.
        let cookie = Cookie::build((if is_https { HOST_COOKIE } else { COOKIE }, value))
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(is_https)
            .path("/")
            .max_age(lifetime);
        CookieJar::new().add(cookie)
    }
}

/// Returns the secret in the browser's cookie.
fn provider_secret(headers: &HeaderMap) -> Option<String> {
    let jar = CookieJar::from_headers(headers);
    let cookie = jar.get(HOST_COOKIE).or_else(|| jar.get(COOKIE))?;
    Some(cookie.value().to_owned()).filter(|secret| !secret.is_empty())
}

/// Returns the redirect of a browser whose sign-in has failed.
fn failed(return_to: &str, failure: ProviderFailure) -> Response {
    Redirect::to(&format!("{return_to}#sign-in-failed={}", failure.name())).into_response()
}

/// Refuses a path that leads to another site, or that the server cannot extend by a fragment.
fn check_return_to(path: &str) -> Result<(), Refusal> {
    let leads_here = path.starts_with('/') && !path[1..].starts_with(['/', '\\']);
    let is_plain = path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
    if leads_here && is_plain && path.len() <= MAX_RETURN_TO {
        return Ok(());
    }
    let message = "return_to must be the path of a page of this server, without a fragment";
    Err(Refusal::new(RefusalCode::BadSetting, message))
}

/// Returns the refusal for a browser that may not create an account for an identity.
fn no_sign_up() -> Refusal {
    Refusal::new(RefusalCode::NotFound, "there is no account to complete here, or it took too long")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_returns_only_to_pages_of_this_server() {
        for path in ["/", "/settings", "/t/1?a=b", &format!("/{}", "a".repeat(499))] {
            assert!(check_return_to(path).is_ok(), "{path}");
        }
        for path in [
            "",
            "settings",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/a#b",
            "/a b",
            "/a\r\nSet-Cookie: x",
            "/ä",
            &format!("/{}", "a".repeat(500)),
        ] {
            let refusal = check_return_to(path).unwrap_err();
            assert_eq!(refusal.code, RefusalCode::BadSetting, "{path}");
        }
    }
}
