//! Whether the server is well, for whoever watches over it.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::refusal::Refusal;
use crate::http::state::App;

/// Seconds after which a client is to ask a server again that has no lease.
const RETRY_AFTER: &str = "2";

/// The server runs.
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// The server can do its work: its lease was renewed a moment ago, which is a write to the database, and it is not about to
/// stop.
pub(crate) async fn readyz(State(app): State<App>) -> (StatusCode, String) {
    match app.lease.unready() {
        None => (StatusCode::OK, "ready\n".to_owned()),
        Some(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")),
    }
}

/// Answers nothing but questions for the server's health while it has no lease: another server may run the tables.
pub(crate) async fn fence(State(app): State<App>, request: Request, next: Next) -> Response {
    if matches!(request.uri().path(), "/healthz" | "/readyz") {
        return next.run(request).await;
    }
    if app.lease.is_regained().await {
        let answer = next.run(request).await;
        // It may have run out while the answer was made. A lease that came back was nobody else's meanwhile.
        if app.lease.is_regained().await {
            return answer;
        }
    }
    ([(header::RETRY_AFTER, RETRY_AFTER)], Refusal::closing()).into_response()
}
