//! A WebSocket client for tests. It processes frames in order, mirrors each watched table, and
//! sends a command again if its answer was lost.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;

use anyhow::{Context, Result, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::{
    ClientFrame, CommandId, RefusalCode, RequestAction, SUBPROTOCOL, ServerFrame, TableId, UserId,
};
use quadrex_rules::{Color, Move, Request};
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::http::{HeaderName, StatusCode};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};

use crate::PATIENCE;
use crate::http::Guest;
use crate::socket::{self, Socket};
use crate::table_mirror::TableMirror;

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The command was accepted; contains the number of its last event.
    Ack(u64),
    /// The command was refused.
    Refused(RefusalCode, String),
}

/// Something that was received from the server.
#[derive(Clone, Debug, PartialEq)]
pub enum Received {
    /// A frame.
    Frame(Box<ServerFrame>),
    /// The server closed the connection with this code.
    Closed(u16),
    /// The connection broke without a close frame.
    Lost,
}

/// The error of a client that waits for a frame when its connection ends.
#[derive(Debug)]
struct ConnectionEnded(Received);

impl fmt::Display for ConnectionEnded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the connection ended: {:?}", self.0)
    }
}

impl std::error::Error for ConnectionEnded {}

/// Returns whether the error of a client means that its connection has ended.
pub fn is_end_of_connection(error: &anyhow::Error) -> bool {
    error.is::<ConnectionEnded>() || error.is::<tungstenite::Error>()
}

/// One WebSocket connection.
pub struct Client {
    socket: Socket,
    guest: Option<Guest>,
    /// The user of the connection, as returned by the server.
    me: Option<UserId>,
    tables: BTreeMap<TableId, TableMirror>,
    /// The reason for each table that the client may not watch.
    unseen: BTreeMap<TableId, RefusalCode>,
    answers: BTreeMap<CommandId, Answer>,
    commands: u64,
    is_cut: bool,
}

impl Client {
    /// Connects and makes the WebSocket handshake, without sending `hello`.
    ///
    /// # Errors
    /// If the server does not accept the connection or the subprotocol.
    pub async fn connect(address: SocketAddr) -> Result<Self> {
        let taken = Self::connect_with(address, &[]).await?;
        taken.map_err(|status| anyhow::anyhow!("the handshake was answered with {status}"))
    }

    /// Connects with additional headers in the handshake. The inner error is the status of a
    /// refusing server.
    ///
    /// # Errors
    /// If the server does not answer, or does not accept the subprotocol.
    pub async fn connect_with(
        address: SocketAddr,
        headers: &[(HeaderName, &str)],
    ) -> Result<Result<Self, StatusCode>> {
        let socket = match socket::shake_hands(address, headers, WebSocketConfig::default()).await? {
            Ok(socket) => socket,
            Err(status) => return Ok(Err(status)),
        };
        Ok(Ok(Self {
            socket,
            guest: None,
            me: None,
            tables: BTreeMap::new(),
            unseen: BTreeMap::new(),
            answers: BTreeMap::new(),
            commands: 0,
            is_cut: false,
        }))
    }

    /// Connects and sends `hello`, as this guest or without a user.
    ///
    /// # Errors
    /// If there is no `welcome`, or it is for another user.
    pub async fn open(address: SocketAddr, guest: Option<&Guest>) -> Result<Self> {
        let mut client = Self::connect(address).await?;
        client.guest = guest.cloned();
        let token = guest.map(|guest| guest.token.clone());
        client.send(&ClientFrame::Hello { token }).await?;
        match client.next().await? {
            ServerFrame::Welcome { protocol, user, .. } => {
                ensure!(protocol == SUBPROTOCOL, "the server speaks {protocol}");
                ensure!(user.as_ref() == guest.map(|guest| &guest.user), "welcome {user:?}");
            }
            other => bail!("{other:?} instead of `welcome`"),
        }
        Ok(client)
    }

