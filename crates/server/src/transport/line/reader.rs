//! The reading half of a line: takes frames one after the other, has them carried out, answers.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::StreamExt;
use futures_util::stream::SplitStream;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::{ClientFrame, CmdId, MatchId, RefusalCode, SUBPROTOCOL, ServerFrame, TableId};
use quadrex_rules::Color;
use tokio::sync::{mpsc, watch};
use tokio::time::MissedTickBehavior;
use tokio_tungstenite::tungstenite::Error as WireError;

use super::lag::Gauge;
use super::writer::{Order, closing};
use crate::auth::{self, Denial, Identity, Key, Token};
use crate::table::{
    self, Answer, Frame, From, Invitation, RoundTrip, Sight, TableHandle, Viewer, Watching, encode,
};
use crate::transport::app::{App, permit, permit_bystander, view_of};
use crate::transport::incoming::{self, Unreadable};
use crate::transport::pace::Pace;
use crate::transport::refuse::Refusal;

/// How long a client has to answer the closing handshake.
const FAREWELL: Duration = Duration::from_secs(2);

/// When a client is to come again after the server has stopped.
const RETRY_AFTER_MS: u64 = 1_000;

/// How many tables' handles a line keeps at hand.
const HANDLES_KEPT: usize = 64;

/// Why a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The client closed it, or it broke.
    ByClient,
    /// We closed it with this code.
    ByUs(u16),
    /// The writer gave it up.
    Unwritable,
}

/// The reading half of a line.
pub(super) struct Reader {
    app: App,
    identity: Identity,
    /// Whether a bearer token says who this is, as programs do.
    is_program: bool,
    greeted: bool,
    gauge: Gauge,
    answers: mpsc::Sender<Order>,
    handles: HashMap<TableId, TableHandle>,
    /// The tables it watches, with what the secret shown for it was worth.
    watching: HashMap<TableId, (Watching, Key)>,
    pace: Pace,
    /// How many frames in a row could not be read.
    rubbish: u32,
}

/// The writer has ended.
struct Unwritable;

impl Reader {
    pub(super) fn new(app: App, identity: Identity, is_program: bool, answers: mpsc::Sender<Order>) -> Self {
        let pace = Pace::new(&app.limits);
        Self {
            app,
            identity,
            is_program,
            greeted: false,
            gauge: Gauge::new(),
            answers,
            handles: HashMap::new(),
            watching: HashMap::new(),
            pace,
            rubbish: 0,
        }
    }

    /// Reads until the line ends, one way or the other.
    pub(super) async fn run(mut self, stream: &mut SplitStream<WebSocket>) -> Ending {
        let dead = self.app.limits.dead;
        let answers = self.answers.clone();
        let mut stop = self.app.closing.clone();
        let mut ping = tokio::time::interval(self.app.limits.ping);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        loop {
            let message = tokio::select! {
                message = tokio::time::timeout(dead, stream.next()) => message,
                () = server_stops(&mut stop) => {
                    let farewell = ServerFrame::Closing { retry_after_ms: RETRY_AFTER_MS };
                    self.answer(Order::Send(encode(&farewell))).await.ok();
                    return self.close(closing::restart()).await;
                }
                _ = ping.tick() => match self.ping().await {
                    Ok(()) => continue,
                    Err(Unwritable) => return Ending::Unwritable,
                },
                () = answers.closed() => return Ending::Unwritable,
            };
            let done = match message {
                Err(_) => return self.close(closing::silent()).await,
                Ok(None | Some(Ok(Message::Close(_)))) => return Ending::ByClient,
                Ok(Some(Err(error))) => return self.end_with(error).await,
                Ok(Some(Ok(Message::Pong(payload)))) => {
                    self.gauge.pong(&payload, self.app.now());
                    continue;
                }
                Ok(Some(Ok(Message::Ping(_)))) => continue,
                Ok(Some(Ok(Message::Binary(_)))) => {
                    let refusal =
                        Refusal::new(RefusalCode::Malformed, "frames are text, this one was binary");
                    self.unreadable(Unreadable { refusal, cmd: None, table: None }).await
                }
                Ok(Some(Ok(Message::Text(text)))) => self.take(&text).await,
            };
            match done {
                Ok(None) => {}
                Ok(Some(frame)) => return self.close(frame).await,
                Err(Unwritable) => return Ending::Unwritable,
            }
        }
    }

    /// Asks the client's side for a sign of life, and measures how long that takes.
    async fn ping(&mut self) -> Result<(), Unwritable> {
        let nonce = self.app.entropy.bytes();
        self.gauge.ping(nonce, self.app.now());
        self.answer(Order::Ping(nonce)).await
    }

