//! The timer of a turn, which serves the move limit of a match without clocks.

use std::time::Duration;

use quadrex_rules::{Color, Timestamp};

/// The timer of the current turn. It does not count suspensions and interruptions.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoveTimer {
    turn: Option<Color>,
    /// The moment from which the timer runs, which may be in the future; `None` while it is
    /// stopped.
    since: Option<Timestamp>,
    /// The time that was counted before this moment.
    spent: Duration,
}

impl MoveTimer {
    /// Updates the timer after an event. A new turn restarts it, and a suspension stops it.
    pub(crate) fn update(
        &mut self,
        turn: Option<Color>,
        is_new_turn: bool,
        is_suspended: bool,
        at: Timestamp,
    ) {
        if turn != self.turn || is_new_turn {
            *self = Self { turn, since: turn.map(|_| at), spent: Duration::ZERO };
        }
        if !is_suspended {
            self.since = self.since.or(self.turn.map(|_| at));
        } else if let Some(since) = self.since.take() {
            self.spent += at.since(since);
        }
    }

    /// Skips the time of an interruption. Time counts up to `until`, and then again from `resumes`
    /// on.
    pub(crate) fn skip_time(&mut self, until: Timestamp, resumes: Timestamp) {
        if let Some(since) = &mut self.since {
            self.spent += until.since(*since);
            *since = resumes;
        }
    }

    /// Returns the time that was counted in this turn, at `now`.
    pub(crate) fn spent(&self, now: Timestamp) -> Duration {
        self.spent + self.since.map_or(Duration::ZERO, |since| now.since(since))
    }

    /// Returns the moment at which the timer reaches a limit, if the timer runs.
    pub(crate) fn deadline(&self, limit: Duration) -> Option<Timestamp> {
        Some(self.since? + limit.saturating_sub(self.spent))
    }
}
