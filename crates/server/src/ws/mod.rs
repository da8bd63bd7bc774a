//! The WebSocket, over which clients and server exchange the frames of the protocol.

mod connection;
mod incoming;
mod rate_limit;

use axum::Router;
use axum::routing::any;

use crate::http::AppState;

/// Returns the route of the WebSocket.
pub(crate) fn routes() -> Router<AppState> {
    Router::new().route("/ws", any(connection::open))
}
