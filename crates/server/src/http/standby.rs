//! The responses of a standby server: it is alive, and not ready.

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

/// Answers until it is dropped: `/healthz` as usual, all other requests with 503.
///
/// # Errors
/// If the listener breaks.
pub(crate) async fn stand_by(listener: TcpListener) -> io::Result<()> {
    let router = Router::new().route("/healthz", get(healthz)).fallback(unready);
    axum::serve(listener, router).await
}

async fn unready() -> impl IntoResponse {
    let refusal = Refusal::closing().into_response_with(StatusCode::SERVICE_UNAVAILABLE);
    // A connection that stays open would stay with the standby server.
    ([(header::RETRY_AFTER, RETRY_AFTER), (header::CONNECTION, "close")], refusal)
}
