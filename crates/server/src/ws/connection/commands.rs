//! The dispatch of a client's frames to their handlers. A frame introduces the client, starts or
//! ends a subscription, or contains a command for a table.

use quadrex_cluster::message::SeatOrigin;
use quadrex_protocol::bot::BotChoice;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::TableSettings;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{ClientFrame, CommandId, MatchId, RefusalCode, SUBPROTOCOL, ServerFrame, TableId};
use quadrex_rules::Color;

use super::reader::Reader;
use crate::actor::{ActorGone, Answer, CommandRequest, ResumeFrom, TableHandle, TableOverview, random_nonce};
use crate::auth::{self, Denial, Identity, Key, Link, Token};
use crate::bus::Frame;
use crate::http::{Refusal, permit, view_of};
use crate::limits::{BotMatchPermit, network_text};
use crate::telemetry::audit::{AuditAction, AuditEntry};
use quadrex_table::frames::encode;
use quadrex_table::{self as table, Invitation, PlayerCommand};

/// The table that a command is for, and the match if the command names one.
type CommandTarget = (TableId, Option<MatchId>);

/// The number of table handles that a connection keeps. With a kept handle, the table need not be
/// looked up again.
const MAX_HANDLES: usize = 64;

impl Reader {
    /// Passes a frame to its handler. Returns the answer, unless the handler has put the answer
    /// into the outbox itself.
    pub(super) async fn dispatch(&mut self, frame: ClientFrame) -> Result<Option<Frame>, Refusal> {
        match frame {
            ClientFrame::Hello { token } => self.hello(token).await.map(Some),
            _ if !self.has_greeted => {
                Err(Refusal::new(RefusalCode::HelloExpected, "the first frame must be hello"))
            }
            _ if self.identity.suspension().is_some() && frame.command_id().is_some() => {
                self.refuse_suspended(&frame).await.map(Some)
            }
            ClientFrame::WatchLobby {} => self.watch_lobby().await.map(|()| None),
            ClientFrame::UnwatchLobby {} => {
                self.lobby = None;
                Ok(None)
            }
            ClientFrame::WatchOwnTables {} => self.watch_own_tables().await.map(|()| None),
            ClientFrame::UnwatchOwnTables {} => {
                self.own_tables = None;
                Ok(None)
            }
            ClientFrame::Watch { table, match_id, after, secret, preview } => {
                let resume_from = match (match_id, after) {
                    (Some(match_id), Some(after)) => ResumeFrom::After(match_id, after),
                    _ => ResumeFrom::Nothing,
                };
                self.watch(table, resume_from, secret.as_deref(), preview).await.map(|()| None)
            }
            ClientFrame::Unwatch { table } => {
                self.watching.remove(&table);
                Ok(None)
            }
            ClientFrame::Sit { table, cmd, seat, invite, nonce, match_id } => {
                self.sit((table, match_id), cmd, seat, invite, nonce).await.map(Some)
            }
            ClientFrame::Leave { table, cmd, seat, match_id } => {
                self.player_command((table, match_id), cmd, seat, table::Action::Leave).await.map(Some)
            }
            ClientFrame::Rematch { table, cmd, action, nonce, seat, match_id } => {
                let nonce = nonce.unwrap_or_else(|| random_nonce(&self.state.entropy));
                let next = MatchId(self.state.entropy.uuid(self.state.now()));
                self.player_command(
                    (table, match_id),
                    cmd,
                    seat,
                    table::Action::Rematch { action, nonce, next },
                )
                .await
                .map(Some)
            }
            ClientFrame::Kick { table, cmd, color, match_id } => {
                self.kick((table, match_id), cmd, color).await.map(Some)
            }
            ClientFrame::AddBot { table, cmd, seat, bot, match_id } => {
                self.add_bot((table, match_id), cmd, seat, bot).await.map(Some)
            }
            ClientFrame::Move { table, cmd, after, mv, claim_draw, seat, match_id } => self
                .player_command((table, match_id), cmd, seat, table::Action::Move { after, mv, claim_draw })
                .await
                .map(Some),
            ClientFrame::Resign { table, cmd, seat, match_id } => {
                self.player_command((table, match_id), cmd, seat, table::Action::Resign).await.map(Some)
            }
            ClientFrame::Resume { table, cmd, seat, match_id } => {
                self.player_command((table, match_id), cmd, seat, table::Action::Resume).await.map(Some)
            }
            ClientFrame::Request { table, cmd, request, action, seat, match_id } => self
                .player_command((table, match_id), cmd, seat, table::Action::Request { request, action })
                .await
                .map(Some),
            ClientFrame::ClaimDraw { table, cmd, seat, match_id } => {
                self.player_command((table, match_id), cmd, seat, table::Action::ClaimDraw).await.map(Some)
            }
            ClientFrame::Chat { table, cmd, room, message, seat, match_id } => {
                self.chat((table, match_id), cmd, seat, table::Action::Chat { room, message }).await.map(Some)
            }
            ClientFrame::Ping {} => Ok(Some(self.pong())),
        }
    }

