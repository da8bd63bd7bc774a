//! The clocks of a match.

use core::time::Duration;

use super::time_control::{TimeControl, whole_millis};
use crate::color::{ByColor, Color};
use crate::timestamp::Timestamp;

/// The remaining time (the budget) of every player, and the running turn.
///
/// A player's budget does not run before the player's first move. The first move has its own time
/// limit: 30 seconds, or in correspondence the time of a turn. If a player exceeds this limit, the
/// match is aborted. While the clocks are frozen, no time runs. In a match without clocks there is
/// a running turn, but no player has a remaining time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    control: TimeControl,
    left: ByColor<Duration>,
    moved: ByColor<bool>,
    turn: Option<Turn>,
    frozen: bool,
}

/// A turn whose time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    color: Color,
    /// The start of the turn, which may be in the future.
    since: Timestamp,
    /// The time at the beginning of the turn that is not charged to the player.
    free: Duration,
}

/// A player whose time has expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExpiredClock {
    pub(super) color: Color,
    /// True if the player has made its first move.
    pub(super) has_moved: bool,
}

impl Clocks {
    /// Returns full clocks, with the turn of `color` running from `since`.
    pub(super) fn start(control: TimeControl, color: Color, since: Timestamp) -> Self {
        let base = control.base().unwrap_or_default();
        let turn = Turn { color, since, free: control.free(false) };
        Self {
            control,
            left: ByColor::from_fn(|_| base),
            moved: ByColor::from_fn(|_| false),
            turn: Some(turn),
            frozen: false,
        }
    }

    /// Returns the player whose clock runs: the player to move, until the match ends. `None` if the
    /// match has no clocks or if the clocks are frozen.
    #[must_use]
    pub fn running(&self) -> Option<Color> {
        self.control.base()?;
        self.turn.filter(|_| !self.frozen).map(|turn| turn.color)
    }

    /// Returns whether the clocks are stopped until they are [thawed](super::Game::thaw_clocks).
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// Returns whether `color` has made its first move. A move that was taken back counts too.
    #[must_use]
    pub fn has_moved(&self, color: Color) -> bool {
        self.moved[color]
    }

    /// Returns whether the player to move is about to make its first move. With clocks, the match
    /// is aborted when the time for the first move expires.
    #[must_use]
    pub fn turn_is_first(&self) -> bool {
        self.turn.is_some_and(|turn| !self.moved[turn.color])
    }

    /// Returns the time `color` has left at `now`. `None` without clocks.
    #[must_use]
    pub fn remaining(&self, color: Color, now: Timestamp) -> Option<Duration> {
        self.control.base()?;
        let (_, charged) = self.free_and_charged(now);
        let left = self.left[color];
        Some(match self.turn {
            Some(turn) if turn.color == color => left.saturating_sub(charged),
            _ => left,
        })
    }

    /// Returns the free time that the player to move has left at `now`.
    #[must_use]
    pub fn free(&self, now: Timestamp) -> Duration {
        self.turn.map_or(Duration::ZERO, |turn| turn.free.saturating_sub(self.free_and_charged(now).0))
    }

    /// Returns whether unused time carries over from turn to turn. Time does not carry over in
    /// correspondence and without clocks.
    #[must_use]
    pub fn keeps_time(&self) -> bool {
        self.control.base().is_some() && self.control.time_per_turn().is_none()
    }

    /// Returns the charged time of the present turn up to `now`. The charged time may exceed the
    /// remaining time.
    #[must_use]
    pub fn paid(&self, now: Timestamp) -> Duration {
        self.free_and_charged(now).1
    }

