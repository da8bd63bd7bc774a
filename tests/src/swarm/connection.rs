//! One connection of the swarm: it watches one table, reconnects by itself, and returns a stream of
//! notices.

use std::net::SocketAddr;
use std::pin::Pin;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use futures_util::stream::SplitStream;
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use quadrex_protocol::{ClientFrame, CommandId, MatchId, RefusalCode, TableId};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};

use super::frames::{Frame, ReceivedEvent};
use crate::PATIENCE;
use crate::socket::{self, Socket};

/// The size of the read and write buffers in bytes. The default of 128 KiB would need 2 GiB for ten
/// thousand connections.
const BUFFER: usize = 4 * 1024;

/// The first and the longest pause before another attempt to connect. The pause doubles after each
/// attempt.
const RETRY: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(640));

/// A sink for frames.
pub(super) type Sender = futures_util::stream::SplitSink<Socket, Message>;

/// Something that a connection reports.
#[derive(Debug)]
pub(super) enum Notice {
    /// The connection is open and has requested the events that it missed. Frames can be sent.
    Up(Sender),
    /// The connection is closed. It will be opened again.
    Down,
    /// All events of a match up to a number, some of which the connection may not see.
    Snapshot {
        /// The id of the match.
        match_id: MatchId,
        /// The number of the last event.
        seq: u64,
        /// The events that the connection may see.
        history: Vec<ReceivedEvent>,
    },
    /// The next event.
    Event {
        /// The id of the match.
        match_id: MatchId,
        /// The event.
        received: ReceivedEvent,
    },
    /// The next event, which the connection may not see.
    Skip {
        /// The id of the match.
        match_id: MatchId,
        /// The number of the event.
        seq: u64,
    },
    /// A command was accepted.
    Ack {
        /// The match whose log contains the command.
        match_id: MatchId,
        /// The id of the command.
        cmd: CommandId,
        /// The number of the command's last event.
        seq: u64,
    },
    /// A frame was refused.
    Refused {
        /// The id of the command, if the frame was a command.
        cmd: Option<CommandId>,
        /// The code of the refusal.
        code: RefusalCode,
        /// The reason, for people.
        message: String,
    },
    /// The server violated the protocol. The connection does not continue.
    Wrong(String),
}

/// The identity, address and table of a connection.
#[derive(Clone, Debug)]
pub(super) struct Watcher {
    pub(super) address: SocketAddr,
    /// The bearer token; `None` for a connection without a user.
    pub(super) token: Option<String>,
    pub(super) table: TableId,
}

/// Returns the endless stream of a connection's notices. It connects when it is first polled, and
/// again whenever the connection broke.
pub(super) fn listen(watcher: Watcher) -> Pin<Box<dyn Stream<Item = Notice> + Send>> {
    let connection = Connection { watcher, socket: SocketState::Disconnected, place: None, tries: 0 };
    Box::pin(futures_util::stream::unfold(connection, |mut connection| async {
        let notice = connection.next().await?;
        Some((notice, connection))
    }))
}

struct Connection {
    watcher: Watcher,
    socket: SocketState,
    /// The number of the last received event, after which the connection resumes.
    place: Option<(MatchId, u64)>,
    /// The number of consecutive failed attempts to connect.
    tries: u32,
}

enum SocketState {
    Disconnected,
    Connected(SplitStream<Socket>),
    /// The server violated the protocol.
    Over,
}

impl Connection {
    async fn next(&mut self) -> Option<Notice> {
        loop {
            match &mut self.socket {
                SocketState::Over => return None,
                SocketState::Disconnected => match self.connect().await {
                    Ok(sender) => return Some(Notice::Up(sender)),
                    Err(_) => self.wait().await,
                },
                SocketState::Connected(stream) => {
                    let notice = match stream.next().await {
                        Some(Ok(Message::Text(text))) => self.receive(&text),
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                        Some(Ok(Message::Close(_)) | Err(_)) | None => {
                            self.socket = SocketState::Disconnected;
                            return Some(Notice::Down);
                        }
                        Some(Ok(other)) => Err(anyhow::anyhow!("the server sent {other:?}")),
                    };
                    match notice {
                        Ok(Some(notice)) => return Some(notice),
                        Ok(None) => {}
                        Err(error) => {
                            self.socket = SocketState::Over;
                            return Some(Notice::Wrong(format!("{error:#}")));
                        }
                    }
                }
            }
        }
    }

