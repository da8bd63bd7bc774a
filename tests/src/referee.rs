//! A referee that replays the log of a match with the rules, checks that each event is possible,
//! and knows which events must follow.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::{Event, PieceCode, TableSettings};
use quadrex_rules::{
    AbortCause, Cause, Color, DrawPolicy, Game, GameCommand, GameConfig, GameEvent, Reason, Request, Setup,
    Square, TimeControl, Timestamp, Variant,
};

/// The state of a match according to the rules, replayed from its events.
#[derive(Clone, Debug, Default)]
pub struct Referee {
    seq: u64,
    opened: Option<Opened>,
    seats: BTreeMap<Color, String>,
    /// The server's bots. A bot that holds several seats answers for each of them separately.
    bots: BTreeSet<String>,
    /// The bots that substitute for the holders of these seats.
    stand_ins: BTreeMap<Color, String>,
    game: Option<Game>,
    /// The events that must still follow from the last command.
    due: VecDeque<GameEvent>,
    /// True if all players have just agreed to a pause, so that `paused` must follow.
    pause_due: bool,
    /// True during a pause, and while the match waits for a player.
    suspended: bool,
    /// The players on vacation, whose clocks do not run.
    vacations: BTreeSet<Color>,
    /// The end of the match that may follow because the last move claimed a draw.
    claimed: Option<GameEvent>,
    moves: u32,
    closed: bool,
}

#[derive(Clone, Debug)]
struct Opened {
    variant: Variant,
    setup: Setup,
    fixed_turn: bool,
    draws: DrawPolicy,
    time: TimeControl,
}

impl Referee {
    /// Applies the next event of the log.
    ///
    /// # Errors
    /// If a number is missing or repeated, or the rules do not allow the event.
    pub fn observe(&mut self, seq: u64, at_ms: u64, event: &Event) -> Result<()> {
        ensure!(seq == self.seq + 1, "event {seq} follows event {}", self.seq);
        let at = Timestamp::from_millis(at_ms);
        self.take(at, event).with_context(|| format!("event {seq}, {event:?}"))?;
        self.freeze_or_thaw(at, event);
        self.seq = seq;
        Ok(())
    }

    /// Counts an event that the viewer may not see.
    ///
    /// # Errors
    /// If a number is missing or repeated, or the rules require another event.
    pub fn skip(&mut self, seq: u64) -> Result<()> {
        ensure!(seq == self.seq + 1, "skipped event {seq} follows event {}", self.seq);
        ensure!(self.is_settled(), "{seq} is skipped where {:?} must follow", self.due);
        self.seq = seq;
        Ok(())
    }

