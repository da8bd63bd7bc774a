//! The browser client's files, built into the program.

use std::borrow::Cow;

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use quadrex_protocol::{RefusalCode, TableId};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::refuse::Refusal;

/// `crates/web/dist` as it was when the program was built; empty if the client had not been built.
#[derive(RustEmbed)]
#[folder = "../web/dist/"]
#[allow_missing = true]
struct Client;

/// The page every client starts from.
const INDEX: &str = "index.html";

/// The folder whose file names hold a hash of their content, so that they never change.
const HASHED: &str = "assets/";

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Quadrex</title>\
     <h1>Quadrex is running</h1>\
     <p>The browser client is not part of this build. <code>cargo xtask run</code> builds both; programs can \
     play over <code>/ws</code> without it.</p></html>";

/// Answers a GET that no route has: a file of the client, the page itself, or 404.
pub(super) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if is_page(path) {
        return match Client::get(INDEX) {
            Some(index) => answer(INDEX, &index, &headers),
            None => Html(NOT_BUILT).into_response(),
        };
    }
    match Client::get(path) {
        Some(file) => answer(path, &file, &headers),
        None => Refusal::new(RefusalCode::NotFound, "there is nothing here").into_response(),
    }
}

/// Whether a path is one of the client's own places: the lobby or a table.
fn is_page(path: &str) -> bool {
    path.is_empty()
        || path == INDEX
        || path.strip_prefix("t/").is_some_and(|id| id.parse::<TableId>().is_ok())
}

fn answer(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let tag = entity_tag(&file.metadata.sha256_hash());
    let caching = match path.starts_with(HASHED) {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let about = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, caching.to_owned())];
    if names(headers, &tag) {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    let kind = (header::CONTENT_TYPE, file.metadata.mimetype().to_owned());
    let data = match &file.data {
        Cow::Borrowed(built_in) => Bytes::from_static(built_in),
        Cow::Owned(read) => Bytes::copy_from_slice(read),
    };
    (about, [kind], data).into_response()
}

fn entity_tag(hash: &[u8; 32]) -> String {
    use std::fmt::Write;
    let mut tag = String::from("\"");
    for byte in &hash[..12] {
        write!(tag, "{byte:02x}").expect("a string takes all");
    }
    tag.push('"');
    tag
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
    fn only_the_clients_own_places_are_pages() {
        for page in ["", "index.html", "t/0192f0c1-2345-7000-8000-000000000000"] {
            assert!(is_page(page), "{page}");
        }
        for other in
            ["t/", "t/7", "t/0192f0c1-2345-7000-8000-000000000000/x", "x", "assets/", "../Cargo.toml"]
        {
            assert!(!is_page(other), "{other}");
        }
    }

    #[test]
    fn a_file_the_browser_has_is_not_sent_again() {
        let mut headers = HeaderMap::new();
        let tag = entity_tag(&[7; 32]);
        assert!(!names(&headers, &tag));
        headers.insert(header::IF_NONE_MATCH, format!("\"x\", W/{tag}").parse().unwrap());
        assert!(names(&headers, &tag));
        headers.insert(header::IF_NONE_MATCH, "\"x\"".parse().unwrap());
        assert!(!names(&headers, &tag));
    }
}
