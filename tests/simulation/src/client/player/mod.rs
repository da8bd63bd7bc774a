//! A client with a seat.

mod correspondence;

use std::time::Duration;

use anyhow::Result;
use quadrex_protocol::bot::{BotChoice, BotLevel};
use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, CommandId, RefusalCode, RequestAction, ServerFrame};
use quadrex_rules::{Color, Request};
use quadrex_tests::Guest;
use quadrex_tests::table_mirror::TableMirror;
use tokio::time::Instant;

use super::session::{Session, Ticket};
use super::{Place, Stage};
use crate::auditor::Answer;
use crate::trace::virtual_now;

/// The habits of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Habits {
    /// The longest time for a move.
    pub(crate) think: Duration,
    /// The longest time between two visits to a running match; `None` if the player stays.
    pub(crate) away: Option<Duration>,
    /// Sends moves out of turn.
    pub(crate) is_hasty: bool,
    /// Sends commands twice.
    pub(crate) doubles: bool,
    /// Sends moves for an earlier position.
    pub(crate) is_stale: bool,
    /// Sends more frames than are allowed.
    pub(crate) floods: bool,
    /// Leaves for a while.
    pub(crate) leaves: bool,
    /// Leaves in the middle of a match, and stays away until the others are about to leave too.
    pub(crate) vanishes: bool,
    /// Gives the seat up before the match has begun.
    pub(crate) changes_mind: bool,
    /// Kicks another player before the match has begun, as the host.
    pub(crate) kicks: bool,
    /// Adds bots of the server, as the host.
    pub(crate) adds_bots: bool,
    /// Resigns soon and wants a rematch at once, so that matches begin and end all the time.
    pub(crate) is_restless: bool,
}

/// A player at one table. Two players may be two tabs of the same user.
pub(crate) struct Player {
    place: Place,
    guest: Guest,
    ticket: Ticket,
    habits: Habits,
    mirror: Option<TableMirror>,
    /// True once the host has kicked this player.
    is_kicked: bool,
    /// The command that has not been answered. It is sent again after each reconnection.
    pending: Option<ClientFrame>,
    /// The time at which it was sent, or was last answered if it must be sent again.
    asked_at: Instant,
    /// The number of commands so far.
    commands: u64,
}

impl Player {
    pub(crate) fn new(place: Place, guest: Guest, ticket: Ticket, habits: Habits) -> Self {
        let asked_at = virtual_now();
        let (mirror, is_kicked, pending, commands) = (None, false, None, 0);
        Self { place, guest, ticket, habits, mirror, is_kicked, pending, asked_at, commands }
    }

    /// Plays until the simulation is over.
    pub(crate) async fn live(mut self) {
        while self.place.stage() != Stage::Over {
            if let Err(error) = self.play().await {
                self.place.trace.add(&self.place.name, format_args!("{error:#}"));
            }
            self.place.pause().await;
            if self.habits.leaves && self.place.stage() == Stage::Playing && self.place.chance.one_in(3) {
                let away = self.place.chance.time(Duration::from_secs(5), Duration::from_mins(4));
                self.place.trace.add(&self.place.name, format_args!("stays away for {away:?}"));
                tokio::time::sleep(away).await;
            }
            if let Some(longest) = self.habits.away.filter(|_| self.match_runs()) {
                self.prepare_absence().await;
                let away = self.place.chance.time(Duration::from_secs(30), longest);
                let mut stage = self.place.stage.clone();
                let ends = stage.wait_for(|stage| *stage != Stage::Playing);
                tokio::time::timeout(away, ends).await.ok();
            }
            if self.habits.vanishes && self.has_begun() && self.place.chance.one_in(2) {
                self.place.trace.add(&self.place.name, "vanishes");
                let mut stage = self.place.stage.clone();
                stage.wait_for(|stage| *stage != Stage::Playing).await.ok();
                self.habits.vanishes = false;
            }
        }
    }