    /// Connects again after the connection broke, and requests only the missed events of each
    /// watched table.
    ///
    /// # Errors
    /// If the connection cannot be made, or the server does not resume it.
    pub async fn reconnect(&mut self, address: SocketAddr) -> Result<()> {
        if !self.is_cut {
            // Frames that had arrived before the connection broke are processed first, because they
            // may contain events and answers.
            while let Received::Frame(_) = self.receive().await? {}
        }
        let fresh = Self::open(address, self.guest.as_ref()).await?;
        (self.socket, self.is_cut) = (fresh.socket, false);
        for (table, watched) in self.tables.clone() {
            let (match_id, after) = (Some(watched.match_id()), Some(watched.seq()));
            self.send(&ClientFrame::Watch { table, match_id, after, secret: None, preview: false }).await?;
        }
        Ok(())
    }

    /// Closes the socket without a close frame. Data that has not arrived yet is lost.
    ///
    /// # Errors
    /// If the socket cannot be closed.
    pub async fn cut(&mut self) -> Result<()> {
        self.is_cut = true;
        Ok(self.socket.get_mut().shutdown().await?)
    }

    /// Returns the guest of this client.
    ///
    /// # Errors
    /// If the client has no user.
    pub fn guest(&self) -> Result<&Guest> {
        self.guest.as_ref().context("this client has no user")
    }

    /// Sends a frame.
    ///
    /// # Errors
    /// If the connection is broken.
    pub async fn send(&mut self, frame: &ClientFrame) -> Result<()> {
        self.send_text(serde_json::to_string(frame)?).await
    }

    /// Sends a text message.
    ///
    /// # Errors
    /// If the connection is broken.
    pub async fn send_text(&mut self, text: impl Into<String>) -> Result<()> {
        let text: String = text.into();
        timeout(PATIENCE, self.socket.send(Message::text(text))).await.context("sending")??;
        Ok(())
    }

    /// Sends a binary message, which the protocol does not allow.
    ///
    /// # Errors
    /// If the connection is broken.
    pub async fn send_binary(&mut self, bytes: Vec<u8>) -> Result<()> {
        timeout(PATIENCE, self.socket.send(Message::binary(bytes))).await.context("sending")??;
        Ok(())
    }

    /// Waits for the next frame or for the end of the connection. Events update the table mirrors.
    ///
    /// # Errors
    /// If nothing arrives in time, or the frame violates the protocol.
    pub async fn receive(&mut self) -> Result<Received> {
        match self.receive_text().await? {
            Ok(text) => {
                let frame = serde_json::from_str(&text).with_context(|| format!("reading {text}"))?;
                self.take(&frame)?;
                Ok(Received::Frame(Box::new(frame)))
            }
            Err(end) => Ok(end),
        }
    }

    /// Waits until the server closes the connection, and returns the code.
    ///
    /// # Errors
    /// If the connection breaks, or does not end in time.
    pub async fn close_code(&mut self) -> Result<u16> {
        loop {
            match self.receive().await? {
                Received::Closed(code) => return Ok(code),
                Received::Lost => bail!("the connection is lost"),
                Received::Frame(_) => {}
            }
        }
    }

    /// Waits for the next text message. The inner error is the end of the connection.
    ///
    /// # Errors
    /// If nothing arrives, or a message that is not text.
    pub async fn receive_text(&mut self) -> Result<Result<String, Received>> {
        let is_frame = |message: &Option<tungstenite::Result<Message>>| {
            !matches!(message, Some(Ok(Message::Ping(_) | Message::Pong(_))))
        };
        let frame = async {
            loop {
                let message = self.socket.next().await;
                if is_frame(&message) {
                    return message;
                }
            }
        };
        Ok(match timeout(PATIENCE, frame).await.context("waiting for a frame")? {
            Some(Ok(Message::Text(text))) => Ok(text.as_str().to_owned()),
            Some(Ok(Message::Close(frame))) => {
                Err(Received::Closed(frame.context("closed without a code")?.code.into()))
            }
            Some(Ok(other)) => bail!("the server sent {other:?}"),
            Some(Err(_)) | None => Err(Received::Lost),
        })
    }

    /// Waits for the next frame.
    ///
    /// # Errors
    /// If nothing arrives or the connection ends.
    pub async fn next(&mut self) -> Result<ServerFrame> {
        match self.receive().await? {
            Received::Frame(frame) => Ok(*frame),
            ended => Err(ConnectionEnded(ended).into()),
        }
    }

