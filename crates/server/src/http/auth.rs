//! The identity of a request. It follows from a cookie or a bearer token.

use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use quadrex_protocol::{RefusalCode, UserId};
use quadrex_store::SecretHash;

use super::gate::changes_nothing;
use super::refusal::Refusal;
use super::state::AppState;
use crate::auth::{Identity, SessionKind, Token, User};

/// The name of the browser's cookie over http.
const COOKIE: &str = "quadrex_session";

/// The name of the browser's cookie over https. Neither another host nor a page over http can set a
/// cookie of this name (RFC 6265bis, 4.1.3.2).
const HOST_COOKIE: &str = "__Host-quadrex_session";

/// The name of the cookie with the sessions that the browser has left, latest first. Like the
/// session cookie, this cookie cannot be read by scripts.
const EARLIER_COOKIE: &str = "quadrex_earlier";

/// The name of the cookie with the replaced sessions over https.
const EARLIER_HOST_COOKIE: &str = "__Host-quadrex_earlier";

/// The largest number of earlier sessions in the cookie.
const MAX_EARLIER: usize = 4;

/// The separator between two sessions in the cookie. No token contains it.
const EARLIER_SEPARATOR: char = '.';

/// A session that a browser has left to become another user.
#[derive(Clone, Debug)]
pub(crate) struct EarlierSession {
    /// The user of the session.
    pub(crate) user: User,
    token: String,
    /// The tokens of the sessions before this one, latest first.
    before: Vec<String>,
}

impl AppState {
    /// Returns the identity of an HTTP request. The identity is anonymous if the session of the
    /// cookie is unknown or has ended.
    ///
    /// # Errors
    /// Returns an error if the bearer token is unknown, if a request with a cookie could change
    /// something and comes from another site, or if the request could change something and its user
    /// is suspended.
    pub(crate) async fn identify(&self, method: &Method, headers: &HeaderMap) -> Result<Identity, Refusal> {
        let identity = self.identify_even_suspended(method, headers).await?;
        match identity.suspension() {
            Some(suspension) if !changes_nothing(method) => Err(Refusal::suspended(suspension, self.now())),
            _ => Ok(identity),
        }
    }

    /// Returns the identity of an HTTP request for a route that suspended users may use too, although
    /// it changes something: a user may always end sessions and revoke rights.
    ///
    /// # Errors
    /// Returns the errors of [`identify`](Self::identify) except that of a suspended user.
    pub(crate) async fn identify_even_suspended(
        &self,
        method: &Method,
        headers: &HeaderMap,
    ) -> Result<Identity, Refusal> {
        if let Some(value) = headers.get(header::AUTHORIZATION) {
            return self.identify_by_header(value).await;
        }
        if !changes_nothing(method) && session_cookie(headers).is_some() {
            self.origins.check(headers)?;
        }
        self.identify_by_cookie(headers).await
    }

    /// Returns the identity of a WebSocket. Fails if the WebSocket has a cookie and is opened by a
    /// page of another site.
    ///
    /// # Errors
    /// Returns the errors of [`identify_even_suspended`](Self::identify_even_suspended).
    pub(crate) async fn identify_websocket(&self, headers: &HeaderMap) -> Result<Identity, Refusal> {
        self.identify_even_suspended(&Method::POST, headers).await
    }

    /// Returns the identity of a bearer token.
    ///
    /// # Errors
    /// Returns an error if the token is unknown.
    pub(crate) async fn identify_by_token(&self, token: &str) -> Result<Identity, Refusal> {
        match self.guests.identify(token, SessionKind::Bearer, self.now()).await {
            Ok(Identity::Anonymous) => {
                Err(Refusal::new(RefusalCode::BadToken, "the token is unknown, has expired, or was revoked"))
            }
            Ok(identity) => Ok(identity),
            Err(error) => Err(self.fault("look up a token", &error)),
        }
    }