    /// Plays over one connection until it ends.
    async fn play(&mut self) -> Result<()> {
        let mut session = Session::open(&self.place, &self.guest, &self.ticket, self.mirror.as_ref()).await?;
        self.place.trace.add(&self.place.name, "is connected");
        if let Some(command) = &self.pending {
            self.place.auditor.repeated(self.guest.user.id, command);
            session.send(command).await?;
            self.asked_at = virtual_now();
        }
        let mut acts = virtual_now() + self.think();
        loop {
            if self.place.stage() == Stage::Over {
                session.close().await;
                return Ok(());
            }
            match session.next_until(acts).await? {
                Some(frame) => {
                    self.answer(&frame);
                    if session.apply(&mut self.mirror, &frame).await? {
                        acts = virtual_now() + self.think();
                    }
                }
                None => {
                    // A kicked user learns nothing more of a private table.
                    if !self.is_kicked {
                        session.check_delays(self.mirror.as_ref());
                        self.mirror.iter().for_each(|mirror| session.check_presence(mirror));
                    }
                    if (self.habits.leaves || self.habits.vanishes && self.has_begun())
                        && self.place.stage() == Stage::Playing
                        && self.place.chance.one_in(20)
                    {
                        session.close().await;
                        anyhow::bail!("leaves");
                    }
                    if self.ends_visit() {
                        session.close().await;
                        anyhow::bail!("goes until the next visit");
                    }
                    self.act(&mut session).await?;
                    acts = virtual_now() + self.think();
                }
            }
        }
    }

    /// Returns the time until the next action. In the end, many resign as soon as they see the table.
    fn think(&self) -> Duration {
        let chance = &self.place.chance;
        let (least, most) = match self.place.stage() {
            Stage::Playing => (Duration::from_millis(50), self.habits.think),
            Stage::Finishing | Stage::Over if chance.one_in(2) => (Duration::ZERO, Duration::from_millis(20)),
            Stage::Finishing | Stage::Over => (Duration::from_millis(50), Duration::from_secs(2)),
        };
        chance.time(least, most)
    }

    /// Records the answer to a command.
    fn answer(&mut self, frame: &ServerFrame) {
        let (command, answer) = match frame {
            ServerFrame::Ack { cmd, match_id, seq, .. } => (cmd, Answer::Ack(*match_id, *seq)),
            ServerFrame::Refused { cmd: Some(cmd), code, match_id, .. } => {
                (cmd, Answer::Refused(*match_id, *code))
            }
            _ => return,
        };
        self.place.trace.add(&self.place.name, format_args!("{command} is {answer}"));
        self.place.auditor.answered(&self.place.name, self.guest.user.id, command, answer);
        if let Answer::Refused(_, RefusalCode::Kicked | RefusalCode::NotFound) = answer {
            self.is_kicked = true;
        }
        if self.pending.as_ref().and_then(ClientFrame::command_id) == Some(command) {
            self.check_delay();
            self.asked_at = virtual_now();
            if answer.is_final() {
                self.pending = None;
            }
        }
    }

    /// Checks that the answer to the pending command is not late. Who sends too much may wait.
    fn check_delay(&self) {
        if let Some(command) = self.pending.as_ref().and_then(ClientFrame::command_id)
            && !self.habits.floods
        {
            let answer = format_args!("the answer to {command}");
            self.place.auditor.waits(&self.place.name, answer, self.asked_at);
        }
    }

    /// Sends what the player wants to do now.
    async fn act(&mut self, session: &mut Session) -> Result<()> {
        if self.habits.floods && self.place.chance.one_in(10) {
            for _ in 0..60 {
                session.send(&ClientFrame::Ping {}).await?;
            }
        }
        if let Some(pending) = &self.pending {
            // Sending a command again does no harm.
            self.check_delay();
            self.place.auditor.repeated(self.guest.user.id, pending);
            return session.send(&pending.clone()).await;
        }
        let Some(command) = self.decide() else { return Ok(()) };
        self.place.auditor.sent(self.guest.user.id, &command);
        self.place.trace.add(&self.place.name, format_args!("sends {}", serde_json::to_string(&command)?));
        self.pending = Some(command.clone());
        self.asked_at = virtual_now();
        session.send(&command).await?;
        if self.habits.doubles && self.place.chance.one_in(3) {
            self.place.auditor.repeated(self.guest.user.id, &command);
            session.send(&command).await?;
        }
        Ok(())
    }

