//! Who sends a request: by cookie or by bearer token.

use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use quadrex_protocol::RefusalCode;

use super::app::App;
use super::gate::changes_nothing;
use super::refuse::Refusal;
use crate::auth::{Identity, SessionKind, Token};

/// The browser's cookie over http.
const COOKIE: &str = "quadrex_session";

/// The browser's cookie over https: no other host and no page over http can set one of that name (RFC 6265bis, 4.1.3.2).
const HOST_COOKIE: &str = "__Host-quadrex_session";

impl App {
    /// Who sends an HTTP request. A cookie of an unknown or ended session names nobody.
    ///
    /// # Errors
    /// A bearer token that names nobody; a cookie from another site on a request that changes something.
    pub(super) async fn identify(&self, method: &Method, headers: &HeaderMap) -> Result<Identity, Refusal> {
        if let Some(value) = headers.get(header::AUTHORIZATION) {
            return self.identify_by_header(value).await;
        }
        if !changes_nothing(method) && session_cookie(headers).is_some() {
            self.origins.check(headers)?;
        }
        self.identify_by_cookie(headers).await
    }

    /// Who opens a WebSocket. The cookie counts only on our own pages.
    ///
    /// # Errors
    /// As for [`identify`](Self::identify).
    pub(super) async fn identify_line(&self, headers: &HeaderMap) -> Result<Identity, Refusal> {
        self.identify(&Method::POST, headers).await
    }

    /// Whom a bearer token names.
    ///
    /// # Errors
    /// If it names nobody.
    pub(super) async fn identify_by_token(&self, token: &str) -> Result<Identity, Refusal> {
        match self.guests.identify(token, SessionKind::Bearer, self.now()).await {
            Ok(Identity::Anonymous) => {
                Err(Refusal::new(RefusalCode::BadToken, "the token names nobody here"))
            }
            Ok(identity) => Ok(identity),
            Err(error) => Err(self.fault("look a token up", &error)),
        }
    }

    /// Whom the cookie names; nobody if there is none.
    ///
    /// # Errors
    /// If the store cannot say.
    pub(super) async fn identify_by_cookie(&self, headers: &HeaderMap) -> Result<Identity, Refusal> {
        let Some(cookie) = session_cookie(headers) else { return Ok(Identity::Anonymous) };
        let identity = self.guests.identify(&cookie, SessionKind::Cookie, self.now()).await;
        identity.map_err(|error| self.fault("look a cookie up", &error))
    }

    async fn identify_by_header(&self, value: &HeaderValue) -> Result<Identity, Refusal> {
        let token = value.to_str().ok().and_then(|text| text.split_once(' '));
        match token {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
                self.identify_by_token(token.trim()).await
            }
            _ => {
                Err(Refusal::new(RefusalCode::BadToken, "Authorization must be: Bearer, a space, the token"))
            }
        }
    }

    /// The header that gives a browser its cookie.
    pub(super) fn cookie(&self, token: &Token) -> CookieJar {
        CookieJar::new().add(self.cookie_of(token.as_str().to_owned()))
    }

    /// The header that replaces a cookie from before the server was reached by https; nothing for any other.
    pub(super) fn renewed_cookie(&self, headers: &HeaderMap) -> CookieJar {
        let sent = CookieJar::from_headers(headers);
        match sent.get(COOKIE) {
            Some(old) if self.origins.is_https() && sent.get(HOST_COOKIE).is_none() => {
                let expired = Cookie::build((COOKIE, "")).path("/").max_age(time::Duration::ZERO);
                CookieJar::new().add(self.cookie_of(old.value().to_owned())).add(expired)
            }
            _ => CookieJar::new(),
        }
    }

    fn cookie_of(&self, token: String) -> Cookie<'static> {
        let lifetime = time::Duration::try_from(self.cookie_lifetime).unwrap_or(time::Duration::MAX);
        let is_https = self.origins.is_https();
        Cookie::build((if is_https { HOST_COOKIE } else { COOKIE }, token))
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(is_https)
            .path("/")
            .max_age(lifetime)
            .build()
    }
}

/// Whether a request comes with our cookie.
pub(super) fn has_cookie(headers: &HeaderMap) -> bool {
    session_cookie(headers).is_some()
}

fn session_cookie(headers: &HeaderMap) -> Option<String> {
    let sent = CookieJar::from_headers(headers);
    sent.get(HOST_COOKIE).or_else(|| sent.get(COOKIE)).map(|cookie| cookie.value().to_owned())
}