    /// The lag that is compensated: of people's lines, not of programs'.
    fn round_trip(&self) -> RoundTrip {
        if self.is_program { RoundTrip::unmeasured() } else { self.gauge.reading() }
    }

    /// Ends a line whose stream has failed.
    async fn end_with(self, error: axum::Error) -> Ending {
        match error.into_inner().downcast_ref::<WireError>() {
            Some(WireError::Capacity(_)) => self.close(closing::too_large()).await,
            Some(WireError::Protocol(_) | WireError::Utf8(_)) => self.close(closing::broken()).await,
            _ => Ending::ByClient,
        }
    }

    async fn close(self, frame: CloseFrame) -> Ending {
        let code = frame.code;
        match self.answers.send(Order::Close(frame)).await {
            Ok(()) => Ending::ByUs(code),
            Err(_) => Ending::Unwritable,
        }
    }

    async fn answer(&self, order: Order) -> Result<(), Unwritable> {
        self.answers.send(order).await.map_err(|_| Unwritable)
    }

    async fn refuse(
        &self,
        refusal: Refusal,
        cmd: Option<CmdId>,
        table: Option<TableId>,
    ) -> Result<(), Unwritable> {
        self.answer(Order::Send(encode(&refusal.frame(cmd, table)))).await
    }

    /// Takes one text frame; gives back how to close, if it was one too many.
    async fn take(&mut self, text: &str) -> Result<Option<CloseFrame>, Unwritable> {
        let limits = &self.app.limits;
        if text.len() > limits.frame_close_bytes {
            return Ok(Some(closing::too_large()));
        }
        if text.len() > limits.frame_bytes {
            let message =
                format!("a frame may have {} bytes, this one has {}", limits.frame_bytes, text.len());
            self.refuse(Refusal::new(RefusalCode::TooLarge, message), None, None).await?;
            return Ok(None);
        }
        let frame = match incoming::read(text) {
            Ok(frame) => frame,
            Err(unreadable) => return self.unreadable(unreadable).await,
        };
        self.rubbish = 0;
        let (cmd, table) = incoming::names(&frame);
        let carried_out = match self.pace.step() {
            // In a box: an idle line keeps no room for all that a frame may bring about.
            Ok(()) => Box::pin(self.carry_out(frame)).await,
            Err(refusal) => Err(refusal),
        };
        match carried_out {
            Ok(Some(order)) => self.answer(order).await?,
            Ok(None) => {}
            Err(refusal) => self.refuse(refusal, cmd, table).await?,
        }
        Ok(None)
    }

    async fn unreadable(&mut self, unreadable: Unreadable) -> Result<Option<CloseFrame>, Unwritable> {
        let Unreadable { refusal, cmd, table } = unreadable;
        self.refuse(refusal, cmd, table).await?;
        self.rubbish += 1;
        Ok((self.rubbish >= self.app.limits.malformed_in_a_row).then(closing::rubbish))
    }

