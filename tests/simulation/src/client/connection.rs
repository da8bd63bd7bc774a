//! The WebSocket connection of a simulated client.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use quadrex_protocol::{ClientFrame, SUBPROTOCOL, ServerFrame, UserId};
use quadrex_runtime::simulation::SimulatedSocket;
use quadrex_tests::Guest;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::Place;
use crate::trace::virtual_now;

/// The time after which a client gives up a connection on which nothing arrives.
const SILENCE: Duration = Duration::from_secs(25);

/// The interval at which a client checks its connection.
const PING_INTERVAL: Duration = Duration::from_secs(10);

/// The size of the read buffer, in bytes. It is filled with zeros before each read, so it is small.
const READ_BUFFER: usize = 4_096;

/// A connection of a user. The auditor sees all frames that arrive on it.
pub(super) struct Connection {
    websocket: WebSocketStream<SimulatedSocket>,
    pub(super) place: Place,
    pub(super) me: UserId,
    /// The name of the server.
    server: String,
    last_received: Instant,
    next_ping: Instant,
}

impl Connection {
    /// Connects and identifies the user.
    ///
    /// # Errors
    /// If the connection breaks.
    pub(super) async fn open(place: &Place, guest: &Guest) -> Result<Self> {
        let mut request = "ws://10.255.0.0/ws".into_client_request()?;
        let headers = request.headers_mut();
        headers.insert("Sec-WebSocket-Protocol", HeaderValue::from_static(SUBPROTOCOL));
        let config = WebSocketConfig::default().read_buffer_size(READ_BUFFER);
        let (socket, server) = place.connect()?;
        let shaking = tokio_tungstenite::client_async_with_config(request, socket, Some(config));
        let (websocket, _) = timeout(SILENCE, shaking).await.context("no handshake in time")??;
        let now = virtual_now();
        let mut connection = Self {
            websocket,
            place: place.clone(),
            me: guest.user.id,
            server,
            last_received: now,
            next_ping: now + PING_INTERVAL,
        };
        connection.send(&ClientFrame::Hello { token: Some(guest.token.clone()) }).await?;
        Ok(connection)
    }

    pub(super) async fn send(&mut self, frame: &ClientFrame) -> Result<()> {
        let text = serde_json::to_string(frame)?;
        timeout(SILENCE, self.websocket.send(Message::text(text))).await.context("cannot send in time")??;
        Ok(())
    }

    /// Closes the connection.
    pub(super) async fn close(mut self) {
        // An error means that the connection is broken already.
        timeout(SILENCE, self.websocket.close(None)).await.ok();
    }

    /// Waits for the next frame until a moment. Returns `None` at that moment.
    ///
    /// # Errors
    /// If the connection ends or is silent for too long.
    pub(super) async fn next_until(&mut self, moment: Instant) -> Result<Option<ServerFrame>> {
        loop {
            let given_up = self.last_received + SILENCE;
            let wake = moment.min(given_up).min(self.next_ping);
            let message = match timeout_at(wake, self.websocket.next()).await {
                Ok(Some(message)) => message?,
                Ok(None) => bail!("the connection ended"),
                Err(_) => {
                    let now = virtual_now();
                    if now >= given_up {
                        bail!("nothing arrived for {SILENCE:?}");
                    }
                    if now >= self.next_ping {
                        self.next_ping = now + PING_INTERVAL;
                        self.send(&ClientFrame::Ping {}).await?;
                    }
                    if now >= moment {
                        return Ok(None);
                    }
                    continue;
                }
            };
            self.last_received = virtual_now();
            let sent_at = self.websocket.get_mut().take_sent_at();
            match message {
                Message::Text(text) => {
                    let frame =
                        serde_json::from_str(&text).with_context(|| format!("reading the frame {text}"))?;
                    let Place { auditor, name, .. } = &self.place;
                    auditor.frame(name, self.me, &frame);
                    if let Some(sent_at) = sent_at {
                        auditor.frame_sent(name, &self.server, &frame, sent_at);
                    }
                    return Ok(Some(frame));
                }
                Message::Close(frame) => bail!("the server closed: {frame:?}"),
                _ => {}
            }
        }
    }
}