    /// Returns whether the match runs.
    fn match_runs(&self) -> bool {
        self.mirror.as_ref().is_some_and(|mirror| mirror.state().phase == Phase::Running)
    }

    /// Returns whether a player who comes only for visits leaves now: the player has moved or may not
    /// move, or wants to think about it.
    fn ends_visit(&self) -> bool {
        let may_move = self.mirror.as_ref().is_some_and(|mirror| mirror.view().legal_moves.is_some());
        self.habits.away.is_some()
            && self.place.stage() == Stage::Playing
            && self.match_runs()
            && self.pending.is_none()
            && (!may_move || self.place.chance.one_in(4))
    }

    /// Returns whether the user has a seat in a match that has begun.
    fn has_begun(&self) -> bool {
        self.mirror
            .as_ref()
            .is_some_and(|mirror| mirror.state().phase != Phase::Open && !mirror.view().your_seats.is_empty())
    }

    fn command_id(&mut self) -> CommandId {
        self.commands += 1;
        let text = format!("{}-{}", self.place.name.replace(' ', "-"), self.commands);
        text.parse().expect("a short text of letters, digits and dashes is a valid id")
    }

    /// Returns the next command; `None` if the player only waits.
    fn decide(&mut self) -> Option<ClientFrame> {
        let (table, invite) = (self.ticket.table, self.ticket.secret.clone());
        let cmd = self.command_id();
        let chance = self.place.chance.clone();
        let is_finishing = self.place.stage() != Stage::Playing;
        let mirror = self.mirror.as_ref()?;
        let (view, state) = (mirror.view(), mirror.state());
        let match_id = Some(mirror.match_id());
        let is_seated = !view.your_seats.is_empty();
        // At a hotseat table, a command must name one of the seats that still play.
        let seat = if view.your_seats.len() > 1 {
            let active = view.your_seats.iter().filter(|seat| state.active_players.contains(seat));
            state.turn.filter(|turn| view.your_seats.contains(turn)).or(active.copied().next())
        } else {
            None
        };
        let mut own_seats = view.seats.iter().filter(|seat| view.your_seats.contains(&seat.color));
        let substituted = own_seats.find(|seat| seat.substitute.is_some()).map(|seat| seat.color);
        match state.phase {
            // At the end no more matches begin.
            Phase::Open if state.closed || is_finishing => None,
            Phase::Open if is_seated => self.prepare(cmd),
            // A kicked player tries again.
            Phase::Open if self.is_kicked && !chance.one_in(3) => None,
            Phase::Open => Some(ClientFrame::Sit { table, cmd, match_id, seat, invite, nonce: None }),
            Phase::Running if !is_seated => chance.one_in(8).then(|| {
                let (room, message) = (Room::Bystanders, ChatMessage::Text("a secret".to_owned()));
                ClientFrame::Chat { table, cmd, match_id, room, message, seat }
            }),
            // A player for whom a bot plays takes the seat back.
            Phase::Running if substituted.is_some() && (is_finishing || chance.one_in(3)) => {
                Some(ClientFrame::Sit { table, cmd, match_id, seat: substituted, invite: None, nonce: None })
            }
            Phase::Running if is_finishing => Some(ClientFrame::Resign { table, cmd, match_id, seat }),
            Phase::Running => {
                if let Some(open) = state.requests.first()
                    && !view.your_seats.iter().any(|seat| open.agreed.contains(seat) || open.by == *seat)
                {
                    let action =
                        if chance.one_in(3) { RequestAction::Decline } else { RequestAction::Accept };
                    let request = open.request;
                    return Some(ClientFrame::Request { table, cmd, match_id, request, action, seat });
                }
                if self.habits.is_restless && chance.one_in(4) {
                    return Some(ClientFrame::Resign { table, cmd, match_id, seat });
                }
                if state.suspension.is_some() {
                    return Some(ClientFrame::Resume { table, cmd, match_id, seat });
                }
                match chance.below(60) {
                    0 => {
                        let request = *chance.pick(&Request::ALL)?;
                        let action = RequestAction::Ask;
                        return Some(ClientFrame::Request { table, cmd, match_id, request, action, seat });
                    }
                    1 => return Some(ClientFrame::Resign { table, cmd, match_id, seat }),
                    2 => {
                        let message = ChatMessage::Text("well played".to_owned());
                        let room = Room::Seated;
                        return Some(ClientFrame::Chat { table, cmd, match_id, room, message, seat });
                    }
                    3 => return Some(ClientFrame::ClaimDraw { table, cmd, match_id, seat }),
                    _ => {}
                }
                let after = mirror.seq();
                match &view.legal_moves {
                    Some(legal) => {
                        let mv = *chance.pick(legal)?;
                        let after = if self.habits.is_stale && chance.one_in(4) { after / 2 } else { after };
                        Some(ClientFrame::Move { table, cmd, match_id, after, mv, claim_draw: false, seat })
                    }
                    None if self.habits.is_hasty && chance.one_in(5) => {
                        let game = mirror.referee().game()?;
                        let mv = *chance.pick(&game.position().legal_moves())?;
                        Some(ClientFrame::Move { table, cmd, match_id, after, mv, claim_draw: false, seat })
                    }
                    None => None,
                }
            }
            Phase::Ended if !is_seated || state.closed || is_finishing => None,
            Phase::Ended => {
                let action = match &state.rematch {
                    Some(rematch) if view.your_seats.iter().any(|seat| rematch.agreed.contains(seat)) => {
                        return None;
                    }
                    Some(_) => RequestAction::Accept,
                    None if self.habits.is_restless || chance.one_in(3) => RequestAction::Ask,
                    None => return None,
                };
                Some(ClientFrame::Rematch { table, cmd, match_id, action, nonce: None, seat })
            }
        }
    }

