//! The browser client's files, built into the program.

use std::borrow::Cow;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use quadrex_protocol::RefusalCode;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::etag::Tagged;
use super::link_preview::Place;
use super::refusal::Refusal;
use super::state::{App, Peer};

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

/// Answers a GET that no route has: a file of the client, a page, or 404; that one to a browser that wants a page with
/// the client's own page about it.
pub(crate) async fn file(State(app): State<App>, peer: Peer, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(place) = Place::of(path) {
        return page(&app, place, peer, &headers).await;
    }
    match Client::get(path) {
        Some(file) => answer(path, &file, &headers),
        None if wants_page(&headers) => {
            // It is no answer to a question about tags.
            let mut untagged = headers;
            untagged.remove(header::IF_NONE_MATCH);
            (StatusCode::NOT_FOUND, page(&app, Place::Nowhere, peer, &untagged).await).into_response()
        }
        None => Refusal::new(RefusalCode::NotFound, "there is nothing here").into_response(),
    }
}

/// The client's page as it stands at a place.
async fn page(app: &App, place: Place<'_>, peer: Peer, headers: &HeaderMap) -> Response {
    let Some(index) = Client::get(INDEX) else { return Html(NOT_BUILT).into_response() };
    let page = app.page_of(place, &String::from_utf8_lossy(&index.data), peer, headers).await;
    let answer =
        Tagged { caching: "no-cache", kind: "text/html; charset=utf-8", data: page.into() }.answer(headers);
    // Its head is in the language that is asked for.
    ([(header::VARY, "Accept-Language")], answer).into_response()
}

/// Whether who asks is a browser that goes to a page, and not one that loads a part of one, or a program.
fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|list| list.contains("text/html"))
}

fn answer(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let caching = match path.starts_with(HASHED) {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let data = match &file.data {
        Cow::Borrowed(built_in) => Bytes::from_static(built_in),
        Cow::Owned(read) => Bytes::copy_from_slice(read),
    };
    let kind = file.metadata.mimetype();
    Tagged { caching, kind, data }.answer_hashed(headers, &file.metadata.sha256_hash())
}