    async fn hello(&mut self, token: Option<String>) -> Result<Frame, Refusal> {
        if self.has_greeted {
            return Err(Refusal::new(RefusalCode::HelloExpected, "hello comes first, and once"));
        }
        if let Some(token) = token {
            // The guard is created first, so that no end of the session is missed.
            let session = self.state.sessions.open(Token::hash_of(&token));
            self.identity = Box::pin(self.state.identify_by_token(&token)).await?;
            self.session = Some(session);
            self.is_program = true;
        }
        self.has_greeted = true;
        let is_suspended = self.identity.suspension().is_some();
        let person = self.identity.user().filter(|user| user.bot.is_none() && !is_suspended);
        self.online = person.map(|user| self.state.lobby.enter(user.id));
        Ok(encode(&ServerFrame::Welcome {
            protocol: SUBPROTOCOL.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            user: view_of(&self.identity),
        }))
    }

    /// Returns the acknowledgement of a command that was committed before its user was suspended.
    /// Refuses any other command of a suspended user, in the same way at every table.
    async fn refuse_suspended(&mut self, frame: &ClientFrame) -> Result<Frame, Refusal> {
        if let (Some(table), Some(command_id)) = (frame.table(), frame.command_id())
            && let Ok(handle) = self.handle(table).await
            && let Some(ack) = self.earlier_ack(&handle, frame.match_id(), command_id).await?
        {
            return Ok(ack);
        }
        let suspension = self.identity.suspension().expect("only a suspended user is refused");
        Err(Refusal::suspended(suspension, self.state.now()))
    }

    async fn sit(
        &mut self,
        (table, match_id): CommandTarget,
        command_id: CommandId,
        seat: Option<Color>,
        invite: Option<String>,
        nonce: Option<Nonce>,
    ) -> Result<Frame, Refusal> {
        let (key, _) = self.key(invite.as_deref(), table).await?;
        let handle = self.handle(table).await?;
        let overview = handle.overview();
        if let Err(denied) = permit(&self.identity, &overview, auth::Action::Sit { seat, key }) {
            return self.earlier_ack(&handle, match_id, &command_id).await?.ok_or(denied);
        }
        let by = self.current_user().await?;
        let invitation = match key {
            Key::Invite { seat } => Some(Invitation { seat }),
            Key::Member => Some(Invitation { seat: None }),
            Key::None | Key::Wrong | Key::Spent | Key::Watch => None,
        };
        let TableSettings { variant, time, rating_range, .. } = overview.settings();
        let rating = match rating_range {
            Some(_) => self.state.lobby.rating_of(by.id, *variant, *time).await?,
            None => None,
        };
        let nonce = nonce.unwrap_or_else(|| random_nonce(&self.state.entropy));
        let action = table::Action::Sit { seat, invite: invitation, nonce, rating };
        let redeemed_invite =
            invite.as_deref().filter(|_| matches!(key, Key::Invite { .. })).map(Token::hash_of);
        let command = PlayerCommand { by, seat: None, action };
        let origin = SeatOrigin { network: network_text(self.address), is_quick_join: false };
        let request =
            CommandRequest { command, command_id: command_id.clone(), match_id, redeemed_invite, origin };
        let answer = self.send_command(table, request).await?;
        if let Answer::Done { .. } = answer {
            self.mark_seated(table);
        }
        ack(table, command_id, answer)
    }

    /// Returns the connection's user with the current name, which may have changed since the
    /// connection was opened.
    async fn current_user(&self) -> Result<UserView, Refusal> {
        let Identity::User { user, rights, .. } = &self.identity else { return Err(Denial::SignIn.into()) };
        let found = Box::pin(self.state.guests.find(user.id)).await;
        let user = found.map_err(|error| self.state.fault("find a user", &error))?;
        let mut user = user.ok_or(Denial::SignIn)?;
        rights.mark(&mut user);
        Ok(user.view())
    }

