//! A client with a seat.

use std::time::Duration;

use anyhow::Result;
use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, CommandId, RequestAction, ServerFrame, TableId};
use quadrex_rules::Request;
use quadrex_tests::Guest;
use quadrex_tests::table_mirror::TableMirror;

use super::session::Session;
use super::{Place, Stage};
use crate::auditor::Answer;
use crate::trace::virtual_now;

/// The habits of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Habits {
    /// The longest time for a move.
    pub(crate) think: Duration,
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
}

/// A player at one table. Two players may be two tabs of the same user.
pub(crate) struct Player {
    place: Place,
    guest: Guest,
    table: TableId,
    habits: Habits,
    mirror: Option<TableMirror>,
    /// The command that has not been answered. It is sent again after each reconnection.
    pending: Option<ClientFrame>,
    /// The number of commands so far.
    commands: u64,
}

impl Player {
    pub(crate) fn new(place: Place, guest: Guest, table: TableId, habits: Habits) -> Self {
        Self { place, guest, table, habits, mirror: None, pending: None, commands: 0 }
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
        }
    }

    /// Plays over one connection until it ends.
    async fn play(&mut self) -> Result<()> {
        let mut session = Session::open(&self.place, &self.guest, self.table, self.mirror.as_ref()).await?;
        self.place.trace.add(&self.place.name, "is connected");
        if let Some(command) = &self.pending {
            session.send(command).await?;
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
                    if self.habits.leaves
                        && self.place.stage() == Stage::Playing
                        && self.place.chance.one_in(20)
                    {
                        session.close().await;
                        anyhow::bail!("leaves");
                    }
                    self.act(&mut session).await?;
                    acts = virtual_now() + self.think();
                }
            }
        }
    }

    /// Returns the time until the next action.
    fn think(&self) -> Duration {
        let most = match self.place.stage() {
            Stage::Playing => self.habits.think,
            Stage::Finishing | Stage::Over => Duration::from_secs(2),
        };
        self.place.chance.time(Duration::from_millis(50), most)
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
        self.place.trace.add(&self.place.name, format_args!("{command} is answered: {answer:?}"));
        self.place.auditor.answered(&self.place.name, self.guest.user.id, command, answer);
        if self.pending.as_ref().and_then(ClientFrame::command_id) == Some(command) && answer.is_final() {
            self.pending = None;
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
            // The answer is late. Sending a command again does no harm.
            return session.send(&pending.clone()).await;
        }
        let Some(command) = self.decide() else { return Ok(()) };
        self.place.auditor.sent(self.guest.user.id, &command);
        self.place.trace.add(&self.place.name, format_args!("sends {}", serde_json::to_string(&command)?));
        self.pending = Some(command.clone());
        session.send(&command).await?;
        if self.habits.doubles && self.place.chance.one_in(3) {
            session.send(&command).await?;
        }
        Ok(())
    }

    fn command_id(&mut self) -> CommandId {
        self.commands += 1;
        let text = format!("{}-{}", self.place.name.replace(' ', "-"), self.commands);
        text.parse().expect("a short text of letters, digits and dashes is a valid id")
    }

    /// Returns the next command; `None` if the player only waits.
    fn decide(&mut self) -> Option<ClientFrame> {
        let (table, seat) = (self.table, None);
        let cmd = self.command_id();
        let chance = self.place.chance.clone();
        let is_finishing = self.place.stage() != Stage::Playing;
        let mirror = self.mirror.as_ref()?;
        let (view, state) = (mirror.view(), mirror.state());
        let match_id = Some(mirror.match_id());
        let is_seated = !view.your_seats.is_empty();
        match state.phase {
            Phase::Open if is_seated || state.closed => None,
            Phase::Open => Some(ClientFrame::Sit { table, cmd, match_id, seat, invite: None, nonce: None }),
            Phase::Running if !is_seated => None,
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
                if state.suspension.is_some() {
                    return Some(ClientFrame::Resume { table, cmd, match_id, seat });
                }
                match chance.below(60) {
                    0 => {
                        let request = *chance.pick(&Request::ALL)?;
                        let action = RequestAction::Ask;
                        return Some(ClientFrame::Request { table, cmd, match_id, request, action, seat });
                    }
                    1 if chance.one_in(4) => {
                        return Some(ClientFrame::Resign { table, cmd, match_id, seat });
                    }
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
                    None if chance.one_in(3) => RequestAction::Ask,
                    None => return None,
                };
                Some(ClientFrame::Rematch { table, cmd, match_id, action, nonce: None, seat })
            }
        }
    }
}
