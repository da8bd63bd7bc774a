//! Who of the players is there, and what is left of their reconnect banks.
//!
//! A bank runs down only on its own player's turn, while no line of the player watches. When it is empty, the table's
//! absence policy acts. What a player has spent of it is in the log with its moves, and with the interruptions of a
//! turn; what runs now is kept beside the log ([`TurnAway`]), so that a server that is killed gives nothing back.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::settings::Absence;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{PlayerView, Presence};
use quadrex_rules::{AbortCause, ByColor, Color, GameCommand, Timestamp};

use super::command::Rejection;
use super::state::{Stage, TableState};
use quadrex_store::TurnAway;

/// A player who has a line that watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Here {
    /// Who.
    pub color: Color,
    /// How long its line takes for a question and its answer; zero if that is not known, or not compensated.
    pub round_trip: Duration,
}

/// Who is there, and what has been spent. Time spent is whole milliseconds.
#[derive(Clone, Debug)]
pub(super) struct Attendance {
    here: ByColor<bool>,
    /// Spent of each bank as the log has it.
    logged: ByColor<Duration>,
    /// Spent of each bank in all, but for what runs now.
    spent: ByColor<Duration>,
    /// Whose bank runs since when; may lie ahead.
    running: Option<(Color, Timestamp)>,
    /// No bank runs before: the grace after an interruption.
    not_before: Timestamp,
    /// The last event that changed whose turn it is, or what the log has of the bank of the player to move.
    basis: u64,
}

impl Attendance {
    /// Everybody is there until something else is [noticed](TableState::notice), and has a full bank.
    pub(super) fn new() -> Self {
        Self {
            here: ByColor::from_fn(|_| true),
            logged: ByColor::from_fn(|_| Duration::ZERO),
            spent: ByColor::from_fn(|_| Duration::ZERO),
            running: None,
            not_before: Timestamp::from_millis(0),
            basis: 0,
        }
    }

    pub(super) fn is_here(&self, color: Color) -> bool {
        self.here[color]
    }

    /// Whose bank runs.
    pub(super) fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// What `color` has spent of its bank at `now`.
    fn spent(&self, color: Color, now: Timestamp) -> Duration {
        let running = match self.running {
            Some((running, since)) if running == color => now.since(since),
            _ => Duration::ZERO,
        };
        self.spent[color] + running
    }

    /// What `color` has spent at `now` that the log does not have yet.
    pub(super) fn unlogged(&self, color: Color, now: Timestamp) -> Duration {
        self.spent(color, now).saturating_sub(self.logged[color])
    }

    /// The log has so much more of what `color` spent.
    pub(super) fn log(&mut self, color: Color, away: Duration) {
        self.logged[color] += away;
        self.spent[color] = self.logged[color];
        self.running = self.running.filter(|(running, _)| *running != color);
    }

    /// From `at` on this one's bank runs and no other.
    fn run(&mut self, whose: Option<Color>, at: Timestamp) {
        if whose == self.running() {
            return;
        }
        if let Some((color, since)) = self.running.take() {
            self.spent[color] += at.since(since);
        }
        self.running = whose.map(|color| (color, at.max(self.not_before)));
    }

    /// A bank runs up to `until`, and then from `resumes` on only.
    pub(super) fn pass_over(&mut self, until: Timestamp, resumes: Timestamp) {
        if let Some((color, since)) = &mut self.running {
            self.spent[*color] += until.since(*since);
            *since = resumes;
        }
        self.not_before = resumes;
    }

    /// With this event the turn is another's, or the log has what the player to move has spent.
    pub(super) fn rest_on(&mut self, event: u64) {
        self.basis = event;
    }

    /// When the bank that runs is empty.
    pub(super) fn deadline(&self, bank: Duration) -> Option<Timestamp> {
        let (color, since) = self.running?;
        Some(since + bank.saturating_sub(self.spent[color]))
    }
}

impl TableState {
    /// These players have a line that watches at `at`, the others have none.
    pub fn notice(&mut self, here: &[Here], at: Timestamp) {
        self.attendance.here = ByColor::from_fn(|_| false);
        let mut round_trips = ByColor::from_fn(|_| Duration::ZERO);
        for &Here { color, round_trip } in here {
            self.attendance.here[color] = true;
            round_trips[color] = round_trip;
        }
        self.lag.measure(round_trips);
        self.recount(at);
    }