    /// Returns what a seated player does before the match begins.
    fn prepare(&self, cmd: CommandId) -> Option<ClientFrame> {
        let (mirror, chance) = (self.mirror.as_ref()?, &self.place.chance);
        let (table, match_id, view) = (self.ticket.table, Some(mirror.match_id()), mirror.view());
        let open: Vec<Color> =
            view.seats.iter().filter(|seat| seat.user.is_none()).map(|seat| seat.color).collect();
        let me = self.guest.user.id;
        // Later everybody stays, so that matches begin.
        if self.habits.changes_mind && self.commands < 12 && chance.one_in(2) {
            return Some(ClientFrame::Leave { table, cmd, match_id, seat: None });
        }
        if view.settings.hotseat && chance.one_in(2) {
            let (seat, invite) = (chance.pick(&open).copied(), self.ticket.secret.clone());
            return Some(ClientFrame::Sit { table, cmd, match_id, seat, invite, nonce: None });
        }
        if view.host.id != me {
            return None;
        }
        let others = view.seats.iter().filter(|seat| seat.user.as_ref().is_some_and(|user| user.id != me));
        let others: Vec<Color> = others.map(|seat| seat.color).collect();
        if self.habits.kicks && chance.one_in(3) {
            return Some(ClientFrame::Kick { table, cmd, match_id, color: *chance.pick(&others)? });
        }
        // In the end the host fills the table, so that a match begins after kicks too.
        if self.habits.adds_bots && chance.one_in(8) || self.commands > 60 {
            let bot = BotChoice::BuiltIn { level: BotLevel::all().next()? };
            return Some(ClientFrame::AddBot { table, cmd, match_id, seat: None, bot });
        }
        None
    }
}
