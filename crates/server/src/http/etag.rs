//! Answers that a browser may keep, and asks again for by their tag (RFC 9110, section 8.8.3).

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quadrex_protocol::hex;
use sha2::{Digest, Sha256};

/// Something to be sent with how long it may be kept and what it is.
#[derive(Clone, Debug)]
pub(crate) struct Tagged<'a> {
    /// `Cache-Control`.
    pub(crate) caching: &'a str,
    /// `Content-Type`.
    pub(crate) kind: &'a str,
    /// What.
    pub(crate) data: Bytes,
}

impl Tagged<'_> {
    /// The answer; without the data if the browser has it.
    pub(crate) fn answer(self, headers: &HeaderMap) -> Response {
        let hash = Sha256::digest(&self.data);
        self.answer_hashed(headers, &hash)
    }

    /// The same for data whose hash is known.
    pub(crate) fn answer_hashed(self, headers: &HeaderMap, hash: &[u8]) -> Response {
        let tag = entity_tag(hash);
        let about = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, self.caching.to_owned())];
        if names(headers, &tag) {
            return (StatusCode::NOT_MODIFIED, about).into_response();
        }
        (about, [(header::CONTENT_TYPE, self.kind.to_owned())], self.data).into_response()
    }
}

fn entity_tag(hash: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&hash[..hash.len().min(12)]))
}

/// Whether `If-None-Match` names this tag (RFC 9110, section 13.1.2: a list, `W/` ignored, or `*`).
fn names(headers: &HeaderMap, tag: &str) -> bool {
    let Some(list) = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    list.split(',').map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_browser_has_is_not_sent_again() {
        let mut headers = HeaderMap::new();
        let tag = entity_tag(&[7; 32]);
        assert!(!names(&headers, &tag));
        headers.insert(header::IF_NONE_MATCH, format!("\"x\", W/{tag}").parse().unwrap());
        assert!(names(&headers, &tag));
        headers.insert(header::IF_NONE_MATCH, "\"x\"".parse().unwrap());
        assert!(!names(&headers, &tag));
    }
}