    async fn add_bot(
        &mut self,
        (table, match_id): CommandTarget,
        command_id: CommandId,
        seat: Option<Color>,
        choice: BotChoice,
    ) -> Result<Frame, Refusal> {
        let handle = self.handle(table).await?;
        let (bot, admitted) = match self.admit_bot(&handle.overview(), &choice).await {
            Ok(admitted) => admitted,
            Err(refusal) => {
                return self.earlier_ack(&handle, match_id, &command_id).await?.ok_or(refusal);
            }
        };
        let action = table::Action::AddBot { seat, bot, nonce: random_nonce(&self.state.entropy) };
        let done = self
            .privileged_command((table, match_id), command_id, auth::Action::AddBot, None, action)
            .await?;
        if let Some(admitted) = admitted {
            admitted.start_at(&self.handle(table).await?);
        }
        Ok(done)
    }

    /// Returns the chosen bot if the user may add it to the table, and a permit if it starts a match in
    /// which only bots play.
    async fn admit_bot(
        &self,
        overview: &TableOverview,
        choice: &BotChoice,
    ) -> Result<(UserView, Option<BotMatchPermit>), Refusal> {
        permit(&self.identity, overview, auth::Action::AddBot)?;
        let bot = Box::pin(self.state.bot(choice, overview.settings().variant)).await?;
        Ok((bot, self.admit_bot_match(overview)?))
    }

    /// Returns a permit if one more bot at the table starts a match in which only bots play.
    /// Otherwise returns `None`.
    fn admit_bot_match(&self, overview: &TableOverview) -> Result<Option<BotMatchPermit>, Refusal> {
        let (seated, open): (Vec<_>, Vec<_>) =
            overview.outline().seats.iter().partition(|seat| seat.user.is_some());
        let are_all_bots = seated.iter().all(|seat| seat.user.as_ref().is_some_and(UserView::is_server_bot));
        match self.identity.id() {
            Some(user) if open.len() == 1 && are_all_bots => {
                Ok(Some(self.state.bot_matches.admit(user, self.address)?))
            }
            _ => Ok(None),
        }
    }

    /// Gives the connection the rate limit and the priority of a player. Its user has a seat at the
    /// table, or had one a moment ago.
    fn mark_seated(&mut self, table: TableId) {
        self.rate_limit.use_player_limit();
        if let Some(watched) = self.watching.get(&table) {
            watched.guard.prioritize();
        }
    }

    async fn kick(
        &mut self,
        target: CommandTarget,
        command_id: CommandId,
        color: Color,
    ) -> Result<Frame, Refusal> {
        let action = table::Action::Kick { color };
        let done = self.privileged_command(target, command_id, auth::Action::Kick, None, action).await?;
        if let Some(host) = self.identity.id() {
            let entry = AuditEntry::new(AuditAction::Kicked).by(host).from(self.address);
            entry.at(target.0).seat(color).record();
        }
        Ok(done)
    }

    /// Handles a command that only a seated player may send.
    async fn player_command(
        &mut self,
        target: CommandTarget,
        command_id: CommandId,
        seat: Option<Color>,
        action: table::Action,
    ) -> Result<Frame, Refusal> {
        self.privileged_command(target, command_id, auth::Action::Play, seat, action).await
    }

    /// Handles a command whose sender must have the right to `permitted_action`.
    ///
    /// The command is sent to the table even if the sender does not have this right. The sender may
    /// have had the right when it sent the command for the first time. If so, the table returns the
    /// answer of that time. Otherwise the table refuses the command.
    async fn privileged_command(
        &mut self,
        (table, match_id): CommandTarget,
        command_id: CommandId,
        permitted_action: auth::Action,
        seat: Option<Color>,
        action: table::Action,
    ) -> Result<Frame, Refusal> {
        // The table knows nothing of scopes.
        self.identity.check_scope(permitted_action.scope())?;
        let handle = self.handle(table).await?;
        let permitted = permit(&self.identity, &handle.overview(), permitted_action);
        let Some(by) = view_of(&self.identity) else {
            return Err(permitted.err().unwrap_or_else(|| Denial::SignIn.into()));
        };
        let command = PlayerCommand { by, seat, action };
        let request = request_of(command, &command_id, match_id);
        let answer = self.send_command(table, request).await?;
        match answer {
            Answer::Done { .. } => self.mark_seated(table),
            // The store has failed, so it is not known whether the command was committed earlier.
            Answer::Fault(_) => {}
            Answer::Refused { .. } | Answer::InviteUsed => permitted?,
        }
        ack(table, command_id, answer)
    }