    /// The players who were [noticed](Self::notice) last.
    #[must_use]
    pub fn noticed(&self) -> Vec<Here> {
        let colors = self.seats().iter().map(|seat| seat.color);
        let here = colors.filter(|color| self.attendance.is_here(*color));
        here.map(|color| Here { color, round_trip: self.lag.round_trip(color) }).collect()
    }

    /// Lets the right bank run from `at` on: that of the player to move, if it is not there.
    ///
    /// None runs while the clocks are frozen, nor where a player has its own time for its first move.
    pub(super) fn recount(&mut self, at: Timestamp) {
        let whose = match self.stage() {
            Stage::Running(game) if self.bank().is_some() && !game.clock().is_frozen() => {
                let turn = game.position().turn();
                let is_spared = game.clock().turn_is_first() && game.config().time.base().is_some();
                (!self.is_attended(turn) && !is_spared).then_some(turn)
            }
            _ => None,
        };
        self.attendance.run(whose, at);
    }

    /// What the log lacks of the bank of the player to move.
    pub(super) fn turn_away(&self) -> Option<TurnAway> {
        let color = self.turn().filter(|_| self.bank().is_some())?;
        let Attendance { spent, logged, running, basis, .. } = &self.attendance;
        let since = running.filter(|(running, _)| *running == color).map(|(_, since)| since);
        Some(TurnAway { basis: *basis, spent: spent[color].saturating_sub(logged[color]), since })
    }

    /// Takes in what was kept beside the log by a server that is known to have run until `alive`; nothing if the log has
    /// gone on since.
    pub(super) fn recall(&mut self, kept: &TurnAway, alive: Timestamp) {
        if let Some(color) = self.turn().filter(|_| kept.basis == self.attendance.basis) {
            let ran = kept.since.map_or(Duration::ZERO, |since| alive.since(since));
            self.attendance.spent[color] = self.attendance.logged[color] + kept.spent + ran;
        }
    }

    /// How much a full reconnect bank holds; none in correspondence.
    pub(super) fn bank(&self) -> Option<Duration> {
        self.game()?.config().time.reconnect_bank()
    }

    /// How a seat's player is there at `now`.
    pub(super) fn presence(&self, color: Color, now: Timestamp) -> PlayerView {
        let view = |presence, left_ms, bank_running| PlayerView {
            color,
            presence,
            bank_left_ms: left_ms,
            bank_running,
        };
        if self.attendance.is_here(color) || self.holder(color).is_some_and(UserView::is_served) {
            return view(Presence::Connected, None, false);
        }
        let left = match self.stage() {
            Stage::Running(game) if game.position().is_in(color) => self.bank(),
            _ => None,
        };
        let left = left.map(|bank| bank.saturating_sub(self.attendance.spent(color, now)));
        match left {
            Some(left) if !left.is_zero() => {
                let left_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
                view(Presence::Reconnecting, Some(left_ms), self.attendance.running() == Some(color))
            }
            _ => view(Presence::Gone, None, false),
        }
    }

    /// The bank of the player to move is said to be empty.
    pub(super) fn decide_bank(&self, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let empty = self.bank().and_then(|bank| self.attendance.deadline(bank));
        match (self.attendance.running(), empty) {
            (Some(color), Some(empty)) if empty <= now => self.decide_absence(color, now),
            _ => Err(Rejection::NotDue),
        }
    }

    /// What becomes of a player who stayed away, or did nothing, for too long. Who has never moved aborts the match.
    pub(super) fn decide_absence(&self, color: Color, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let has_moved = self.game().is_some_and(|game| game.clock().has_moved(color));
        match self.terms().settings.absence {
            Absence::Wait => Ok(vec![Event::Waiting { color }]),
            Absence::Eliminate | Absence::Bot if !has_moved => {
                self.ask_rules(&GameCommand::Abort { cause: AbortCause::FirstMove }, now)
            }
            Absence::Bot if !self.is_played_by_bot(color) => Ok(vec![self.stood_in(color)]),
            Absence::Eliminate | Absence::Bot => self.ask_rules(&GameCommand::Remove { color }, now),
        }
    }
}
