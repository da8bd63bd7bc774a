//! The timer of a turn. It measures the time that counts against the move limit of a match without
//! clocks.

use std::time::Duration;

use quadrex_rules::{Color, Timestamp};

/// The timer of the current turn. It does not count suspensions and interruptions.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoveTimer {
    turn: Option<Color>,
    /// The moment from which the timer runs; `None` while the timer is stopped. The moment may be
    /// in the future.
    since: Option<Timestamp>,
    /// The time of the turn that was counted before `since`.
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

    /// Skips the time of an interruption. The time up to `until` counts, and then the time from
    /// `resumes` on.
    pub(crate) fn skip_time(&mut self, until: Timestamp, resumes: Timestamp) {
        if let Some(since) = &mut self.since {
            self.spent += until.since(*since);
            *since = resumes;
        }
    }

    /// Returns the time of this turn that counts until `now`.
    pub(crate) fn spent(&self, now: Timestamp) -> Duration {
        self.spent + self.since.map_or(Duration::ZERO, |since| now.since(since))
    }

    /// Returns the moment at which the timer reaches a limit, if the timer runs.
    pub(crate) fn deadline(&self, limit: Duration) -> Option<Timestamp> {
        Some(self.since? + limit.saturating_sub(self.spent))
    }
}
