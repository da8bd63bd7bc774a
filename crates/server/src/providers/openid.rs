//! Sign-in with a provider of `OpenID` Connect (<https://openid.net/specs/openid-connect-core-1_0.html>).

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use quadrex_rules::Timestamp;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::oauth::{self, ClientCredentials, Endpoints};
use super::{ProviderError, ReturnedCode};
use crate::outgoing::OutgoingHttp;

/// The time after which the provider's metadata are requested again.
const METADATA_LIFETIME: Duration = Duration::from_hours(1);

/// The largest accepted difference between the clocks of the provider and of this server.
const CLOCK_SKEW: Duration = Duration::from_mins(1);

/// A provider of `OpenID` Connect.
#[derive(Debug)]
pub(super) struct OpenId {
    issuer: String,
    client: ClientCredentials,
    metadata: Mutex<Option<(Timestamp, Endpoints)>>,
}

/// The fields of the metadata that are used (`OpenID` Connect Discovery 1.0, section 3).
#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
}

/// The claims of an ID token that are used (`OpenID` Connect Core 1.0, sections 2 and 5.1).
#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    /// The time at which the token expires, in seconds since the Unix epoch.
    exp: f64,
    nonce: Option<String>,
    preferred_username: Option<String>,
    nickname: Option<String>,
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl Audience {
    fn contains(&self, client: &str) -> bool {
        match self {
            Self::One(one) => one == client,
            Self::Several(several) => several.iter().any(|one| one == client),
        }
    }
}

impl OpenId {
    pub(super) fn new(issuer: String, client: ClientCredentials) -> Self {
        Self { issuer, client, metadata: Mutex::default() }
    }

    /// Returns the URLs of the provider, which it publishes in its metadata.
    async fn endpoints(&self, http: &OutgoingHttp, now: Timestamp) -> Result<Endpoints, ProviderError> {
        let known = self.metadata.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((since, endpoints)) = known
            && now.since(since) < METADATA_LIFETIME
        {
            return Ok(endpoints);
        }
        let url = format!("{}/.well-known/openid-configuration", self.issuer);
        let metadata: Metadata = oauth::get_json(http, &url, None).await?;
        if metadata.issuer.trim_end_matches('/') != self.issuer {
            return Err(ProviderError::failed(format_args!("{url} is about {:?}", metadata.issuer)));
        }
        let endpoints =
            Endpoints { authorization: metadata.authorization_endpoint, token: metadata.token_endpoint };
        *self.metadata.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, endpoints.clone()));
        Ok(endpoints)
    }

    pub(super) async fn sign_in_url(
        &self,
        http: &OutgoingHttp,
        redirect_url: &str,
        state: &str,
        verifier: &str,
        now: Timestamp,
    ) -> Result<String, ProviderError> {
        let endpoints = self.endpoints(http, now).await?;
        oauth::authorization_url(
            &self.client,
            &endpoints,
            redirect_url,
            (state, verifier),
            &["openid", "profile"],
            &[("nonce", &nonce(verifier))],
        )
    }

    /// Returns the id and the name of the user.
    pub(super) async fn identify(
        &self,
        http: &OutgoingHttp,
        code: ReturnedCode<'_>,
        now: Timestamp,
    ) -> Result<(String, String), ProviderError> {
        if code.issuer.is_some_and(|issuer| issuer.trim_end_matches('/') != self.issuer) {
            return Err(ProviderError::failed("the code is from another provider"));
        }
        let endpoints = self.endpoints(http, now).await?;
        let nonce = nonce(code.verifier);
        let tokens = oauth::exchange(http, &self.client, &endpoints, code).await?;
        let id_token = tokens.extra_fields().id_token.as_deref();
        let id_token = id_token.ok_or_else(|| ProviderError::failed("there is no ID token"))?;
        let claims = self.check(id_token, &nonce, now).map_err(ProviderError::failed)?;
        let name = claims.preferred_username.or(claims.nickname).or(claims.name).unwrap_or_default();
        Ok((claims.sub, name))
    }

    /// Returns the claims of an ID token, if it is for this sign-in. The signature is not checked: the
    /// token comes from the provider itself over TLS, which authenticates it (`OpenID` Connect Core 1.0,
    /// section 3.1.3.7, item 6).
    fn check(&self, id_token: &str, nonce: &str, now: Timestamp) -> Result<Claims, String> {
        let mut parts = id_token.split('.');
        let (Some(_), Some(payload), Some(_), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err("the ID token does not have three parts".to_owned());
        };
        let payload = BASE64_URL_SAFE_NO_PAD.decode(payload);
        let payload = payload.map_err(|error| format!("the ID token is not base64url: {error}"))?;
        let claims: Claims = serde_json::from_slice(&payload)
            .map_err(|error| format!("the claims of the ID token: {error}"))?;
        if claims.iss.trim_end_matches('/') != self.issuer {
            return Err(format!("the ID token is from {:?}", claims.iss));
        }
        if !claims.aud.contains(self.client.id()) {
            return Err("the ID token is for another client".to_owned());
        }
        if claims.exp + CLOCK_SKEW.as_secs_f64() <= seconds(now) {
            return Err("the ID token has expired".to_owned());
        }
        if claims.nonce.as_deref() != Some(nonce) {
            return Err("the ID token is for another sign-in".to_owned());
        }
        Ok(claims)
    }
}

