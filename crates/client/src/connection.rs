//! One WebSocket connection to a server.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{ClientFrame, RefusalCode, SUBPROTOCOL, ServerFrame};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::http::header::SEC_WEBSOCKET_PROTOCOL;
use tokio_tungstenite::tungstenite::http::{HeaderValue, StatusCode};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::address::Address;
use crate::stream::{self, Duplex};

/// The time limit for the handshake and for sending a frame.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The time without a frame from the server after which the connection counts as broken. A working
/// server answers pings in this time.
pub(crate) const MAX_SILENCE: Duration = Duration::from_secs(45);

/// The interval at which pings are sent. The answers contain the numbers of the last events, so the
/// client notices missed events.
pub(crate) const PING_INTERVAL: Duration = Duration::from_secs(15);

/// A connection after its handshake.
#[derive(Debug)]
pub struct Connection {
    socket: WebSocketStream<Box<dyn Duplex>>,
}

/// The reason why a connection failed or ended.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// The server cannot be reached.
    #[error("cannot connect to {0}: {1}")]
    Connect(Address, std::io::Error),
    /// The server does not open a WebSocket, but answers with this HTTP status.
    #[error("{0} does not open a connection: it answers {1}")]
    Status(Address, StatusCode),
    /// The server has another protocol, or another version of the protocol.
    #[error("{0} does not speak {SUBPROTOCOL}")]
    Protocol(Address),
    /// The server refuses the first frame, for example because it does not know the token.
    #[error("the server refuses the connection: {1}")]
    Refused(RefusalCode, String),
    /// The server has sent nothing for too long.
    #[error("the server does not answer")]
    Silent,
    /// The server closed the connection, with this code, if the server gave a code.
    #[error("the server closed the connection{}", .0.as_ref().map(|code| format!(" with {code}")).unwrap_or_default())]
    Closed(Option<u16>),
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Broken(#[from] Box<Error>),
}

impl ConnectionError {
    /// Returns true if a further attempt would fail in the same way.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Protocol(_) | Self::Refused(RefusalCode::BadToken, _))
    }
}

impl Connection {
    /// Connects and signs in with the token, if there is one. Returns the connection and the user
    /// that the server reports.
    ///
    /// # Errors
    /// Returns [`ConnectionError`] if the server cannot be reached or refuses the connection.
    pub async fn open(
        address: &Address,
        token: Option<&str>,
    ) -> Result<(Self, Option<UserView>), ConnectionError> {
        let stream = stream::connect(address).await;
        let stream = stream.map_err(|error| ConnectionError::Connect(address.clone(), error))?;
        let scheme = if address.is_secure { "wss" } else { "ws" };
        let url = format!("{scheme}://{}/ws", address.authority());
        let mut request = url.into_client_request().map_err(Box::new)?;
        request.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(SUBPROTOCOL));
        let handshake = timeout(TIMEOUT, tokio_tungstenite::client_async(request, stream)).await;
        let socket = match handshake.map_err(|_| ConnectionError::Silent)? {
            Ok((socket, _)) => socket,
            Err(Error::Http(answer)) => {
                return Err(ConnectionError::Status(address.clone(), answer.status()));
            }
            Err(Error::Protocol(ProtocolError::SecWebSocketSubProtocolError(_))) => {
                return Err(ConnectionError::Protocol(address.clone()));
            }
            Err(error) => return Err(Box::new(error).into()),
        };
        let mut connection = Self { socket };
        connection.send(&ClientFrame::Hello { token: token.map(str::to_owned) }).await?;
        loop {
            let frame = timeout(TIMEOUT, connection.next()).await.map_err(|_| ConnectionError::Silent)??;
            match frame {
                ServerFrame::Welcome { protocol, user, .. } if protocol == SUBPROTOCOL => {
                    return Ok((connection, user));
                }
                ServerFrame::Welcome { .. } => return Err(ConnectionError::Protocol(address.clone())),
                ServerFrame::Refused { code, message, .. } => {
                    return Err(ConnectionError::Refused(code, message));
                }
                _ => {}
            }
        }
    }

    /// Sends a frame.
    ///
    /// # Errors
    /// Returns [`ConnectionError`] if the connection has ended, or if the server accepts no more
    /// data.
    pub async fn send(&mut self, frame: &ClientFrame) -> Result<(), ConnectionError> {
        self.feed(frame).await?;
        self.flush().await
    }

    /// Queues a frame, which [`Self::flush`] sends. If the future is dropped, the frame is not
    /// queued.
    pub(crate) async fn feed(&mut self, frame: &ClientFrame) -> Result<(), ConnectionError> {
        let text = serde_json::to_string(frame).expect("a frame is JSON");
        match timeout(TIMEOUT, self.socket.feed(Message::text(text))).await {
            Ok(queued) => Ok(queued.map_err(Box::new)?),
            Err(_) => Err(ConnectionError::Silent),
        }
    }

    /// Sends the queued frames. If the future is dropped, the next call continues.
    pub(crate) async fn flush(&mut self) -> Result<(), ConnectionError> {
        match timeout(TIMEOUT, self.socket.flush()).await {
            Ok(sent) => Ok(sent.map_err(Box::new)?),
            Err(_) => Err(ConnectionError::Silent),
        }
    }

    /// Waits for the next frame of a known type. Nothing is lost if the future is dropped.
    ///
    /// # Errors
    /// Returns [`ConnectionError`] if the connection has ended.
    pub async fn next(&mut self) -> Result<ServerFrame, ConnectionError> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
                    Ok(frame) => return Ok(frame),
                    // A newer server may send frames of unknown types, which are ignored.
                    Err(error) => tracing::debug!("a frame is ignored: {error}"),
                },
                Some(Ok(Message::Close(frame))) => {
                    return Err(ConnectionError::Closed(frame.map(|frame| frame.code.into())));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(Box::new(error).into()),
                None => return Err(ConnectionError::Closed(None)),
            }
        }
    }

    /// Closes the connection. Waits for the server's answer for a limited time.
    pub async fn close(mut self) {
        timeout(TIMEOUT, self.socket.close(None)).await.ok();
    }
}
