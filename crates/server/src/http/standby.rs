//! The responses of a standby server, which runs but is not ready.

use std::io;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;

use super::refusal::Refusal;
use super::routes::healthz;

/// The value of `Retry-After`, in seconds.
const RETRY_AFTER: &str = "2";

/// Answers requests until the future is dropped. The answer to `/healthz` is the usual one. The
/// answer to all other requests has the status 503.
///
/// # Errors
/// Returns an error if the listener fails.
pub(crate) async fn stand_by(listener: TcpListener) -> io::Result<()> {
    let router = Router::new().route("/healthz", get(healthz)).fallback(not_ready);
    axum::serve(listener, router).await
}

async fn not_ready() -> impl IntoResponse {
    let refusal = Refusal::closing().into_response_with(StatusCode::SERVICE_UNAVAILABLE);
    // Clients must open a new connection for their next request. An open connection would stay with
    // this standby router even when the server has taken over.
    ([(header::RETRY_AFTER, RETRY_AFTER), (header::CONNECTION, "close")], refusal)
}
