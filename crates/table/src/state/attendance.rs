//! Attendance of the players, and their reconnect banks.
//!
//! A bank runs down only on its own player's turn, while no connection of the player watches. When it
//! is empty, the table's absence policy acts. The time spent from it is in the log with the moves, and
//! with the interruptions of a turn; a running bank is stored beside the log ([`TurnAbsence`]), so that a
//! server that is killed gives nothing back.

use std::time::Duration;

use quadrex_protocol::TurnAbsence;
use quadrex_rules::{ByColor, Color, Timestamp};

/// A player with a connection that watches the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectedPlayer {
    /// The color.
    pub color: Color,
    /// The round-trip time of the connection; zero if it is unknown, or not compensated.
    pub round_trip: Duration,
}

/// The connected players, and the time spent from each bank, in whole milliseconds.
#[derive(Clone, Debug)]
pub(crate) struct Attendance {
    connected: ByColor<bool>,
    /// Time spent from each bank according to the log.
    logged: ByColor<Duration>,
    /// Time spent from each bank in all, without the running one.
    spent: ByColor<Duration>,
    /// The running bank and the moment it runs from, which may be in the future.
    running: Option<(Color, Timestamp)>,
    /// The end of the grace after an interruption: no bank runs before.
    not_before: Timestamp,
    /// The last event that changed the turn, or the logged time of the player to move.
    basis: u64,
}

impl Attendance {
    /// Returns an attendance of full banks, with all players connected until
    /// [`set_connected`](Self::set_connected) says otherwise.
    pub(crate) fn new() -> Self {
        Self {
            connected: ByColor::from_fn(|_| true),
            logged: ByColor::from_fn(|_| Duration::ZERO),
            spent: ByColor::from_fn(|_| Duration::ZERO),
            running: None,
            not_before: Timestamp::from_millis(0),
            basis: 0,
        }
    }

    /// Replaces the set of connected players.
    pub(crate) fn set_connected(&mut self, players: &[ConnectedPlayer]) {
        self.connected = ByColor::from_fn(|_| false);
        for player in players {
            self.connected[player.color] = true;
        }
    }

    pub(crate) fn is_connected(&self, color: Color) -> bool {
        self.connected[color]
    }

    /// Returns the color whose bank runs.
    pub(crate) fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// Returns the time that `color` has spent from its bank at `now`.
    pub(crate) fn spent(&self, color: Color, now: Timestamp) -> Duration {
        let running = match self.running {
            Some((running, since)) if running == color => now.since(since),
            _ => Duration::ZERO,
        };
        self.spent[color] + running
    }

    /// Returns the time that `color` has spent at `now` and that the log does not have yet.
    pub(crate) fn unlogged(&self, color: Color, now: Timestamp) -> Duration {
        self.spent(color, now).saturating_sub(self.logged[color])
    }

    /// Adds time that the log has for `color`, and stops its bank.
    pub(crate) fn log(&mut self, color: Color, away: Duration) {
        self.logged[color] += away;
        self.spent[color] = self.logged[color];
        self.running = self.running.filter(|(running, _)| *running != color);
    }

    /// Runs this color's bank from `at` on, or none.
    pub(crate) fn run(&mut self, color: Option<Color>, at: Timestamp) {
        if color == self.running() {
            return;
        }
        if let Some((running, since)) = self.running.take() {
            self.spent[running] += at.since(since);
        }
        self.running = color.map(|color| (color, at.max(self.not_before)));
    }

    /// Charges the running bank up to `until`, and lets no bank run before `resumes`.
    pub(crate) fn skip_time(&mut self, until: Timestamp, resumes: Timestamp) {
        if let Some((color, since)) = &mut self.running {
            self.spent[*color] += until.since(*since);
            *since = resumes;
        }
        self.not_before = resumes;
    }

    /// Records that this event changed the turn, or logged the time of the player to move.
    pub(crate) fn rest_on(&mut self, event: u64) {
        self.basis = event;
    }

    /// Returns the moment at which the running bank is empty.
    pub(crate) fn deadline(&self, bank: Duration) -> Option<Timestamp> {
        let (color, since) = self.running?;
        Some(since + bank.saturating_sub(self.spent[color]))
    }

    /// Returns the time of the player to move that the log does not have.
    pub(crate) fn turn_absence(&self, turn: Color) -> TurnAbsence {
        let since = self.running.filter(|(running, _)| *running == turn).map(|(_, since)| since);
        TurnAbsence { basis: self.basis, spent: self.spent[turn].saturating_sub(self.logged[turn]), since }
    }

    /// Restores time that a server stored beside the log and that is known to have run until `alive`.
    /// Does nothing if the log has a later event that settles it.
    pub(crate) fn restore(&mut self, turn: Color, stored: &TurnAbsence, alive: Timestamp) {
        if stored.basis == self.basis {
            let ran = stored.since.map_or(Duration::ZERO, |since| alive.since(since));
            self.spent[turn] = self.logged[turn] + stored.spent + ran;
        }
    }
}