    /// Receives frames until `is_there` returns true. `what` describes the condition in the error.
    ///
    /// # Errors
    /// If it does not become true in time.
    pub async fn until(&mut self, what: &str, is_there: impl Fn(&Self) -> bool) -> Result<()> {
        while !is_there(self) {
            self.next().await.with_context(|| format!("waiting for {what}"))?;
        }
        Ok(())
    }

    /// Receives frames until event `seq` of a table has arrived.
    ///
    /// # Errors
    /// If the event does not arrive in time.
    pub async fn until_seq(&mut self, table: TableId, seq: u64) -> Result<&TableMirror> {
        let is_there = |client: &Self| client.tables.get(&table).is_some_and(|watched| watched.seq() >= seq);
        self.until(&format!("event {seq}"), is_there).await?;
        self.table(table)
    }

    /// Receives frames until `pick` returns a value for one of them.
    ///
    /// # Errors
    /// If no such frame arrives in time.
    pub async fn find<T>(&mut self, what: &str, pick: impl Fn(ServerFrame) -> Option<T>) -> Result<T> {
        loop {
            let frame = self.next().await.with_context(|| format!("waiting for {what}"))?;
            if let Some(found) = pick(frame) {
                return Ok(found);
            }
        }
    }

    fn take(&mut self, frame: &ServerFrame) -> Result<()> {
        match frame {
            ServerFrame::Welcome { user, .. } => self.me = user.as_ref().map(|user| user.id),
            ServerFrame::Snapshot { table, match_id, seq, view } => {
                self.unseen.remove(table);
                let watched = TableMirror::new(*match_id, *seq, (**view).clone())?;
                if let Some(known) = self.tables.insert(*table, watched.clone()) {
                    watched.ensure_continues(&known).with_context(|| format!("at {table}"))?;
                }
            }
            ServerFrame::Event { table, match_id, entry, state, legal_moves, .. } => {
                let watched =
                    self.tables.get_mut(table).with_context(|| format!("{table} is not watched"))?;
                ensure!(watched.match_id() == *match_id, "an event of another match: {match_id}");
                watched.take(entry, state, legal_moves.as_ref(), self.me)?;
            }
            ServerFrame::Watching { table, match_id, seq } => {
                let watched = self.tables.get_mut(table).with_context(|| format!("{table} is new"))?;
                watched.go_on(*match_id, *seq)?;
            }
            ServerFrame::Skip { table, match_id, seq } => {
                let watched =
                    self.tables.get_mut(table).with_context(|| format!("{table} is not watched"))?;
                watched.skip(*match_id, *seq)?;
            }
            ServerFrame::Ack { cmd, seq, .. } => {
                self.answers.insert(cmd.clone(), Answer::Ack(*seq));
            }
            ServerFrame::Refused { cmd: Some(cmd), code, message, .. } => {
                ensure!(!message.is_empty(), "a refusal without a message: {frame:?}");
                self.answers.insert(cmd.clone(), Answer::Refused(*code, message.clone()));
            }
            ServerFrame::Refused { cmd: None, table: Some(table), code, message, .. } => {
                ensure!(!message.is_empty(), "a refusal without a message: {frame:?}");
                self.unseen.insert(*table, *code);
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the reason why this client may not watch a table, or may not watch it any more.
    pub fn unseen(&self, table: TableId) -> Option<RefusalCode> {
        self.unseen.get(&table).copied()
    }

    /// Returns this client's mirror of a table.
    ///
    /// # Errors
    /// If the client does not watch the table.
    pub fn table(&self, table: TableId) -> Result<&TableMirror> {
        self.tables.get(&table).with_context(|| format!("{table} is not watched"))
    }

    /// Watches a table and waits for its snapshot.
    ///
    /// # Errors
    /// If no snapshot arrives.
    pub async fn watch(&mut self, table: TableId) -> Result<&TableMirror> {
        self.watch_with(table, None).await
    }

    /// Watches a private table with the secret of a link.
    ///
    /// # Errors
    /// If no snapshot arrives.
    pub async fn watch_with(&mut self, table: TableId, secret: Option<String>) -> Result<&TableMirror> {
        self.send(&ClientFrame::Watch { table, match_id: None, after: None, secret, preview: false }).await?;
        let is_it = |frame| match frame {
            ServerFrame::Snapshot { table: of, .. } if of == table => Some(Ok(())),
            ServerFrame::Refused { table: Some(of), code, message, cmd: None, .. } if of == table => {
                Some(Err(anyhow::anyhow!("refused, {code:?}: {message}")))
            }
            _ => None,
        };
        self.find("the snapshot", is_it).await??;
        self.table(table)
    }

    /// Returns an id for the next command.
    ///
    /// # Panics
    /// Never, because the ids are short.
    pub fn next_command_id(&mut self) -> CommandId {
        self.commands += 1;
        format!("c{}", self.commands).parse().expect("a letter and a number are a valid id")
    }

    /// Waits for the answer to a command that was sent.
    ///
    /// # Errors
    /// If no answer arrives.
    pub async fn answer(&mut self, cmd: &CommandId) -> Result<Answer> {
        self.until(&format!("the answer to {cmd}"), |client| client.answers.contains_key(cmd)).await?;
        self.answers.remove(cmd).context("the answer is there")
    }

    /// Removes and returns the answer to a command, if it has arrived.
    pub fn early_answer(&mut self, cmd: &CommandId) -> Option<Answer> {
        self.answers.remove(cmd)
    }

    /// Sends a command and waits for its answer.
    ///
    /// # Errors
    /// If no answer arrives.
    pub async fn ask(&mut self, command: &ClientFrame) -> Result<Answer> {
        let cmd = command.command_id().context("this frame is not a command")?.clone();
        self.send(command).await?;
        self.answer(&cmd).await
    }

    /// Sends a command that the server must accept. Returns the number of its last event.
    ///
    /// # Errors
    /// If the command is refused.
    pub async fn accepted(&mut self, command: &ClientFrame) -> Result<u64> {
        match self.ask(command).await? {
            Answer::Ack(seq) => Ok(seq),
            Answer::Refused(code, message) => bail!("{command:?} was refused, {code:?}: {message}"),
        }
    }

    /// Sends a command that the server must refuse. Returns the code.
    ///
    /// # Errors
    /// If the command is accepted.
    pub async fn refused(&mut self, command: &ClientFrame) -> Result<RefusalCode> {
        match self.ask(command).await? {
            Answer::Ack(seq) => bail!("{command:?} was accepted as {seq}"),
            Answer::Refused(code, _) => Ok(code),
        }
    }

    /// Returns the command to take a seat.
    pub fn sit(&mut self, table: TableId, seat: Option<Color>, invite: Option<&str>) -> ClientFrame {
        ClientFrame::Sit {
            table,
            cmd: self.next_command_id(),
            seat,
            invite: invite.map(str::to_owned),
            nonce: None,
            match_id: None,
        }
    }

    /// Returns the command to make a move on the board of this client's mirror.
    ///
    /// # Errors
    /// If the client does not watch the table.
    pub fn mv(&mut self, table: TableId, mv: Move) -> Result<ClientFrame> {
        let at = self.table(table)?.seq();
        Ok(ClientFrame::Move {
            table,
            cmd: self.next_command_id(),
            after: at,
            mv,
            claim_draw: false,
            seat: None,
            match_id: None,
        })
    }

    /// Returns the command to resign.
    pub fn resign(&mut self, table: TableId) -> ClientFrame {
        ClientFrame::Resign { table, cmd: self.next_command_id(), seat: None, match_id: None }
    }

    /// Returns the command for a draw offer or an answer to one.
    pub fn draw(&mut self, table: TableId, action: RequestAction) -> ClientFrame {
        self.request(table, Request::Draw, action)
    }

    /// Returns the command for a request or an answer to one.
    pub fn request(&mut self, table: TableId, request: Request, action: RequestAction) -> ClientFrame {
        ClientFrame::Request {
            table,
            cmd: self.next_command_id(),
            request,
            action,
            seat: None,
            match_id: None,
        }
    }

    /// Returns the command to send a chat message.
    pub fn chat(&mut self, table: TableId, room: Room, text: &str) -> ClientFrame {
        ClientFrame::Chat {
            table,
            cmd: self.next_command_id(),
            room,
            message: ChatMessage::Text(text.to_owned()),
            seat: None,
            match_id: None,
        }
    }

    /// Returns the command to claim a draw.
    pub fn claim_draw(&mut self, table: TableId) -> ClientFrame {
        ClientFrame::ClaimDraw { table, cmd: self.next_command_id(), seat: None, match_id: None }
    }
}
