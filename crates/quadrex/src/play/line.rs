//! The connection over which everything live goes.

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

use super::address::Address;
use super::stream::{self, Duplex};

/// How long a greeting, or sending, may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the server may be silent: it answers our pings, and sends its own.
pub(super) const SILENCE: Duration = Duration::from_secs(45);

/// How often to ask the server whether anything was missed.
pub(super) const PING: Duration = Duration::from_secs(15);

/// A connection that was greeted.
pub(super) struct Line {
    socket: WebSocketStream<Box<dyn Duplex>>,
}

/// Why there is no line, or none any more.
#[derive(Debug, thiserror::Error)]
pub(super) enum LineError {
    #[error("cannot connect to {0}: {1}")]
    Connect(Address, std::io::Error),
    #[error("{0} does not open a line: it answers {1}")]
    Status(Address, StatusCode),
    #[error("{0} does not speak {SUBPROTOCOL}")]
    Protocol(Address),
    #[error("the server refuses the greeting: {1}")]
    Refused(RefusalCode, String),
    #[error("the server says nothing any more")]
    Silent,
    #[error("the server closed the line{}", .0.as_ref().map(|code| format!(" with {code}")).unwrap_or_default())]
    Closed(Option<u16>),
    #[error("the line broke: {0}")]
    Broken(#[from] Box<Error>),
}

impl LineError {
    /// Whether it will be the same however often it is tried.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Protocol(_) | Self::Refused(RefusalCode::BadToken, _))
    }
}

impl Line {
    /// Connects and says hello; who the server says one is.
    pub(super) async fn open(address: &Address, token: &str) -> Result<(Self, Option<UserView>), LineError> {
        let stream = stream::connect(address).await;
        let stream = stream.map_err(|error| LineError::Connect(address.clone(), error))?;
        let scheme = if address.is_secure { "wss" } else { "ws" };
        let url = format!("{scheme}://{}/ws", address.authority());
        let mut request = url.into_client_request().map_err(Box::new)?;
        request.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(SUBPROTOCOL));
        let shaking = timeout(PATIENCE, tokio_tungstenite::client_async(request, stream)).await;
        let socket = match shaking.map_err(|_| LineError::Silent)? {
            Ok((socket, _)) => socket,
            Err(Error::Http(answer)) => return Err(LineError::Status(address.clone(), answer.status())),
            Err(Error::Protocol(ProtocolError::SecWebSocketSubProtocolError(_))) => {
                return Err(LineError::Protocol(address.clone()));
            }
            Err(error) => return Err(Box::new(error).into()),
        };
        let mut line = Self { socket };
        line.send(&ClientFrame::Hello { token: Some(token.to_owned()) }).await?;
        loop {
            let frame = timeout(PATIENCE, line.next()).await.map_err(|_| LineError::Silent)??;
            match frame {
                ServerFrame::Welcome { protocol, user, .. } if protocol == SUBPROTOCOL => {
                    return Ok((line, user));
                }
                ServerFrame::Welcome { .. } => return Err(LineError::Protocol(address.clone())),
                ServerFrame::Refused { code, message, .. } => return Err(LineError::Refused(code, message)),
                _ => {}
            }
        }
    }

    /// Sends a frame.
    pub(super) async fn send(&mut self, frame: &ClientFrame) -> Result<(), LineError> {
        let text = serde_json::to_string(frame).expect("a frame is JSON");
        match timeout(PATIENCE, self.socket.send(Message::text(text))).await {
            Ok(sent) => Ok(sent.map_err(Box::new)?),
            Err(_) => Err(LineError::Silent),
        }
    }

    /// The next frame that is known here. Given up in between, nothing is lost.
    pub(super) async fn next(&mut self) -> Result<ServerFrame, LineError> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
                    Ok(frame) => return Ok(frame),
                    // A newer server may say what we do not know; it must not matter.
                    Err(error) => tracing::debug!("a frame is passed over: {error}"),
                },
                Some(Ok(Message::Close(frame))) => {
                    return Err(LineError::Closed(frame.map(|frame| frame.code.into())));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(Box::new(error).into()),
                None => return Err(LineError::Closed(None)),
            }
        }
    }

    /// Says goodbye, as far as anybody listens.
    pub(super) async fn close(mut self) {
        timeout(PATIENCE, self.socket.close(None)).await.ok();
    }
}