    fn take(&mut self, at: Timestamp, event: &Event) -> Result<()> {
        ensure!(!self.closed, "the table is closed");
        ensure!(
            self.pause_due == (*event == Event::Paused {}),
            "a pause begins just when all have agreed to it"
        );
        match event {
            Event::Opened { settings, .. } => {
                let TableSettings { variant, setup, draws, time, .. } = settings;
                ensure!(self.opened.is_none(), "opened twice");
                let fixed_turn = setup.is_some() || *variant == Variant::Classic;
                let setup = match setup {
                    Some(text) => Setup::parse(*variant, text)?,
                    None => Setup::start(*variant),
                };
                let time = time.to_rules();
                self.opened = Some(Opened { variant: *variant, setup, fixed_turn, draws: *draws, time });
            }
            Event::Seated { color, user, .. } => {
                ensure!(self.game.is_none(), "seated after the start");
                ensure!(self.opened()?.variant.colors().contains(color), "there is no such seat");
                if user.is_server_bot() {
                    self.bots.insert(user.id.to_string());
                }
                let before = self.seats.insert(*color, user.id.to_string());
                ensure!(before.is_none(), "the seat is held");
            }
            Event::Vacated { color, .. } => {
                ensure!(self.game.is_none(), "vacated after the start");
                ensure!(self.seats.remove(color).is_some(), "the seat was empty");
            }
            Event::HostChanged { host } => {
                let host = host.id.to_string();
                ensure!(self.seats.values().any(|holder| *holder == host), "the new host has no seat");
            }
            Event::Substituted { color, bot } => {
                ensure!(
                    self.running()?.position().is_playing(*color),
                    "a bot substitutes for an eliminated player"
                );
                self.bots.insert(bot.id.to_string());
                ensure!(
                    self.stand_ins.insert(*color, bot.id.to_string()).is_none(),
                    "the seat already has a substitute"
                );
            }
            Event::Returned { color } => {
                ensure!(self.running()?.position().is_playing(*color), "an eliminated player returns");
                ensure!(self.stand_ins.remove(color).is_some(), "the seat has no substitute");
            }
            Event::MessageSent { .. } => ensure!(self.is_settled(), "a message before {:?}", self.due),
            Event::RematchRequested { .. }
            | Event::RematchAgreed { .. }
            | Event::RematchDeclined { .. }
            | Event::Rematched { .. } => {
                let is_over = self.game.as_ref().is_some_and(Game::is_over);
                ensure!(is_over, "a rematch event before the end");
            }
            Event::Closed { .. } => {
                let is_over = self.game.as_ref().is_none_or(Game::is_over);
                ensure!(is_over && !self.closed, "the table closes twice or during its match");
                self.closed = true;
            }
            Event::Started { first_player, seats, .. } => {
                for (color, user) in seats {
                    self.seats.insert(*color, user.id.to_string());
                }
                let opened = self.opened()?;
                ensure!(self.seats.len() == opened.variant.colors().len(), "a seat is open");
                let setup = if opened.fixed_turn {
                    opened.setup.clone()
                } else {
                    opened.setup.clone().with_turn(*first_player)
                };
                let game = Game::new(GameConfig { setup, draws: opened.draws, time: opened.time }, at)?;
                ensure!(game.position().turn() == *first_player, "{} begins", game.position().turn());
                self.game = Some(game);
            }
            Event::Interrupted { until_ms, resumes_ms, .. } => {
                let game = self.running()?;
                game.charge_clock(Timestamp::from_millis(*until_ms));
                game.restart_clock(Timestamp::from_millis(*resumes_ms));
            }
            Event::VacationStarted { color, since_ms, until_ms } => {
                ensure!(self.running()?.position().is_playing(*color), "an eliminated player is on vacation");
                ensure!(since_ms <= until_ms && *since_ms <= at.as_millis(), "the vacation is in the future");
                self.vacations.insert(*color);
            }
            Event::VacationEnded { color } => {
                ensure!(self.vacations.remove(color), "the player is not on vacation");
            }
            Event::Paused {} | Event::Waiting { .. } => {
                self.pause_due = false;
                self.running()?;
                ensure!(!self.suspended, "the match is already suspended");
                self.suspended = true;
            }
            Event::Resuming { until_ms, .. } => {
                ensure!(self.suspended, "the match is not suspended");
                ensure!(*until_ms == at.as_millis() + 10_000, "the countdown does not last ten seconds");
            }
            Event::Resumed {} => {
                self.running()?;
                ensure!(self.suspended, "the match is not suspended");
                self.suspended = false;
            }
            Event::Moved { .. } if self.suspended => {
                bail!("a move during a suspension")
            }
            Event::Moved { lag_ms, .. } => {
                ensure!(*lag_ms <= 300, "{lag_ms} ms are credited for one move");
                let credited = Timestamp::from_millis(at.as_millis().saturating_sub(*lag_ms));
                self.play_as_of(credited, at, &game_event(event)?)?;
            }
            Event::Agreed { request: Request::Pause, .. } => {
                self.play(at, &game_event(event)?)?;
                self.pause_due = self.running()?.request(Request::Pause).is_none();
            }
            _ => self.play(at, &game_event(event)?)?,
        }
        Ok(())
    }

    /// Freezes the clocks during a suspension and on the turn of a player on vacation, and thaws them
    /// otherwise.
    fn freeze_or_thaw(&mut self, at: Timestamp, event: &Event) {
        let Some(game) = self.game.as_mut().filter(|game| !game.is_over()) else { return };
        let is_frozen = self.suspended || self.vacations.contains(&game.position().turn());
        let since = match event {
            Event::VacationStarted { since_ms, .. } => Timestamp::from_millis(*since_ms),
            _ => at,
        };
        match (is_frozen, game.clock().is_frozen()) {
            (true, false) => game.freeze_clocks(since),
            (false, true) => game.thaw_clocks(at),
            (true, true) | (false, false) => {}
        }
    }

    /// Applies an event of the game: the next required event, or the first event of a new command.
    fn play(&mut self, at: Timestamp, event: &GameEvent) -> Result<()> {
        self.play_as_of(at, at, event)
    }

    /// Applies an event that takes effect at an earlier time than its own, such as a flag fall that
    /// is detected late.
    fn play_as_of(&mut self, then: Timestamp, at: Timestamp, event: &GameEvent) -> Result<()> {
        let game = self.game.as_mut().context("the match has not started")?;
        if let Some(due) = self.due.pop_front() {
            ensure!(*event == due, "the rules say {due:?} follows");
        } else if self.claimed.take().as_ref() != Some(event) {
            let command = command_behind(game, event)?;
            let decided = game.decide(&command, then)?;
            self.due = decided.into();
            let first = self.due.pop_front();
            ensure!(first.as_ref() == Some(event), "according to the rules, {command:?} causes {first:?}");
            if let GameCommand::Move { color, mv, .. } = command {
                self.moves += 1;
                let claim = game.decide(&GameCommand::Move { color, mv, claim_draw: true }, then);
                self.claimed = claim.ok().and_then(|events| events.into_iter().nth(1));
            }
        } else {
            self.due.clear();
        }
        game.apply(event, at);
        if self.due.is_empty() { self.agree_with_other_seats(at, event) } else { Ok(()) }
    }

