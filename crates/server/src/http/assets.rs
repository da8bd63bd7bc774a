//! The files of the browser client, which are built into the program.

use std::borrow::Cow;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use quadrex_protocol::RefusalCode;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::etag::Cacheable;
use super::link_preview::PageUrl;
use super::refusal::Refusal;
use super::state::{AppState, Peer};

/// The files that were in `crates/web/dist` when the program was built. There are no files if the
/// client had not been built before.
#[derive(RustEmbed)]
#[folder = "../web/dist/"]
#[allow_missing = true]
struct Client;

/// The HTML page of the client. It is the answer for the addresses of all pages.
const INDEX: &str = "index.html";

/// The folder of the files whose names contain a hash of their content. Such a file never changes.
const HASHED: &str = "assets/";

/// The page that is shown if the client was not built into the program.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Quadrex</title>\
     <h1>Quadrex is running</h1>\
     <p>The browser client is not part of this build. <code>cargo xtask run</code> builds both; programs can \
     play over <code>/ws</code> without it.</p></html>";

/// Answers a GET for a path without a route. The answer is a file of the client, the client's page,
/// or the status 404. If a browser requests a page that does not exist, the body of the 404 is the
/// client's page.
pub(crate) async fn file(
    State(state): State<AppState>,
    peer: Peer,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(url) = PageUrl::parse(path) {
        return page(&state, url, peer, &headers).await;
    }
    match Client::get(path) {
        Some(file) => serve_file(path, &file, &headers),
        None if wants_page(&headers) => {
            // The error must not be cached.
            let mut uncached = headers;
            uncached.remove(header::IF_NONE_MATCH);
            (StatusCode::NOT_FOUND, page(&state, PageUrl::NotFound, peer, &uncached).await).into_response()
        }
        None => Refusal::new(RefusalCode::NotFound, "there is nothing here").into_response(),
    }
}

/// Returns the client's page. Its head has the link preview of the URL.
async fn page(state: &AppState, url: PageUrl<'_>, peer: Peer, headers: &HeaderMap) -> Response {
    let Some(index) = Client::get(INDEX) else { return Html(NOT_BUILT).into_response() };
    let page = state.page_of(url, &String::from_utf8_lossy(&index.data), peer, headers).await;
    let answer =
        Cacheable { cache_control: "no-cache", content_type: "text/html; charset=utf-8", body: page.into() }
            .respond(headers);
    // The language of the head depends on the request.
    ([(header::VARY, "Accept-Language")], answer).into_response()
}

/// Returns whether a browser requests a page to display. This is false for requests of programs,
/// and for requests for parts of a page.
fn wants_page(headers: &HeaderMap) -> bool {
    let accepted_types = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted_types.is_some_and(|list| list.contains("text/html"))
}

fn serve_file(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let cache_control = match path.starts_with(HASHED) {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let body = match &file.data {
        Cow::Borrowed(built_in) => Bytes::from_static(built_in),
        Cow::Owned(read) => Bytes::copy_from_slice(read),
    };
    let content_type = file.metadata.mimetype();
    Cacheable { cache_control, content_type, body }.respond_with_hash(headers, &file.metadata.sha256_hash())
}
