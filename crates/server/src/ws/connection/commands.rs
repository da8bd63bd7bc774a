//! The dispatch of a client's frames to their handlers. A frame introduces the client, starts or
//! ends a subscription, or contains a command for a table.

use std::collections::BTreeMap;
use std::sync::Arc;

use quadrex_protocol::bot::BotChoice;
use quadrex_protocol::http::LinkKind;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::LinkVisitor;
use quadrex_protocol::{ClientFrame, CommandId, MatchId, RefusalCode, SUBPROTOCOL, ServerFrame, TableId};
use quadrex_rules::Color;

use super::reader::{Reader, Watched};
use super::subscriber::{LobbySubscriber, RevocationRefusals, TableSubscriber};
use crate::actor::{
    AccessLink, ActorGone, Answer, CommandRequest, ResumeFrom, RttHandle, TableHandle, TableOverview,
    WatchRight, Watcher, random_nonce,
};
use crate::auth::{self, Denial, Identity, Key, Link, Token};
use crate::bus::Frame;
use crate::http::{Refusal, permit, permit_bystander, permit_if_kicked, require_user, view_of};
use crate::limits::BotMatchPermit;
use quadrex_table::frames::encode;
use quadrex_table::{self as table, Invitation, PlayerCommand, Viewer};

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
            ClientFrame::Kick { table, cmd, color, match_id } => self
                .privileged_command(
                    (table, match_id),
                    cmd,
                    auth::Action::Kick,
                    None,
                    table::Action::Kick { color },
                )
                .await
                .map(Some),
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
            self.identity = Box::pin(self.state.identify_by_token(&token)).await?;
            self.is_program = true;
        }
        self.has_greeted = true;
        let person = self.identity.user().filter(|user| user.bot.is_none());
        self.online = person.map(|user| self.state.lobby.enter(user.id));
        Ok(encode(&ServerFrame::Welcome {
            protocol: SUBPROTOCOL.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            user: view_of(&self.identity),
        }))
    }

    fn pong(&mut self) -> Frame {
        self.drop_revoked();
        let heads: BTreeMap<_, _> =
            self.watching.iter().map(|(&table, watched)| (table, watched.guard.head())).collect();
        encode(&ServerFrame::Pong { heads })
    }

    /// Drops the subscriptions that were revoked. Their subscribers have already sent the refusals.
    fn drop_revoked(&mut self) {
        self.watching.retain(|_, Watched { guard, key, subscriber }| {
            let action = auth::Action::Watch { key: *key };
            !subscriber.is_revoked() && permit(&self.identity, &guard.overview(), action).is_ok()
        });
    }

    async fn watch_lobby(&mut self) -> Result<(), Refusal> {
        let subscriber = LobbySubscriber::new(Arc::clone(&self.outbox));
        let (list, subscription) = self.state.lobby.watch(subscriber.clone()).await?;
        // An earlier subscription to the lobby is dropped, which ends it.
        self.lobby = Some(subscription);
        subscriber.open(&list);
        Ok(())
    }

    async fn watch_own_tables(&mut self) -> Result<(), Refusal> {
        let user = require_user(&self.identity)?.id;
        let subscriber = LobbySubscriber::new(Arc::clone(&self.outbox));
        let (list, subscription) = self.state.lobby.watch_own(user, subscriber.clone()).await?;
        // This ends an earlier subscription.
        self.own_tables = Some(subscription);
        subscriber.open(&list);
        Ok(())
    }

    async fn watch(
        &mut self,
        table: TableId,
        resume_from: ResumeFrom,
        secret: Option<&str>,
        is_preview: bool,
    ) -> Result<(), Refusal> {
        let (key, link) = self.key(secret, table).await?;
        let viewer = self.identity.id().map_or(Viewer::Anonymous, Viewer::User);
        for _ in 0..2 {
            let handle = self.handle(table).await?;
            let (overview, action) = (handle.overview(), auth::Action::Watch { key });
            permit(&self.identity, &overview, action)?;
            let bystander_refusal = permit_bystander(&self.identity, &overview, action).err();
            let right =
                if bystander_refusal.is_some() { WatchRight::MembersOnly } else { WatchRight::Unconditional };
            let may_stay_when_kicked = permit_if_kicked(&self.identity, &overview, action).is_ok();
            let link = link.as_ref().filter(|_| needs_key(&self.identity, &overview, action));
            let link = link.map(|link| AccessLink { secret_hash: link.secret, expires_at: link.expires_at });
            let round_trip = self.round_trip();
            let visitor =
                self.visitor(key).filter(|visitor| !is_preview && visitor.user.id != overview.host().id);
            let watcher =
                Watcher { viewer, right, link, may_stay_when_kicked, is_preview, visitor, round_trip };
            let subscriber = TableSubscriber::new(viewer, Arc::clone(&self.outbox));
            let Ok((guard, initial)) = handle.watch(watcher, resume_from, subscriber.clone()).await else {
                self.handles.remove(&table);
                continue;
            };
            // The link may have been revoked just before the subscription began. In that case the
            // actor could not end the subscription.
            if link.is_some() && self.key(secret, table).await?.0 != key {
                return Err(Denial::LinkEnded.into());
            }
            if initial.is_seated {
                self.rate_limit.use_player_limit();
            }
            // An earlier subscription to this table is dropped, which ends it.
            self.watching.insert(table, Watched { guard, key, subscriber: Arc::clone(&subscriber) });
            let refusal_frame = |refusal: Refusal| encode(&refusal.frame(None, Some(table)));
            let on_leaving_table = bystander_refusal.map(refusal_frame);
            let on_kick = (!may_stay_when_kicked).then(|| refusal_frame(Denial::Kicked.into()));
            let on_link_end = link.map(|link| (link.secret_hash, refusal_frame(Denial::LinkEnded.into())));
            subscriber.open(&initial, RevocationRefusals { on_leaving_table, on_link_end, on_kick });
            if !self.is_program && !self.rtt_meter.has_pinged() {
                self.ping_is_due = true;
            }
            return Ok(());
        }
        Err(Refusal::closing())
    }

    /// Returns the visit to record if the client has presented a valid link.
    fn visitor(&self, key: Key) -> Option<LinkVisitor> {
        let (kind, seat) = match key {
            Key::Invite { seat } => (LinkKind::Invite, seat),
            Key::Watch => (LinkKind::Watch, None),
            Key::None | Key::Wrong | Key::Spent => return None,
        };
        let opened_at_ms = self.state.now().as_millis();
        view_of(&self.identity).map(|user| LinkVisitor { user, kind, seat, opened_at_ms })
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
        if let Err(denied) = permit(&self.identity, &handle.overview(), auth::Action::Sit { seat, key }) {
            return self.earlier_ack(&handle, match_id, &command_id).await?.ok_or(denied);
        }
        let by = self.current_user().await?;
        let invitation = match key {
            Key::Invite { seat } => Some(Invitation { seat }),
            Key::None | Key::Wrong | Key::Spent | Key::Watch => None,
        };
        let action = table::Action::Sit {
            seat,
            invite: invitation,
            nonce: nonce.unwrap_or_else(|| random_nonce(&self.state.entropy)),
        };
        let redeemed_invite = invite.as_deref().filter(|_| invitation.is_some()).map(Token::hash_of);
        let command = PlayerCommand { by, seat: None, action };
        let request = CommandRequest { command, command_id: command_id.clone(), match_id, redeemed_invite };
        let answer = self.send_command(table, request).await?;
        if let Answer::Done { .. } = answer {
            self.mark_seated(table);
        }
        ack(table, command_id, answer)
    }

    /// Returns the connection's user with the current name, which may have changed since the
    /// connection was opened.
    async fn current_user(&self) -> Result<UserView, Refusal> {
        let user = self.identity.id().ok_or(Denial::SignIn)?;
        let found = Box::pin(self.state.guests.find(user)).await;
        let user = found.map_err(|error| self.state.fault("find a user", &error))?;
        Ok(user.ok_or(Denial::SignIn)?.view())
    }

    async fn add_bot(
        &mut self,
        (table, match_id): CommandTarget,
        command_id: CommandId,
        seat: Option<Color>,
        choice: BotChoice,
    ) -> Result<Frame, Refusal> {
        let overview = self.handle(table).await?.overview();
        permit(&self.identity, &overview, auth::Action::AddBot)?;
        let bot = Box::pin(self.state.bot(&choice, overview.settings().variant)).await?;
        let action = table::Action::AddBot { seat, bot, nonce: random_nonce(&self.state.entropy) };
        let admitted = self.admit_bot_match(&overview)?;
        let done = self
            .privileged_command((table, match_id), command_id, auth::Action::AddBot, None, action)
            .await?;
        if let Some(admitted) = admitted {
            admitted.start_at(&self.handle(table).await?);
        }
        Ok(done)
    }

    /// Returns a permit for a match in which only bots play, if one more bot at the table starts
    /// such a match. Returns `None` if it does not.
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
        let handle = self.handle(table).await?;
        let permitted = permit(&self.identity, &handle.overview(), permitted_action);
        let Some(by) = view_of(&self.identity) else {
            return Err(permitted.err().unwrap_or_else(|| Denial::SignIn.into()));
        };
        let command = PlayerCommand { by, seat, action };
        let request =
            CommandRequest { command, command_id: command_id.clone(), match_id, redeemed_invite: None };
        let answer = self.send_command(table, request).await?;
        match answer {
            Answer::Done { .. } => self.mark_seated(table),
            _ => permitted?,
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
        let request =
            CommandRequest { command, command_id: command_id.clone(), match_id, redeemed_invite: None };
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

    async fn handle(&mut self, table: TableId) -> Result<TableHandle, Refusal> {
        if let Some(handle) = self.handles.get(&table) {
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

    /// Returns the handle to the connection's round-trip time, which is used to compensate lag. The
    /// lag of programs is not compensated, so their handle is unmeasured.
    fn round_trip(&mut self) -> RttHandle {
        if self.is_program { RttHandle::unmeasured() } else { self.rtt_meter.handle() }
    }

    async fn key(&self, shown: Option<&str>, table: TableId) -> Result<(Key, Option<Link>), Refusal> {
        let key = Box::pin(self.state.links.key(shown, table, &self.identity, self.state.now())).await;
        key.map_err(|error| self.state.fault("look up a link", &error))
    }
}

/// Returns whether a user who is not a member would need the presented link for this action.
fn needs_key(identity: &Identity, overview: &TableOverview, action: auth::Action) -> bool {
    let without_key = auth::Action::Watch { key: Key::None };
    permit_bystander(identity, overview, action).is_ok()
        && permit_bystander(identity, overview, without_key).is_err()
}

fn ack(table: TableId, command_id: CommandId, answer: Answer) -> Result<Frame, Refusal> {
    match answer {
        Answer::Done { match_id, seq } => {
            Ok(encode(&ServerFrame::Ack { table, match_id, cmd: command_id, seq }))
        }
        Answer::Refused { match_id, rejection } => Err(Refusal::from(rejection).at(match_id)),
        Answer::InviteUsed => Err(Refusal::bad_invite()),
        Answer::Fault(fault) => Err(Refusal::fault(fault)),
    }
}
