//! Health checks.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::refusal::Refusal;
use crate::http::state::AppState;

/// The value of `Retry-After` of a server without a lease, in seconds.
const RETRY_AFTER: &str = "2";

/// Answers that the server runs.
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// Answers whether the server can work: its lease was renewed a moment ago, which is a write to the
/// database, and it is not about to stop.
pub(crate) async fn readyz(State(state): State<AppState>) -> (StatusCode, String) {
    match state.lease.unready() {
        None => (StatusCode::OK, "ready\n".to_owned()),
        Some(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")),
    }
}

/// Refuses everything but health checks while the server has no lease: another server may run the
/// tables.
pub(crate) async fn fence(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if matches!(request.uri().path(), "/healthz" | "/readyz") {
        return next.run(request).await;
    }
    if state.lease.is_regained().await {
        let answer = next.run(request).await;
        // It may have run out while the answer was made. A lease that came back was nobody else's
        // meanwhile.
        if state.lease.is_regained().await {
            return answer;
        }
    }
    ([(header::RETRY_AFTER, RETRY_AFTER)], Refusal::closing()).into_response()
}