    /// Carries a frame out; gives back what to answer.
    async fn carry_out(&mut self, frame: ClientFrame) -> Result<Option<Order>, Refusal> {
        if let ClientFrame::Hello { token } = frame {
            return self.hello(token).await.map(Some);
        }
        if !self.greeted {
            return Err(Refusal::new(RefusalCode::HelloExpected, "the first frame must be hello"));
        }
        match frame {
            ClientFrame::Hello { .. } => unreachable!("it was taken above"),
            ClientFrame::WatchLobby {} => Ok(Some(Order::ShowList(self.app.lobby.watch().await?))),
            ClientFrame::UnwatchLobby {} => Ok(Some(Order::HideList)),
            ClientFrame::Watch { table, match_id, after, key } => {
                let from = match (match_id, after) {
                    (Some(match_id), Some(after)) => From::After(match_id, after),
                    _ => From::Nothing,
                };
                self.watch(table, from, key.as_deref()).await.map(Some)
            }
            ClientFrame::Unwatch { table } => Ok(self.watching.remove(&table).map(|_| Order::Hide(table))),
            ClientFrame::Sit { table, cmd, seat, invite, nonce } => {
                self.sit(table, cmd, seat, invite, nonce).await.map(Some)
            }
            ClientFrame::Leave { table, cmd, seat } => {
                self.play(table, cmd, seat, table::Action::Leave).await.map(Some)
            }
            ClientFrame::Rematch { table, cmd, act, nonce, seat } => {
                let nonce = nonce.unwrap_or_else(|| table::make_nonce(&self.app.entropy));
                let next = MatchId(self.app.entropy.uuid(self.app.now()));
                self.play(table, cmd, seat, table::Action::Rematch { act, nonce, next }).await.map(Some)
            }
            ClientFrame::Kick { table, cmd, color } => {
                self.act(table, cmd, auth::Action::Kick, None, table::Action::Kick { color }).await.map(Some)
            }
            ClientFrame::Move { table, cmd, at, mv, claim_draw, seat } => {
                self.play(table, cmd, seat, table::Action::Move { at, mv, claim_draw }).await.map(Some)
            }
            ClientFrame::Resign { table, cmd, seat } => {
                self.play(table, cmd, seat, table::Action::Resign).await.map(Some)
            }
            ClientFrame::Resume { table, cmd, seat } => {
                self.play(table, cmd, seat, table::Action::Resume).await.map(Some)
            }
            ClientFrame::Request { table, cmd, request, act, seat } => {
                self.play(table, cmd, seat, table::Action::Request { request, act }).await.map(Some)
            }
            ClientFrame::ClaimDraw { table, cmd, seat } => {
                self.play(table, cmd, seat, table::Action::ClaimDraw).await.map(Some)
            }
            ClientFrame::Chat { table, cmd, room, words, seat } => {
                self.chat(table, cmd, seat, table::Action::Chat { room, words }).await.map(Some)
            }
            ClientFrame::Ping {} => Ok(Some(Order::Send(self.pong()))),
        }
    }

    async fn hello(&mut self, token: Option<String>) -> Result<Order, Refusal> {
        if self.greeted {
            return Err(Refusal::new(RefusalCode::HelloExpected, "hello comes first, and once"));
        }
        if let Some(token) = token {
            self.identity = self.app.identify_by_token(&token).await?;
            self.is_program = true;
        }
        self.greeted = true;
        Ok(Order::Send(encode(&ServerFrame::Welcome {
            protocol: SUBPROTOCOL.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            user: view_of(&self.identity),
        })))
    }

    fn pong(&mut self) -> Frame {
        self.leave_lost();
        let heads: BTreeMap<_, _> =
            self.watching.iter().map(|(&table, (watching, _))| (table, watching.head())).collect();
        encode(&ServerFrame::Pong { heads })
    }

    /// Forgets the tables that this line may watch no more: the writer has said so.
    fn leave_lost(&mut self) {
        self.watching.retain(|_, (watching, key)| {
            permit(&self.identity, &watching.glance(), auth::Action::Watch { key: *key }).is_ok()
        });
    }

    async fn watch(&mut self, table: TableId, from: From, key: Option<&str>) -> Result<Order, Refusal> {
        let key = self.key(key, table).await?;
        let viewer = self.identity.id().map_or(Viewer::Anonymous, Viewer::User);
        for _ in 0..2 {
            let handle = self.handle(table).await?;
            let (glance, action) = (handle.glance(), auth::Action::Watch { key });
            permit(&self.identity, &glance, action)?;
            let parting = permit_bystander(&self.identity, &glance, action).err();
            let sight = if parting.is_some() { Sight::OfParty } else { Sight::Lasting };
            let Ok((watching, feed)) = handle.watch(viewer, sight, self.round_trip(), from).await else {
                self.handles.remove(&table);
                continue;
            };
            if feed.sits {
                self.pace.sit();
            }
            self.watching.insert(table, (watching, key));
            if !self.is_program && !self.gauge.has_asked() {
                self.ping().await.map_err(|Unwritable| Refusal::closing())?;
            }
            let parting = parting.map(|refusal| encode(&refusal.frame(None, Some(table))));
            return Ok(Order::Show { table, viewer, parting, feed: Box::new(feed) });
        }
        Err(Refusal::closing())
    }

    async fn sit(
        &mut self,
        table: TableId,
        cmd: CmdId,
        seat: Option<Color>,
        invite: Option<String>,
        nonce: Option<Nonce>,
    ) -> Result<Order, Refusal> {
        let key = self.key(invite.as_deref(), table).await?;
        let handle = self.handle(table).await?;
        permit(&self.identity, &handle.glance(), auth::Action::Sit { seat, key })?;
        let by = view_of(&self.identity).ok_or(Denial::SignIn)?;
        let invitation = match key {
            Key::Invite { seat } => Some(Invitation { seat }),
            Key::None | Key::Wrong | Key::Spent | Key::Watch => None,
        };
        let action = table::Action::Sit {
            seat,
            invite: invitation,
            nonce: nonce.unwrap_or_else(|| table::make_nonce(&self.app.entropy)),
        };
        let redeem = invite.as_deref().filter(|_| invitation.is_some()).map(Token::hash_of);
        let order = table::Order { by, seat: None, action, cmd: cmd.clone(), redeem };
        let answer = self.command(table, order).await?;
        if let Answer::Done { .. } = answer {
            self.pace.sit();
        }
        ack(table, cmd, answer)
    }