/// Returns a time in seconds since the Unix epoch.
fn seconds(time: Timestamp) -> f64 {
    Duration::from_millis(time.as_millis()).as_secs_f64()
}

/// Returns the value that binds an ID token to a sign-in. It does not reveal the verifier.
fn nonce(verifier: &str) -> String {
    let digest = Sha256::digest(format!("nonce {verifier}"));
    BASE64_URL_SAFE_NO_PAD.encode(digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

    fn provider() -> OpenId {
        let client = ClientCredentials::new("quadrex".to_owned(), None);
        OpenId::new("https://id.example".to_owned(), client)
    }

    fn claims() -> Value {
        json!({
            "iss": "https://id.example",
            "sub": "42",
            "aud": "quadrex",
            "exp": 1_700_000_060,
            "nonce": "n",
            "preferred_username": "ada",
        })
    }

    fn token(claims: &Value) -> String {
        format!("e30.{}.c2ln", BASE64_URL_SAFE_NO_PAD.encode(claims.to_string()))
    }

    fn error(claims: &Value) -> String {
        provider().check(&token(claims), "n", NOW).err().expect("the claims are wrong")
    }

    #[test]
    fn an_id_token_for_this_sign_in_is_accepted() {
        let checked = provider().check(&token(&claims()), "n", NOW).unwrap();
        assert_eq!((checked.sub.as_str(), checked.preferred_username.as_deref()), ("42", Some("ada")));
        let mut several = claims();
        several["aud"] = json!(["other", "quadrex"]);
        several["iss"] = json!("https://id.example/");
        several["exp"] = json!(1_699_999_941);
        assert!(provider().check(&token(&several), "n", NOW).is_ok());
    }

    #[test]
    fn other_id_tokens_are_refused() {
        for (claim, value, expected) in [
            ("iss", json!("https://evil.example"), "the ID token is from \"https://evil.example\""),
            ("aud", json!("other"), "the ID token is for another client"),
            ("aud", json!([]), "the ID token is for another client"),
            ("exp", json!(1_699_999_940), "the ID token has expired"),
            ("nonce", json!("m"), "the ID token is for another sign-in"),
            ("nonce", json!(null), "the ID token is for another sign-in"),
        ] {
            let mut wrong = claims();
            wrong[claim] = value;
            assert_eq!(error(&wrong), expected, "{claim}");
        }
        let mut missing = claims();
        missing.as_object_mut().unwrap().remove("sub");
        assert!(error(&missing).contains("missing field `sub`"), "{}", error(&missing));
    }

    #[test]
    fn texts_that_are_no_id_tokens_are_refused() {
        for text in ["", "a", "a.b", "a.b.c.d", "a.!.c", "a.e30.c"] {
            assert!(provider().check(text, "n", NOW).is_err(), "{text}");
        }
    }

    #[test]
    fn a_nonce_differs_from_the_verifier_and_its_challenge() {
        let verifier = "a".repeat(43);
        let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
        assert!(nonce(&verifier) != verifier && nonce(&verifier) != challenge);
        assert_ne!(nonce(&verifier), nonce(&"b".repeat(43)));
    }
}