    /// Handles a chat message. Watchers without a seat may send chat messages too.
    async fn chat(
        &mut self,
        (table, match_id): CommandTarget,
        command_id: CommandId,
        seat: Option<Color>,
        action: table::Action,
    ) -> Result<Frame, Refusal> {
        self.drop_revoked();
        let is_watching = self.watching.contains_key(&table);
        let handle = self.handle(table).await?;
        if let Err(denied) =
            permit(&self.identity, &handle.overview(), auth::Action::Chat { watches: is_watching })
        {
            return self.earlier_ack(&handle, match_id, &command_id).await?.ok_or(denied);
        }
        let by = self.current_user().await?;
        let command = PlayerCommand { by, seat, action };
        let request = request_of(command, &command_id, match_id);
        ack(table, command_id, self.send_command(table, request).await?)
    }

    /// Returns the acknowledgement of a command that was committed earlier. It is needed if a
    /// client sends the command again when its user may no longer send such a command.
    async fn earlier_ack(
        &self,
        handle: &TableHandle,
        match_id: Option<MatchId>,
        command_id: &CommandId,
    ) -> Result<Option<Frame>, Refusal> {
        let Some(user) = self.identity.id() else { return Ok(None) };
        let table = handle.table();
        let match_id = match_id.unwrap_or_else(|| handle.overview().head.match_id);
        let answer = Box::pin(self.state.lobby.earlier_answer(match_id, user, command_id)).await;
        let seq = answer.map_err(|error| self.state.fault("look up a command", &error))?;
        Ok(seq.map(|seq| encode(&ServerFrame::Ack { table, match_id, cmd: command_id.clone(), seq })))
    }

    /// Sends a command to its table. If the table's actor has just ended, the lobby starts another
    /// actor, and the command is sent to this actor.
    async fn send_command(&mut self, table: TableId, request: CommandRequest) -> Result<Answer, Refusal> {
        for _ in 0..2 {
            match self.handle(table).await?.send_command(request.clone()).await {
                Ok(answer) => return Ok(answer),
                Err(ActorGone) => {
                    self.handles.remove(&table);
                }
            }
        }
        Err(Refusal::closing())
    }

    pub(super) async fn handle(&mut self, table: TableId) -> Result<TableHandle, Refusal> {
        if let Some(handle) = self.handles.get(&table).filter(|handle| !handle.is_gone()) {
            return Ok(handle.clone());
        }
        // The future is boxed, so that the future of a move is not as large as that of a read from
        // the store.
        let handle = Box::pin(self.state.table(table)).await?;
        if self.handles.len() >= MAX_HANDLES {
            self.handles.clear();
        }
        self.handles.insert(table, handle.clone());
        Ok(handle)
    }

    /// Returns the right that a secret gives at a table, and its link. A member of the table's group has
    /// a right without a secret.
    pub(super) async fn key(
        &mut self,
        secret_text: Option<&str>,
        table: TableId,
    ) -> Result<(Key, Option<Link>), Refusal> {
        let key = Box::pin(self.state.links.key(secret_text, table, &self.identity, self.state.now())).await;
        let (key, link) = key.map_err(|error| self.state.fault("look up a link", &error))?;
        if !matches!(key, Key::None | Key::Wrong | Key::Spent) {
            return Ok((key, link));
        }
        let overview = self.handle(table).await?.overview();
        match self.state.member_key(&self.identity, &overview).await? {
            Key::Member => Ok((Key::Member, None)),
            _ => Ok((key, link)),
        }
    }
}

/// Returns the request for a command that takes no seat.
fn request_of(command: PlayerCommand, command_id: &CommandId, match_id: Option<MatchId>) -> CommandRequest {
    CommandRequest {
        command,
        command_id: command_id.clone(),
        match_id,
        redeemed_invite: None,
        origin: SeatOrigin::default(),
    }
}

fn ack(table: TableId, command_id: CommandId, answer: Answer) -> Result<Frame, Refusal> {
    match answer {
        Answer::Done { match_id, seq } => {
            Ok(encode(&ServerFrame::Ack { table, match_id, cmd: command_id, seq }))
        }
        Answer::Refused { match_id, code, text } => Err(Refusal::new(code, text).at(match_id)),
        Answer::InviteUsed => Err(Refusal::bad_invite()),
        Answer::Fault(fault) => Err(Refusal::fault(fault)),
    }
}
