//! The checks that every request must pass before a route handles it. The request must name one of
//! our hosts. If the request can change something, it must not come from a page of another site.

use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use quadrex_protocol::RefusalCode;

use super::refusal::Refusal;
use super::state::AppState;

/// The paths of health checks, which may use any host name.
const HEALTH: [&str; 2] = ["/healthz", "/readyz"];

/// The path of WebSockets. Requests for it are checked although their method is `GET`, because a
/// page of any site can open a WebSocket.
const WEBSOCKET: &str = "/ws";

/// The header by which browsers mark requests from pages of other sites (Fetch Metadata, section
/// 2.4).
const FETCH_SITE: &str = "sec-fetch-site";

/// Passes a request on to its route, or refuses it.
pub(crate) async fn check(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let path = request.uri().path();
    if !HEALTH.contains(&path) {
        state.origins.check_host(request.headers())?;
    }
    if path == WEBSOCKET {
        check_sender(&state, request.headers())?;
    } else if !changes_nothing(request.method()) {
        check_sender(&state, request.headers())?;
        if !request.body().is_end_stream() {
            check_content_type(request.headers())?;
        }
    }
    Ok(next.run(request).await)
}

/// Refuses a request that comes from a page of another site, even if it has no cookie.
fn check_sender(state: &AppState, headers: &HeaderMap) -> Result<(), Refusal> {
    if headers.get_all(header::ORIGIN).iter().nth(1).is_some() {
        return Err(Refusal::new(RefusalCode::BadOrigin, "a request has one Origin, this one has several"));
    }
    if headers.get(FETCH_SITE).is_some_and(|site| site == "cross-site") {
        return Err(Refusal::new(RefusalCode::BadOrigin, "the request comes from a page of another site"));
    }
    // A browser never adds a bearer token by itself, so a program has sent the request.
    if headers.contains_key(header::AUTHORIZATION) && !headers.contains_key(header::UPGRADE) {
        return Ok(());
    }
    state.origins.check_if_named(headers)
}

/// Refuses a body that is not JSON. A page of any site can send a form, and a form can send bodies
/// of other types, but not JSON.
fn check_content_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let content_type =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let refusal = Refusal::new(RefusalCode::Malformed, "a body must have the Content-Type application/json");
    Err(refusal.with_status(StatusCode::UNSUPPORTED_MEDIA_TYPE))
}

/// Returns whether requests with this method change nothing.
pub(crate) fn changes_nothing(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}
