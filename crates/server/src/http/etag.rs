//! Responses that a browser may cache and revalidate by their entity tag (RFC 9110, section 8.8.3).

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quadrex_protocol::hex;
use sha2::{Digest, Sha256};

/// A response that a browser may cache.
#[derive(Clone, Debug)]
pub(crate) struct Cacheable<'a> {
    /// The value of the header `Cache-Control`.
    pub(crate) cache_control: &'a str,
    /// The value of the header `Content-Type`.
    pub(crate) content_type: &'a str,
    /// The body of the response.
    pub(crate) body: Bytes,
}

impl Cacheable<'_> {
    /// Returns the response. If the browser has the body already, the response has no body and the
    /// status 304.
    pub(crate) fn respond(self, headers: &HeaderMap) -> Response {
        let hash = Sha256::digest(&self.body);
        self.respond_with_hash(headers, &hash)
    }

    /// Returns the response for a body whose hash is known.
    pub(crate) fn respond_with_hash(self, headers: &HeaderMap, hash: &[u8]) -> Response {
        let tag = entity_tag(hash);
        let validators =
            [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, self.cache_control.to_owned())];
        if matches_etag(headers, &tag) {
            return (StatusCode::NOT_MODIFIED, validators).into_response();
        }
        (validators, [(header::CONTENT_TYPE, self.content_type.to_owned())], self.body).into_response()
    }
}

fn entity_tag(hash: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&hash[..hash.len().min(12)]))
}

/// Returns whether the header `If-None-Match` matches this tag. The header is `*` or a list of
/// tags. The prefix `W/` of a tag is ignored (RFC 9110, section 13.1.2).
fn matches_etag(headers: &HeaderMap, tag: &str) -> bool {
    let Some(list) = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    list.split(',')
        .map(str::trim)
        .any(|known_tag| known_tag == "*" || known_tag.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cached_body_is_not_sent_again() {
        let mut headers = HeaderMap::new();
        let tag = entity_tag(&[7; 32]);
        assert!(!matches_etag(&headers, &tag));
        headers.insert(header::IF_NONE_MATCH, format!("\"x\", W/{tag}").parse().unwrap());
        assert!(matches_etag(&headers, &tag));
        headers.insert(header::IF_NONE_MATCH, "\"x\"".parse().unwrap());
        assert!(!matches_etag(&headers, &tag));
    }
}
