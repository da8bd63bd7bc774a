//! The opening handshake of a line (RFC 6455, section 4.2), and the connection it leaves.

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
use crate::http::Timed;

/// A handshake that can be answered.
#[derive(Debug)]
pub(super) struct Handshake {
    /// The answer that opens the line.
    pub(super) response: Response,
    /// The connection, once that answer has been sent.
    pub(super) upgrade: OnUpgrade,
}

impl Handshake {
    /// Checks what the client asks for.
    pub(super) fn new(mut request: Request) -> Result<Self, Refusal> {
        let no_websocket = |reason: &dyn std::fmt::Display| {
            Refusal::new(RefusalCode::Malformed, format_args!("this is for WebSockets: {reason}"))
        };
        let mut response =
            create_response_with_body(&request, Body::empty).map_err(|error| no_websocket(&error))?;
        if !asks_for_subprotocol(&request) {
            let message = format_args!("ask for the WebSocket subprotocol {SUBPROTOCOL}");
            return Err(Refusal::new(RefusalCode::Malformed, message));
        }
        response.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(SUBPROTOCOL));
        let upgrade = request.extensions_mut().remove();
        let upgrade = upgrade.ok_or_else(|| no_websocket(&"the connection cannot be upgraded"))?;
        Ok(Self { response, upgrade })
    }
}

fn asks_for_subprotocol(request: &Request) -> bool {
    let lines = request.headers().get_all(SEC_WEBSOCKET_PROTOCOL).iter();
    let mut names = lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
    names.any(|name| name.trim() == SUBPROTOCOL)
}

/// The connection after the handshake, and what the client has sent on it already. `None` if it broke before.
///
/// Those bytes are copied: even none of them would keep the whole buffer that the handshake was read into.
pub(super) async fn upgraded(upgrade: OnUpgrade) -> Option<(Timed, Vec<u8>)> {
    let upgraded = match upgrade.await {
        Ok(upgraded) => upgraded,
        Err(error) => {
            tracing::debug!("a line broke while it was opened: {error}");
            return None;
        }
    };
    let parts = upgraded.downcast::<TokioIo<Timed>>().expect("every connection is timed");
    Some((parts.io.into_inner(), parts.read_buf.to_vec()))
}