    /// Connects, sends `hello`, and requests the missed events.
    async fn connect(&mut self) -> Result<Sender> {
        let Watcher { address, token, table } = self.watcher.clone();
        let (mut sender, stream) = greeted(address, token).await?.split();
        let (match_id, after) = self.place.unzip();
        send(&mut sender, &ClientFrame::Watch { table, match_id, after, secret: None, preview: false })
            .await?;
        (self.socket, self.tries) = (SocketState::Connected(stream), 0);
        Ok(sender)
    }

    async fn wait(&mut self) {
        let (first, last) = RETRY;
        let pause = last.min(first.saturating_mul(1 << self.tries.min(8)));
        self.tries += 1;
        tokio::time::sleep(pause).await;
    }

    /// Parses a frame and checks that its number is the next one, because the server promises each
    /// connection numbers without gaps.
    fn receive(&mut self, text: &str) -> Result<Option<Notice>> {
        Ok(Some(match Frame::read(text)? {
            Frame::Welcome | Frame::Other => return Ok(None),
            Frame::Ack { match_id, cmd, seq } => Notice::Ack { match_id, cmd, seq },
            Frame::Refused { cmd, code, message } => Notice::Refused { cmd, code, message },
            Frame::Snapshot { match_id, seq, history } => {
                if let Some((known, at)) = self.place.filter(|(known, _)| *known == match_id) {
                    ensure!(seq >= at, "{known} was received up to {at}, and then as being at {seq}");
                }
                self.place = Some((match_id, seq));
                Notice::Snapshot { match_id, seq, history }
            }
            Frame::Event { match_id, received } => {
                let here = self.step(received.seq)?;
                ensure!(here == match_id, "an event of {match_id} is received in {here}");
                Notice::Event { match_id, received }
            }
            Frame::Skip { match_id, seq } => {
                let here = self.step(seq)?;
                ensure!(here == match_id, "an event of {match_id} is skipped in {here}");
                Notice::Skip { match_id, seq }
            }
        }))
    }

    fn step(&mut self, seq: u64) -> Result<MatchId> {
        let (match_id, at) = self.place.as_mut().context("received of an event before any snapshot")?;
        ensure!(seq == *at + 1, "{match_id}: event {seq} comes after {at}");
        *at = seq;
        Ok(*match_id)
    }
}

/// Connects and makes the WebSocket handshake, with small buffers.
///
/// # Errors
/// If the server does not accept the connection.
pub async fn open(address: SocketAddr) -> Result<Socket> {
    open_on(TcpStream::connect(address).await?).await
}

/// Makes the WebSocket handshake on an open socket, with small buffers.
///
/// # Errors
/// If the server does not accept the connection.
async fn open_on(stream: TcpStream) -> Result<Socket> {
    let config = WebSocketConfig::default().read_buffer_size(BUFFER).write_buffer_size(0);
    let shaken = socket::shake_hands_on(stream, &[], config).await?;
    shaken.map_err(|status| anyhow::anyhow!("the handshake was answered with {status}"))
}

/// Connects and sends `hello`, with this token or without a user.
///
/// # Errors
/// If the server does not accept the connection, or does not answer with `welcome`.
pub(super) async fn greeted(address: SocketAddr, token: Option<String>) -> Result<Socket> {
    greeted_on(TcpStream::connect(address).await?, token).await
}

/// Like [`greeted`], on an open socket.
///
/// # Errors
/// If the server does not answer with `welcome`.
pub(super) async fn greeted_on(stream: TcpStream, token: Option<String>) -> Result<Socket> {
    let mut socket = open_on(stream).await?;
    send(&mut socket, &ClientFrame::Hello { token }).await?;
    let answer = timeout(PATIENCE, socket.next()).await.context("waiting for a welcome")?;
    let answer = answer.context("closed instead of a welcome")??;
    ensure!(matches!(Frame::read(answer.to_text()?)?, Frame::Welcome), "{answer} instead of a welcome");
    Ok(socket)
}

/// Sends a frame.
///
/// # Errors
/// If the connection is broken.
pub(super) async fn send<S>(sender: &mut S, frame: &ClientFrame) -> Result<(), tungstenite::Error>
where
    S: Sink<Message, Error = tungstenite::Error> + Unpin,
{
    let text = serde_json::to_string(frame).expect("frames are maps with text keys");
    sender.send(Message::text(text)).await
}
