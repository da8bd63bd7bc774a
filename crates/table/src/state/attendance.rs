//! The attendance of the players, and their reconnect banks.
//!
//! A player's bank runs only while it is the player's turn and no connection of the player watches
//! the table. When the bank is empty, the table's absence policy applies. The event of a move, or
//! of an interruption, records the time that the player has spent from the bank in this turn. The
//! time of the current turn is therefore not in the log yet, and the store keeps it beside the log
//! ([`TurnAbsence`]). Without that copy a player would get the time back whenever the server is
//! killed.

use std::time::Duration;

use quadrex_protocol::TurnAbsence;
use quadrex_rules::{ByColor, Color, Timestamp};

/// A player who watches the table over at least one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectedPlayer {
    /// The player's color.
    pub color: Color,
    /// The round-trip time of the connection. Zero if it is unknown or if lag is not compensated.
    pub round_trip: Duration,
}

/// The connected players, and the time that each player has spent from the bank. Times are whole
/// milliseconds.
#[derive(Clone, Debug)]
pub(crate) struct Attendance {
    connected: ByColor<bool>,
    /// The time that each player has spent from the bank according to the log.
    logged: ByColor<Duration>,
    /// The time that each player has spent from the bank in all, without the time for which the
    /// running bank has been running.
    spent: ByColor<Duration>,
    /// The player whose bank runs, and the moment from which it runs. That moment may be in the
    /// future.
    running: Option<(Color, Timestamp)>,
    /// The end of the grace period after an interruption. No bank runs before this moment.
    not_before: Timestamp,
    /// The number of the last event that changed the turn or the logged time of the player to move.
    basis: u64,
}

impl Attendance {
    /// Returns the attendance at the start of a match: all banks are full. All players count as
    /// connected until the first call of [`set_connected`](Self::set_connected).
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

    /// Returns the player whose bank runs.
    pub(crate) fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// Returns the time that `color` has spent from its bank until `now`.
    pub(crate) fn spent(&self, color: Color, now: Timestamp) -> Duration {
        let running = match self.running {
            Some((running, since)) if running == color => now.since(since),
            _ => Duration::ZERO,
        };
        self.spent[color] + running
    }

    /// Returns the part of the time spent by `color` until `now` that the log does not have yet.
    pub(crate) fn unlogged_time(&self, color: Color, now: Timestamp) -> Duration {
        self.spent(color, now).saturating_sub(self.logged[color])
    }

    /// Adds a time that `color` has spent according to the log, and stops its bank.
    pub(crate) fn record_logged(&mut self, color: Color, spent: Duration) {
        self.logged[color] += spent;
        self.spent[color] = self.logged[color];
        self.running = self.running.filter(|(running, _)| *running != color);
    }

    /// Lets the bank of `color` run from `at` on, and stops all other banks. `None` stops all
    /// banks.
    pub(crate) fn run_bank(&mut self, color: Option<Color>, at: Timestamp) {
        if color == self.running() {
            return;
        }
        if let Some((running, since)) = self.running.take() {
            self.spent[running] += at.since(since);
        }
        self.running = color.map(|color| (color, at.max(self.not_before)));
    }

    /// Skips the time of an interruption: the running bank stops at `until` and continues at
    /// `resumes`, and no bank runs before `resumes`.
    pub(crate) fn skip_time(&mut self, until: Timestamp, resumes: Timestamp) {
        if let Some((color, since)) = &mut self.running {
            self.spent[*color] += until.since(*since);
            *since = resumes;
        }
        self.not_before = resumes;
    }

    /// Records that the event with this number changed the turn, or logged the time of the player
    /// to move.
    pub(crate) fn set_basis(&mut self, seq: u64) {
        self.basis = seq;
    }

    /// Returns the moment at which the running bank will be empty. Returns `None` if no bank runs.
    /// `full_bank` is the time in each player's bank at the start of the match.
    pub(crate) fn deadline(&self, full_bank: Duration) -> Option<Timestamp> {
        let (color, since) = self.running?;
        Some(since + full_bank.saturating_sub(self.spent[color]))
    }

    /// Returns the part of the time spent by the player to move that the log does not have yet, in
    /// the form in which the store keeps it.
    pub(crate) fn turn_absence(&self, turn: Color) -> TurnAbsence {
        let since = self.running.filter(|(running, _)| *running == turn).map(|(_, since)| since);
        TurnAbsence { basis: self.basis, spent: self.spent[turn].saturating_sub(self.logged[turn]), since }
    }

    /// Restores the time that a server stored beside the log. If the bank was running, the player
    /// is charged until `alive`, the last moment at which that server is known to have run. Does
    /// nothing if the log has a later event that changed the turn or recorded this time.
    pub(crate) fn restore(&mut self, turn: Color, stored: &TurnAbsence, alive: Timestamp) {
        if stored.basis == self.basis {
            let ran = stored.since.map_or(Duration::ZERO, |since| alive.since(since));
            self.spent[turn] = self.logged[turn] + stored.spent + ran;
        }
    }
}
