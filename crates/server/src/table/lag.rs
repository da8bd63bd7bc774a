//! Lag compensation: what the line cost a player is given back, as far as the server itself has measured it.
//!
//! A move is credited the round trip of its player's line, 300 ms at most, from a bank of a second and 100 ms for each
//! own move. Programs are credited nothing. The flag waits for as long as a move could be credited.

use std::time::Duration;

use quadrex_rules::{ByColor, Color, Timestamp};

use super::state::{Stage, TableState};

/// The most that one move is credited.
const MOST: Duration = Duration::from_millis(300);

/// What a bank holds at the start.
const START: Duration = Duration::from_secs(1);

/// What each own move puts into it.
const PER_MOVE: Duration = Duration::from_millis(100);

/// What each player may still be credited, and how long its line takes.
#[derive(Clone, Debug)]
pub(super) struct Lag {
    banks: ByColor<Duration>,
    round_trips: ByColor<Duration>,
}

impl Lag {
    /// Full banks; no line is measured yet.
    pub(super) fn new() -> Self {
        Self { banks: ByColor::from_fn(|_| START), round_trips: ByColor::from_fn(|_| Duration::ZERO) }
    }

    /// Takes in a move that was credited so much.
    pub(super) fn log(&mut self, color: Color, credited: Duration) {
        self.banks[color] = self.banks[color].saturating_sub(credited) + PER_MOVE;
    }

    /// The round trips of the players' lines, as last measured.
    pub(super) fn measure(&mut self, round_trips: ByColor<Duration>) {
        self.round_trips = round_trips;
    }

    /// The round trip of a player's line.
    pub(super) fn round_trip(&self, color: Color) -> Duration {
        self.round_trips[color]
    }

    fn most(&self, color: Color) -> Duration {
        self.round_trips[color].min(self.banks[color]).min(MOST)
    }
}

impl TableState {
    /// What a move that the player to move makes at `now` is credited: no more than the turn has cost it.
    pub(super) fn lag_credit(&self, now: Timestamp) -> Duration {
        match self.stage() {
            Stage::Running(game) => self.flag_waits().min(game.clock().paid(now)),
            Stage::Open | Stage::Ended(_) => Duration::ZERO,
        }
    }

    /// How long the flag of the player to move waits after its time is up, for a move that may be on its way. Days are
    /// not counted so closely, and a first move costs nothing.
    pub(super) fn flag_waits(&self) -> Duration {
        match self.stage() {
            Stage::Running(game) if game.clock().keeps_time() && !game.clock().turn_is_first() => {
                self.lag.most(game.position().turn())
            }
            Stage::Running(_) | Stage::Open | Stage::Ended(_) => Duration::ZERO,
        }
    }
}

/// The moment so long before another.
pub(super) fn before(moment: Timestamp, by: Duration) -> Timestamp {
    let by = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
    Timestamp::from_millis(moment.as_millis().saturating_sub(by))
}