    /// Handles a request or an agreement of a user. It counts for all seats that the user holds, so
    /// the events for the other seats must follow.
    fn agree_with_other_seats(&mut self, at: Timestamp, event: &GameEvent) -> Result<()> {
        let (GameEvent::Requested { request, color } | GameEvent::Agreed { request, color }) = *event else {
            return Ok(());
        };
        let game = self.game.as_ref().context("the match has not started")?;
        let Some(open) = game.request(request) else { return Ok(()) };
        let player = |color: &Color| self.stand_ins.get(color).or(self.seats.get(color));
        if player(&color).is_some_and(|player| self.bots.contains(player)) {
            return Ok(());
        }
        let waits = |other: &Color| player(other) == player(&color) && !open.agreed.contains(other);
        if let Some(color) = game.position().active_players().find(waits) {
            self.due = game.decide(&GameCommand::Agree { request, color }, at)?.into();
        }
        Ok(())
    }

    fn running(&mut self) -> Result<&mut Game> {
        self.game.as_mut().filter(|game| !game.is_over()).context("the match does not run")
    }

    fn opened(&self) -> Result<&Opened> {
        self.opened.as_ref().context("the match was not opened")
    }

    /// Returns the number of the last event.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Returns the number of moves.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// Returns true if the table has closed.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns true if no event must follow from the last command.
    pub fn is_settled(&self) -> bool {
        self.due.is_empty() && !self.pause_due
    }

    /// Returns true if the last move claimed a draw, so that the end may follow.
    pub fn may_end_by_claim(&self) -> bool {
        self.is_settled() && self.claimed.is_some()
    }

    /// Returns the game, once it has started.
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// Returns the id of the user on each seat.
    pub fn seats(&self) -> &BTreeMap<Color, String> {
        &self.seats
    }

    /// Returns the colors of the variant, in turn order.
    ///
    /// # Errors
    /// If the log has no `opened` event yet.
    pub fn colors(&self) -> Result<&'static [Color]> {
        Ok(self.opened()?.variant.colors())
    }

    /// Returns the current pieces; before the start, the pieces of the start position.
    ///
    /// # Errors
    /// If the log has no `opened` event yet.
    pub fn pieces(&self) -> Result<BTreeMap<Square, PieceCode>> {
        let code = |(square, piece)| (square, PieceCode::from(piece));
        if let Some(game) = &self.game {
            return Ok(game.position().pieces().map(code).collect());
        }
        let position = quadrex_rules::AnyPosition::new(&self.opened()?.setup)?;
        Ok(position.pieces().map(code).collect())
    }
}

/// Returns the command whose first event this is.
fn command_behind(game: &Game, event: &GameEvent) -> Result<GameCommand> {
    Ok(match *event {
        GameEvent::Moved { color, mv, .. } => GameCommand::Move { color, mv, claim_draw: false },
        GameEvent::Eliminated { color, cause: Cause::Resign, .. } => GameCommand::Resign { color },
        GameEvent::Eliminated { cause: Cause::Time, .. } => GameCommand::Flag,
        GameEvent::Eliminated { color, cause: Cause::Absence, .. } => GameCommand::Remove { color },
        GameEvent::Requested { request, color } => GameCommand::Ask { request, color },
        GameEvent::Agreed { request, color } => GameCommand::Agree { request, color },
        GameEvent::Declined { request, color } => GameCommand::Decline { request, color },
        GameEvent::Aborted { cause: AbortCause::FirstMove } if game.clock().running().is_some() => {
            GameCommand::Flag
        }
        GameEvent::Aborted { cause } => GameCommand::Abort { cause },
        GameEvent::Ended { reason: Reason::Resign, ref places } => {
            let loser = places.iter().max_by_key(|&(_, place)| place).context("nobody played")?;
            GameCommand::Resign { color: loser.0 }
        }
        GameEvent::Ended { reason: Reason::Time, .. } => GameCommand::Flag,
        GameEvent::Ended { reason: Reason::Absence, .. } => {
            GameCommand::Remove { color: game.position().turn() }
        }
        GameEvent::Ended { reason: Reason::Repetition | Reason::Moves, .. } => {
            GameCommand::ClaimDraw { color: game.position().turn() }
        }
        _ => bail!("no command causes this event"),
    })
}

/// Converts an event of the log to an event of the rules.
fn game_event(event: &Event) -> Result<GameEvent> {
    event.to_rules().context("this is not an event of the game")
}
