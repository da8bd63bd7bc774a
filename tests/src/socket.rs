//! The WebSocket handshake of every test client.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::SUBPROTOCOL;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::header::SEC_WEBSOCKET_PROTOCOL;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue, StatusCode};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, tungstenite};

use crate::PATIENCE;

/// One WebSocket connection.
pub type Socket = WebSocketStream<TcpStream>;

/// Makes the WebSocket handshake with additional headers and this configuration. The inner error is
/// the status of a refusing server.
///
/// # Errors
/// If the server does not answer, or does not accept the subprotocol.
pub async fn shake_hands(
    address: SocketAddr,
    headers: &[(HeaderName, &str)],
    config: WebSocketConfig,
) -> Result<Result<Socket, StatusCode>> {
    shake_hands_on(TcpStream::connect(address).await?, headers, config).await
}

/// Like [`shake_hands`], on a connection that is already open.
///
/// # Errors
/// As [`shake_hands`].
pub async fn shake_hands_on(
    stream: TcpStream,
    headers: &[(HeaderName, &str)],
    config: WebSocketConfig,
) -> Result<Result<Socket, StatusCode>> {
    let address = stream.peer_addr()?;
    let mut request = format!("ws://{address}/ws").into_client_request()?;
    request.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(SUBPROTOCOL));
    for (name, value) in headers {
        request.headers_mut().insert(name, HeaderValue::from_str(value)?);
    }
    stream.set_nodelay(true)?;
    let shaking = tokio_tungstenite::client_async_with_config(request, stream, Some(config));
    let (socket, response) = match timeout(PATIENCE, shaking).await.context("waiting for the handshake")? {
        Ok(shaken) => shaken,
        Err(tungstenite::Error::Http(response)) => return Ok(Err(response.status())),
        Err(error) => return Err(error.into()),
    };
    let agreed = response.headers().get(SEC_WEBSOCKET_PROTOCOL);
    ensure!(agreed.is_some_and(|name| name == SUBPROTOCOL), "the subprotocol is {agreed:?}");
    Ok(Ok(socket))
}