    /// Returns the identity of the cookie's session. The identity is anonymous if there is no
    /// cookie.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub(crate) async fn identify_by_cookie(&self, headers: &HeaderMap) -> Result<Identity, Refusal> {
        let Some(cookie) = session_cookie(headers) else { return Ok(Identity::Anonymous) };
        let identity = self.guests.identify(&cookie, SessionKind::Cookie, self.now()).await;
        identity.map_err(|error| self.fault("look up a cookie", &error))
    }

    /// Returns the latest earlier session of a browser that belongs to another user than the
    /// current user `now`.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub(crate) async fn previous_session(
        &self,
        headers: &HeaderMap,
        now: Option<UserId>,
    ) -> Result<Option<EarlierSession>, Refusal> {
        self.first_session_of(earlier_tokens(headers), now).await
    }

    async fn first_session_of(
        &self,
        tokens: Vec<String>,
        now: Option<UserId>,
    ) -> Result<Option<EarlierSession>, Refusal> {
        let mut tokens = tokens.into_iter();
        while let Some(token) = tokens.next() {
            let identity = self.guests.identify(&token, SessionKind::Cookie, self.now()).await;
            let identity = identity.map_err(|error| self.fault("look up a cookie", &error))?;
            if let Identity::User { user, .. } = identity
                && Some(user.id) != now
            {
                return Ok(Some(EarlierSession { user, token, before: tokens.collect() }));
            }
        }
        Ok(None)
    }

    /// Returns the cookies of a browser that becomes another user. With these cookies the browser has
    /// the user of `token`, and can return to its earlier user.
    pub(crate) fn cookies_after_sign_in(&self, headers: &HeaderMap, token: &Token) -> CookieJar {
        let now = session_cookie(headers);
        let tokens_kept: Vec<String> =
            now.into_iter().chain(earlier_tokens(headers)).take(MAX_EARLIER).collect();
        self.cookie(token).add(self.earlier_cookie(&tokens_kept))
    }

    /// Returns the cookies of a browser that returns to an earlier session. Also returns the
    /// session before `earlier`, to which the browser can return next.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub(crate) async fn cookies_after_return(
        &self,
        earlier: EarlierSession,
    ) -> Result<(CookieJar, Option<EarlierSession>), Refusal> {
        let EarlierSession { user, token, before } = earlier;
        let jar =
            CookieJar::new().add(self.build(self.cookie_name(), token)).add(self.earlier_cookie(&before));
        Ok((jar, self.first_session_of(before, Some(user.id)).await?))
    }

    fn earlier_cookie(&self, tokens: &[String]) -> Cookie<'static> {
        let name = if self.origins.is_https() { EARLIER_HOST_COOKIE } else { EARLIER_COOKIE };
        let mut cookie = self.build(name, tokens.join(&EARLIER_SEPARATOR.to_string()));
        if tokens.is_empty() {
            cookie.set_max_age(time::Duration::ZERO);
        }
        cookie
    }

    async fn identify_by_header(&self, value: &HeaderValue) -> Result<Identity, Refusal> {
        match bearer_token(value) {
            Some(token) => self.identify_by_token(token).await,
            None => {
                Err(Refusal::new(RefusalCode::BadToken, "Authorization must be: Bearer, a space, the token"))
            }
        }
    }

    /// Returns the cookie with this token.
    pub(crate) fn cookie(&self, token: &Token) -> CookieJar {
        CookieJar::new().add(self.build(self.cookie_name(), token.as_str().to_owned()))
    }

    /// Returns the cookie that replaces a cookie from the time before the server was reached by
    /// https. Returns no cookie if the request has no such old cookie.
    pub(crate) fn renewed_cookie(&self, headers: &HeaderMap) -> CookieJar {
        let sent_cookies = CookieJar::from_headers(headers);
        match sent_cookies.get(COOKIE) {
            Some(old) if self.origins.is_https() && sent_cookies.get(HOST_COOKIE).is_none() => {
                let expired = Cookie::build((COOKIE, "")).path("/").max_age(time::Duration::ZERO);
                CookieJar::new().add(self.build(HOST_COOKIE, old.value().to_owned())).add(expired)
            }
            _ => CookieJar::new(),
        }
    }

    /// Returns an expired cookie, which removes the cookie with the session from a browser.
    pub(crate) fn removed_cookie(&self) -> CookieJar {
        let mut cookie = self.build(self.cookie_name(), String::new());
        cookie.set_max_age(time::Duration::ZERO);
        CookieJar::new().add(cookie)
    }

    /// Returns the session that a request presents: by its bearer token or, without one, by its
    /// cookie. The session may be unknown.
    pub(crate) fn presented_session(headers: &HeaderMap) -> Option<SecretHash> {
        match headers.get(header::AUTHORIZATION) {
            Some(value) => bearer_token(value).map(Token::hash_of),
            None => session_cookie(headers).map(|token| Token::hash_of(&token)),
        }
    }

    /// Returns the name of the cookie with the session.
    fn cookie_name(&self) -> &'static str {
        if self.origins.is_https() { HOST_COOKIE } else { COOKIE }
    }

    fn build(&self, name: &'static str, value: String) -> Cookie<'static> {
        let lifetime = time::Duration::try_from(self.cookie_lifetime).unwrap_or(time::Duration::MAX);
        let is_https = self.origins.is_https();
        Cookie::build((name, value))
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(is_https)
            .path("/")
            .max_age(lifetime)
            .build()
    }
}

fn bearer_token(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Returns whether a request has the cookie with the session.
pub(crate) fn has_cookie(headers: &HeaderMap) -> bool {
    session_cookie(headers).is_some()
}

fn session_cookie(headers: &HeaderMap) -> Option<String> {
    let sent_cookies = CookieJar::from_headers(headers);
    sent_cookies.get(HOST_COOKIE).or_else(|| sent_cookies.get(COOKIE)).map(|cookie| cookie.value().to_owned())
}

fn earlier_tokens(headers: &HeaderMap) -> Vec<String> {
    let jar = CookieJar::from_headers(headers);
    let cookie = jar.get(EARLIER_HOST_COOKIE).or_else(|| jar.get(EARLIER_COOKIE));
    let value = cookie.map(Cookie::value).unwrap_or_default();
    let tokens = value.split(EARLIER_SEPARATOR).filter(|token| !token.is_empty());
    tokens.take(MAX_EARLIER).map(str::to_owned).collect()
}
