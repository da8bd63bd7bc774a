//! Lag compensation: a player gets back the round-trip time, as far as the server has measured it.
//!
//! A move is credited the round-trip time of its player's connection, 300 ms at most, from a bank of a
//! second plus 100 ms for each own move. Programs are credited nothing. The flag waits for as long as a
//! move could be credited.

use std::time::Duration;

use quadrex_rules::{ByColor, Color};

use super::attendance::ConnectedPlayer;

/// Largest credit of one move.
const MAX_CREDIT: Duration = Duration::from_millis(300);

/// Content of a bank at the start.
const START: Duration = Duration::from_secs(1);

/// Time that each own move adds to the bank.
const PER_MOVE: Duration = Duration::from_millis(100);

/// The lag bank of each player, and the round-trip time of its connection.
#[derive(Clone, Debug)]
pub(crate) struct LagBanks {
    banks: ByColor<Duration>,
    round_trips: ByColor<Duration>,
}

impl LagBanks {
    /// Returns full banks without any measured connection.
    pub(crate) fn new() -> Self {
        Self { banks: ByColor::from_fn(|_| START), round_trips: ByColor::from_fn(|_| Duration::ZERO) }
    }

    /// Records a move and its credit.
    pub(crate) fn log(&mut self, color: Color, credited: Duration) {
        self.banks[color] = self.banks[color].saturating_sub(credited) + PER_MOVE;
    }

    /// Replaces the round-trip times; those of disconnected players are zero.
    pub(crate) fn set_round_trips(&mut self, players: &[ConnectedPlayer]) {
        self.round_trips = ByColor::from_fn(|_| Duration::ZERO);
        for player in players {
            self.round_trips[player.color] = player.round_trip;
        }
    }

    /// Returns the round-trip time of a player's connection.
    pub(crate) fn round_trip(&self, color: Color) -> Duration {
        self.round_trips[color]
    }

    /// Returns the largest credit of the next move of a player.
    pub(crate) fn credit_limit(&self, color: Color) -> Duration {
        self.round_trips[color].min(self.banks[color]).min(MAX_CREDIT)
    }
}
