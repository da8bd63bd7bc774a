//! Whether the server is well, for whoever watches over it.

use axum::extract::State;
use axum::http::StatusCode;

use super::app::App;

/// The server runs.
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// The server can do its work: its database answers.
pub(super) async fn readyz(State(app): State<App>) -> (StatusCode, &'static str) {
    match app.lobby.ready().await {
        Ok(()) => (StatusCode::OK, "ready\n"),
        Err(error) => {
            tracing::warn!("not ready: {}", crate::fault::chain(&error));
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
        }
    }
}
