//! The WebSocket connection of a simulated client.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use quadrex_protocol::{ClientFrame, MatchId, SUBPROTOCOL, ServerFrame, TableId, UserId};
use quadrex_runtime::simulation::SimulatedSocket;
use quadrex_tests::Guest;
use quadrex_tests::table_mirror::TableMirror;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;

use super::Place;
use crate::trace::virtual_now;

/// The time after which a client gives up a connection on which nothing arrives.
const SILENCE: Duration = Duration::from_secs(25);

/// The interval at which a client checks its connection.
const PING_INTERVAL: Duration = Duration::from_secs(10);

/// A connection of a client that watches one table.
pub(super) struct Session {
    websocket: WebSocketStream<SimulatedSocket>,
    place: Place,
    table: TableId,
    me: Option<UserId>,
    last_received: Instant,
    next_ping: Instant,
}

impl Session {
    /// Connects, and watches the table from the last event of the mirror on.
    ///
    /// # Errors
    /// If the connection breaks.
    pub(super) async fn open(
        place: &Place,
        guest: &Guest,
        table: TableId,
        mirror: Option<&TableMirror>,
    ) -> Result<Self> {
        let mut request = "ws://10.255.0.0/ws".into_client_request()?;
        let headers = request.headers_mut();
        headers.insert("Sec-WebSocket-Protocol", HeaderValue::from_static(SUBPROTOCOL));
        let shaking = tokio_tungstenite::client_async(request, place.connect()?);
        let (websocket, _) = timeout(SILENCE, shaking).await.context("no handshake in time")??;
        let now = virtual_now();
        let mut session = Self {
            websocket,
            place: place.clone(),
            table,
            me: Some(guest.user.id),
            last_received: now,
            next_ping: now + PING_INTERVAL,
        };
        session.send(&ClientFrame::Hello { token: Some(guest.token.clone()) }).await?;
        let known = mirror.map(|mirror| (mirror.match_id(), mirror.seq()));
        session.watch(known).await?;
        Ok(session)
    }

    /// Watches the table from the last known event on.
    pub(super) async fn watch(&mut self, known: Option<(MatchId, u64)>) -> Result<()> {
        let (match_id, after) = known.unzip();
        let table = self.table;
        self.send(&ClientFrame::Watch { table, match_id, after, secret: None, preview: false }).await
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
            match message {
                Message::Text(text) => {
                    return serde_json::from_str(&text)
                        .map(Some)
                        .with_context(|| format!("reading the frame {text}"));
                }
                Message::Close(frame) => bail!("the server closed: {frame:?}"),
                _ => {}
            }
        }
    }

    /// Applies a frame to the mirror of the table. Everything that is wrong in it is a violation.
    /// Returns true if the mirror has changed.
    ///
    /// # Errors
    /// If the client must read the table again, because it missed something.
    pub(super) async fn apply(
        &mut self,
        mirror: &mut Option<TableMirror>,
        frame: &ServerFrame,
    ) -> Result<bool> {
        let auditor = self.place.auditor.clone();
        let name = self.place.name.clone();
        let applied = match frame {
            ServerFrame::Snapshot { table, match_id, seq, view } if *table == self.table => {
                for entry in &view.history {
                    auditor.event(&name, *match_id, entry);
                }
                TableMirror::new(*match_id, *seq, (**view).clone()).map(|new| {
                    if let Some(old) = mirror.replace(new.clone())
                        && !new.continues(&old)
                    {
                        auditor.violation(&name, "the snapshot contradicts earlier events");
                    }
                })
            }
            ServerFrame::Watching { table, match_id, seq } if *table == self.table => match mirror {
                Some(mirror) => mirror.go_on(*match_id, *seq),
                None => Err(anyhow::anyhow!("`watching` without a snapshot")),
            },
            ServerFrame::Event { table, match_id, entry, state, legal_moves, .. } if *table == self.table => {
                auditor.event(&name, *match_id, entry);
                match mirror {
                    Some(mirror) if mirror.match_id() == *match_id => {
                        mirror.take(entry, state, legal_moves.as_ref(), self.me)
                    }
                    Some(_) | None => Err(anyhow::anyhow!("an event of {match_id}, which is not watched")),
                }
            }
            ServerFrame::Skip { table, match_id, seq } if *table == self.table => match mirror {
                Some(mirror) => mirror.skip(*match_id, *seq),
                None => Err(anyhow::anyhow!("`skip` without a snapshot")),
            },
            _ => return Ok(false),
        };
        if let Err(error) = applied {
            auditor.violation(&name, format_args!("{error:#}"));
            *mirror = None;
            self.watch(None).await?;
        }
        Ok(true)
    }
}
