//! The browser client's files, built into the program.

use std::borrow::Cow;

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use quadrex_protocol::{MatchId, RefusalCode, TableId, UserId};
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

/// Answers a GET that no route has: a file of the client, the page itself, or 404; that one to a browser that wants a
/// page with the client's own page about it.
pub(super) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if is_page(path) {
        return page(&headers);
    }
    match Client::get(path) {
        Some(file) => answer(path, &file, &headers),
        None if wants_page(&headers) => (StatusCode::NOT_FOUND, page(&HeaderMap::new())).into_response(),
        None => Refusal::new(RefusalCode::NotFound, "there is nothing here").into_response(),
    }
}

fn page(headers: &HeaderMap) -> Response {
    match Client::get(INDEX) {
        Some(index) => answer(INDEX, &index, headers),
        None => Html(NOT_BUILT).into_response(),
    }
}

/// Whether a path is one of the client's own places.
fn is_page(path: &str) -> bool {
    match path.split_once('/') {
        None => ["", INDEX, "archive", "analysis", "rules", "settings"].contains(&path),
        Some(("t", id)) => id.parse::<TableId>().is_ok(),
        Some(("m", id)) => id.parse::<MatchId>().is_ok(),
        Some(("u", id)) => id.parse::<UserId>().is_ok(),
        Some(("rules", chapter)) => {
            let letter = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
            !chapter.is_empty() && chapter.bytes().all(letter)
        }
        Some(_) => false,
    }
}

/// Whether who asks is a browser that goes to a page, and not one that loads a part of one, or a program.
fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|list| list.contains("text/html"))
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
        let id = "0192f0c1-2345-7000-8000-000000000000";
        for page in
            ["", "index.html", "archive", "analysis", "rules", "rules/d8", "rules/going-out", "settings"]
        {
            assert!(is_page(page), "{page}");
        }
        for place in ["t", "m", "u"] {
            assert!(is_page(&format!("{place}/{id}")), "{place}");
            for wrong in
                [format!("{place}/"), format!("{place}/7"), format!("{place}/{id}/x"), place.to_owned()]
            {
                assert!(!is_page(&wrong), "{wrong}");
            }
        }
        for other in
            ["x", "assets/", "../Cargo.toml", "rules/", "rules/a/b", "rules/../x", "archive/x", "a/b"]
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
