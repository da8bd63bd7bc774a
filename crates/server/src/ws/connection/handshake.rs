//! The opening handshake of a connection (RFC 6455, section 4.2).

use axum::body::Body;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::SEC_WEBSOCKET_PROTOCOL;
use axum::response::Response;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use quadrex_protocol::{RefusalCode, SUBPROTOCOL};
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;

use crate::http::Refusal;
use crate::http::TimedStream;

/// A valid request for a WebSocket that has not been answered yet.
#[derive(Debug)]
pub(super) struct Handshake {
    /// The response that opens the connection.
    pub(super) response: Response,
    /// The future of the connection, which is ready once the response has been sent.
    pub(super) upgrade: OnUpgrade,
}

impl Handshake {
    /// Validates a request for a WebSocket.
    pub(super) fn new(mut request: Request) -> Result<Self, Refusal> {
        let not_a_websocket = |reason: &dyn std::fmt::Display| {
            Refusal::new(RefusalCode::Malformed, format_args!("this is for WebSockets: {reason}"))
        };
        let mut response =
            create_response_with_body(&request, Body::empty).map_err(|error| not_a_websocket(&error))?;
        if !requests_subprotocol(&request) {
            let message = format_args!("ask for the WebSocket subprotocol {SUBPROTOCOL}");
            return Err(Refusal::new(RefusalCode::Malformed, message));
        }
        response.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(SUBPROTOCOL));
        let upgrade = request.extensions_mut().remove();
        let upgrade = upgrade.ok_or_else(|| not_a_websocket(&"the connection cannot be upgraded"))?;
        Ok(Self { response, upgrade })
    }
}

fn requests_subprotocol(request: &Request) -> bool {
    let lines = request.headers().get_all(SEC_WEBSOCKET_PROTOCOL).iter();
    let mut names = lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
    names.any(|name| name.trim() == SUBPROTOCOL)
}

/// Returns the connection after the handshake, and the bytes that the client has already sent after
/// its request. Returns `None` if the connection broke during the handshake.
///
/// The bytes are copied, because a reference to them would keep the whole buffer of the handshake
/// in memory.
pub(super) async fn upgraded(upgrade: OnUpgrade) -> Option<(TimedStream, Vec<u8>)> {
    let upgraded = match upgrade.await {
        Ok(upgraded) => upgraded,
        Err(error) => {
            tracing::debug!("a connection broke during its handshake: {error}");
            return None;
        }
    };
    let parts = upgraded.downcast::<TokioIo<TimedStream>>().expect("every connection is a TimedStream");
    Some((parts.io.into_inner(), parts.read_buf.to_vec()))
}