    /// Returns the moment at which the time of the player to move expires. `None` without clocks,
    /// while the clocks are frozen, and after the end of the match.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        let color = self.running()?;
        let turn = self.turn?;
        let budget = if self.is_first_move_free(color) { Duration::ZERO } else { self.left[color] };
        Some(turn.since + turn.free.saturating_add(budget))
    }

    /// Returns the player whose time has expired at `now`.
    pub(super) fn expired_clock(&self, now: Timestamp) -> Option<ExpiredClock> {
        let color = self.running()?;
        (now >= self.deadline()?).then_some(ExpiredClock { color, has_moved: self.moved[color] })
    }

    /// Returns the time that `color`, the player to move, has left after a move at `now`, in
    /// milliseconds. `None` if no time carries over from turn to turn.
    pub(super) fn left_ms_after_move(&self, color: Color, now: Timestamp) -> Option<u64> {
        if self.control.time_per_turn().is_some() {
            return None;
        }
        let left = self.remaining(color, now)?;
        Some(whole_millis(left.saturating_add(self.control.increment())))
    }

    /// Returns the remaining time of the player to move at `now`, in milliseconds. `None` if no
    /// time carries over from turn to turn.
    pub(super) fn running_left_ms(&self, now: Timestamp) -> Option<u64> {
        if self.control.time_per_turn().is_some() {
            return None;
        }
        self.remaining(self.turn?.color, now).map(whole_millis)
    }

    /// Finishes a move: stops the clock of the player to move, and sets the player's remaining time
    /// to the recorded time `left_ms`.
    pub(super) fn finish_move(&mut self, left_ms: Option<u64>) {
        if let Some(turn) = self.turn {
            self.moved[turn.color] = true;
        }
        self.record_left(left_ms);
    }

    /// Stops the clock of the player to move, and sets the player's remaining time to the recorded
    /// time `left_ms`.
    pub(super) fn record_left(&mut self, left_ms: Option<u64>) {
        if let (Some(turn), Some(left_ms)) = (self.turn.take(), left_ms) {
            self.left[turn.color] = Duration::from_millis(left_ms);
        }
    }

    /// Charges the turn that ran until `since`, and starts `color`'s turn at that time.
    pub(super) fn run(&mut self, color: Color, since: Timestamp) {
        self.charge(since);
        if let Some(fresh) = self.control.time_per_turn() {
            self.left[color] = fresh;
        }
        self.turn = Some(Turn { color, since, free: self.control.free(self.moved[color]) });
    }

    /// Charges the time of the present turn up to `until` to the player to move.
    pub(super) fn charge(&mut self, until: Timestamp) {
        let (free, charged) = self.free_and_charged(until);
        if let Some(turn) = &mut self.turn {
            turn.free = turn.free.saturating_sub(free);
            turn.since = turn.since.max(until);
            self.left[turn.color] = self.left[turn.color].saturating_sub(charged);
        }
    }

    /// Stops all time from `at` on.
    pub(super) fn freeze(&mut self, at: Timestamp) {
        self.charge(at);
        self.frozen = true;
    }

    /// Restarts all time at `at`.
    pub(super) fn thaw(&mut self, at: Timestamp) {
        self.frozen = false;
        self.restart(at);
    }

    /// Stops the clocks for good.
    pub(super) fn stop(&mut self, at: Timestamp) {
        self.charge(at);
        self.turn = None;
    }

    /// Sets the start of the present turn to `at`.
    pub(super) fn restart(&mut self, at: Timestamp) {
        if let Some(turn) = &mut self.turn {
            turn.since = at;
        }
    }

    /// Returns whether the budget of `color` does not run yet, because `color` has not made its
    /// first move.
    fn is_first_move_free(&self, color: Color) -> bool {
        self.control.has_free_first_move() && !self.moved[color]
    }

    /// Returns the free part and the charged part of the present turn up to `now`.
    fn free_and_charged(&self, now: Timestamp) -> (Duration, Duration) {
        let Some(turn) = self.turn.filter(|_| !self.frozen) else { return Default::default() };
        let spent = now.since(turn.since);
        let free = spent.min(turn.free);
        if self.is_first_move_free(turn.color) {
            (free, Duration::ZERO)
        } else {
            (free, spent.saturating_sub(free))
        }
    }
}
