//! Web Push: encrypted messages to browsers, over the push services that the browsers have chosen
//! (RFC 8030).

mod encryption;
mod vapid;

use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use bytes::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use quadrex_protocol::TableId;
use quadrex_rules::Timestamp;
use quadrex_store::{PushKeys, PushSubscription};
use serde::Serialize;

use super::texts::MessageText;
use crate::outgoing::{OutgoingHttp, OutgoingRequest};
pub(super) use encryption::is_usable;
use vapid::VapidKey;

const TTL: HeaderName = HeaderName::from_static("ttl");
const URGENCY: HeaderName = HeaderName::from_static("urgency");
const TOPIC: HeaderName = HeaderName::from_static("topic");

/// The longest time for which push services keep a message, in seconds: four weeks.
const MAX_TTL: u64 = 28 * 86_400;

/// A message to a browser, as its service worker receives it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PushMessage {
    pub(super) kind: &'static str,
    pub(super) title: String,
    pub(super) body: String,
    /// The path of the page to open.
    pub(super) url: String,
    /// A message replaces an earlier one with the same tag.
    pub(super) tag: String,
}

impl PushMessage {
    pub(super) fn new(kind: &'static str, text: MessageText, table: Option<TableId>) -> Self {
        let MessageText { title, body } = text;
        let (url, tag) = match table {
            Some(table) => (format!("/t/{table}"), table.to_string()),
            None => ("/settings".to_owned(), kind.to_owned()),
        };
        Self { kind, title, body, url, tag }
    }
}

/// The answer of a push service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PushAnswer {
    /// The push service has accepted the message.
    Accepted,
    /// The subscription has ended.
    Gone,
    /// The push service has refused the message, and would refuse it again.
    Refused(StatusCode),
    /// The message may be accepted later.
    Later(String),
}

/// The client of push services.
#[derive(Debug)]
pub(super) struct PushService {
    key: VapidKey,
    public_key: String,
    /// The URL by which push services reach the operator.
    contact: String,
    http: OutgoingHttp,
}

impl PushService {
    /// Returns a new private key.
    pub(super) fn fresh_key() -> Vec<u8> {
        VapidKey::fresh()
    }

    /// Returns the client with this private key. Returns `None` if the key is invalid.
    pub(super) fn new(key: &[u8], contact: String, http: OutgoingHttp) -> Option<Self> {
        let key = VapidKey::read(key)?;
        let public_key = BASE64_URL_SAFE_NO_PAD.encode(key.public_key());
        Some(Self { key, public_key, contact, http })
    }

    /// Returns the public key in base64url.
    pub(super) fn public_key(&self) -> &str {
        &self.public_key
    }

    /// Sends a message. A push service that does not reach the browser drops it after `lifetime`.
    pub(super) async fn send(
        &self,
        to: &PushSubscription,
        message: &PushMessage,
        lifetime: Duration,
        now: Timestamp,
    ) -> PushAnswer {
        let Ok(target) = self.http.target(&to.endpoint) else { return PushAnswer::Gone };
        let text = serde_json::to_vec(message).expect("a message is plain JSON");
        let Some(body) = encryption::encrypt(&to.keys, &text) else { return PushAnswer::Gone };
        let token = self.key.token(&target.origin(), &self.contact, now);
        let authorization = format!("vapid t={token}, k={}", self.public_key);
        let mut headers = HeaderMap::new();
        let header = |text: &str| HeaderValue::from_str(text).expect("the text is ASCII");
        headers.insert(AUTHORIZATION, header(&authorization));
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("aes128gcm"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
        headers.insert(TTL, HeaderValue::from(lifetime.as_secs().min(MAX_TTL)));
        headers.insert(URGENCY, HeaderValue::from_static("high"));
        // A topic has at most 32 letters of base64url, which an id without hyphens fits.
        let topic: String = message.tag.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
        headers.insert(TOPIC, header(&topic));
        let request = OutgoingRequest { method: Method::POST, target, headers, body: Bytes::from(body) };
        match self.http.send(request).await {
            Ok(response) => answer(response.status),
            Err(error) => PushAnswer::Later(error.to_string()),
        }
    }
}

fn answer(status: StatusCode) -> PushAnswer {
    match status {
        StatusCode::NOT_FOUND | StatusCode::GONE => PushAnswer::Gone,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => PushAnswer::Later(status.to_string()),
        status if status.is_success() => PushAnswer::Accepted,
        status if status.is_server_error() => PushAnswer::Later(status.to_string()),
        status => PushAnswer::Refused(status),
    }
}

/// Reads the keys of a subscription in base64url, with or without padding.
pub(crate) fn read_keys(public_key: &str, auth_secret: &str) -> Option<PushKeys> {
    let read = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
    let public_key = read(public_key)?.try_into().ok()?;
    let auth_secret = read(auth_secret)?.try_into().ok()?;
    Some(PushKeys { public_key, auth_secret })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_push_services_decide_what_happens_next() {
        assert_eq!(answer(StatusCode::CREATED), PushAnswer::Accepted);
        assert_eq!(answer(StatusCode::GONE), PushAnswer::Gone);
        assert_eq!(answer(StatusCode::NOT_FOUND), PushAnswer::Gone);
        assert_eq!(answer(StatusCode::FOUND), PushAnswer::Refused(StatusCode::FOUND));
        assert_eq!(answer(StatusCode::FORBIDDEN), PushAnswer::Refused(StatusCode::FORBIDDEN));
        assert!(matches!(answer(StatusCode::TOO_MANY_REQUESTS), PushAnswer::Later(_)));
        assert!(matches!(answer(StatusCode::BAD_GATEWAY), PushAnswer::Later(_)));
    }
}
