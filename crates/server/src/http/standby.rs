//! What a server answers that stands by: it lives, and is not ready.

use std::io;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;

use super::refusal::Refusal;
use super::routes::healthz;

/// Seconds after which a client is to ask again.
const RETRY_AFTER: &str = "2";

/// Answers until it is dropped: `/healthz` as ever, all else with 503.
///
/// # Errors
/// If the listener breaks.
pub(crate) async fn stand_by(listener: TcpListener) -> io::Result<()> {
    let router = Router::new().route("/healthz", get(healthz)).fallback(unready);
    axum::serve(listener, router).await
}

async fn unready() -> impl IntoResponse {
    let refusal = Refusal::closing().with_status(StatusCode::SERVICE_UNAVAILABLE);
    // A connection kept open would stay with a server that stands by.
    ([(header::RETRY_AFTER, RETRY_AFTER), (header::CONNECTION, "close")], refusal)
}