    /// What only those who sit may do.
    async fn play(
        &mut self,
        table: TableId,
        cmd: CmdId,
        seat: Option<Color>,
        action: table::Action,
    ) -> Result<Order, Refusal> {
        self.act(table, cmd, auth::Action::Play, seat, action).await
    }

    /// What only some may do. The table itself refuses all others; it is asked even for them, because a command that
    /// is sent again (a `leave`, say) may have been carried out while its sender sat there.
    async fn act(
        &mut self,
        table: TableId,
        cmd: CmdId,
        right: auth::Action,
        seat: Option<Color>,
        action: table::Action,
    ) -> Result<Order, Refusal> {
        let handle = self.handle(table).await?;
        let permitted = permit(&self.identity, &handle.glance(), right);
        let Some(by) = view_of(&self.identity) else {
            return Err(permitted.err().unwrap_or_else(|| Denial::SignIn.into()));
        };
        let order = table::Order { by, seat, action, cmd: cmd.clone(), redeem: None };
        let answer = self.command(table, order).await?;
        match answer {
            Answer::Done { .. } => self.pace.sit(),
            _ => permitted?,
        }
        ack(table, cmd, answer)
    }

    /// What those who watch may do as well.
    async fn chat(
        &mut self,
        table: TableId,
        cmd: CmdId,
        seat: Option<Color>,
        action: table::Action,
    ) -> Result<Order, Refusal> {
        self.leave_lost();
        let watches = self.watching.contains_key(&table);
        let handle = self.handle(table).await?;
        permit(&self.identity, &handle.glance(), auth::Action::Chat { watches })?;
        let by = view_of(&self.identity).ok_or(Denial::SignIn)?;
        let order = table::Order { by, seat, action, cmd: cmd.clone(), redeem: None };
        ack(table, cmd, self.command(table, order).await?)
    }

    /// Has a command carried out; a table whose actor has just gone is looked for once more.
    async fn command(&mut self, table: TableId, order: table::Order) -> Result<Answer, Refusal> {
        for _ in 0..2 {
            match self.handle(table).await?.command(order.clone()).await {
                Ok(answer) => return Ok(answer),
                Err(table::Gone) => {
                    self.handles.remove(&table);
                }
            }
        }
        Err(Refusal::closing())
    }

    async fn handle(&mut self, table: TableId) -> Result<TableHandle, Refusal> {
        if let Some(handle) = self.handles.get(&table) {
            return Ok(handle.clone());
        }
        let handle = self.app.table(table).await?;
        if self.handles.len() >= HANDLES_KEPT {
            self.handles.clear();
        }
        self.handles.insert(table, handle.clone());
        Ok(handle)
    }

    async fn key(&self, shown: Option<&str>, table: TableId) -> Result<Key, Refusal> {
        let key = self.app.links.key(shown, table, &self.identity, self.app.now()).await;
        key.map_err(|error| self.app.fault("look a link up", &error))
    }
}

/// Waits until the server is about to stop.
async fn server_stops(closing: &mut watch::Receiver<bool>) {
    // An error says that it has stopped without saying so first.
    closing.wait_for(|closing| *closing).await.ok();
}

fn ack(table: TableId, cmd: CmdId, answer: Answer) -> Result<Order, Refusal> {
    match answer {
        Answer::Done { seq } => Ok(Order::Send(encode(&ServerFrame::Ack { table, cmd, seq }))),
        Answer::Refused(rejection) => Err(rejection.into()),
        Answer::InviteUsed => Err(Refusal::bad_invite()),
        Answer::Fault(fault) => Err(Refusal::fault(fault)),
    }
}

/// Reads on to the end of the closing handshake, so that what was written last is not lost with the connection.
pub(super) async fn drain(stream: &mut SplitStream<WebSocket>) {
    let to_the_end = async { while let Some(Ok(_)) = stream.next().await {} };
    // When it takes too long the connection is dropped as it is.
    tokio::time::timeout(FAREWELL, to_the_end).await.ok();
}
