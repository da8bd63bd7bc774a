//! Lag compensation. For each move, the player's clock is credited with the round-trip time of the
//! connection that the server has measured.
//!
//! The credit for a move is the round-trip time, but at most 300 ms. It comes from the player's lag
//! bank, which has one second at the start and gains 100 ms with each move of the player. Programs
//! get no credit. When a clock has run out, the server waits for the largest credit that a move
//! could get, because such a move would still be in time.

use std::time::Duration;

use quadrex_rules::{ByColor, Color};

use super::attendance::ConnectedPlayer;

/// The largest credit for one move.
const MAX_CREDIT: Duration = Duration::from_millis(300);

/// The time in a lag bank at the start of a match.
const START_BALANCE: Duration = Duration::from_secs(1);

/// The time that each move of a player adds to the player's lag bank.
const PER_MOVE: Duration = Duration::from_millis(100);

/// The lag bank of each player, and the round-trip time of the player's connection.
#[derive(Clone, Debug)]
pub(crate) struct LagBanks {
    banks: ByColor<Duration>,
    round_trips: ByColor<Duration>,
}

impl LagBanks {
    /// Returns the banks at the start of a match, without any measured round-trip time.
    pub(crate) fn new() -> Self {
        Self { banks: ByColor::from_fn(|_| START_BALANCE), round_trips: ByColor::from_fn(|_| Duration::ZERO) }
    }

    /// Records a move and its credit.
    pub(crate) fn record_move(&mut self, color: Color, credit: Duration) {
        self.banks[color] = self.banks[color].saturating_sub(credit) + PER_MOVE;
    }

    /// Replaces the round-trip times. Those of players who are not connected become zero.
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

    /// Returns the largest possible credit for the next move of a player.
    pub(crate) fn credit_limit(&self, color: Color) -> Duration {
        self.round_trips[color].min(self.banks[color]).min(MAX_CREDIT)
    }
}
