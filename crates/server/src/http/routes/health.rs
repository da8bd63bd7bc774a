//! The routes of health checks.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::refusal::Refusal;
use crate::http::state::AppState;

/// The value of `Retry-After` while the server has no lease, in seconds.
const RETRY_AFTER: &str = "2";

/// Answers that the server runs.
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// Answers whether the server is ready. The server is ready if it has just renewed its lease, which
/// proves that the database accepts writes, and if the server is not about to stop.
pub(crate) async fn readyz(State(state): State<AppState>) -> (StatusCode, String) {
    match state.lease.unready_reason() {
        None => (StatusCode::OK, "ready\n".to_owned()),
        Some(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")),
    }
}

/// Refuses all requests except health checks while the server has no lease, because another server
/// may run the tables.
pub(crate) async fn fence(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if matches!(request.uri().path(), "/healthz" | "/readyz") {
        return next.run(request).await;
    }
    if state.lease.is_held_after_wait().await {
        let answer = next.run(request).await;
        // The lease may have expired while the request was handled. If it has been renewed since
        // then, no other server had the lease in the meantime.
        if state.lease.is_held_after_wait().await {
            return answer;
        }
    }
    ([(header::RETRY_AFTER, RETRY_AFTER)], Refusal::closing()).into_response()
}
