//! The time of a turn, for the move limit of a match without clocks.

use std::time::Duration;

use quadrex_rules::{Color, Timestamp};

/// The time of the present turn, without suspensions and interruptions.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoveTimer {
    turn: Option<Color>,
    /// The moment it runs from, which may be in the future; `None` while it is stopped.
    since: Option<Timestamp>,
    /// Time of the turn before that moment.
    spent: Duration,
}

impl MoveTimer {
    /// Continues the timer after an event: restarts it with a new turn, and stops it in a suspension.
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

    /// Counts the time up to `until`, and then again from `resumes` on.
    pub(crate) fn skip_time(&mut self, until: Timestamp, resumes: Timestamp) {
        if let Some(since) = &mut self.since {
            self.spent += until.since(*since);
            *since = resumes;
        }
    }

    /// Returns the time of the turn at `now`.
    pub(crate) fn spent(&self, now: Timestamp) -> Duration {
        self.spent + self.since.map_or(Duration::ZERO, |since| now.since(since))
    }

    /// Returns the moment at which the turn reaches a limit, if the timer runs.
    pub(crate) fn deadline(&self, limit: Duration) -> Option<Timestamp> {
        Some(self.since? + limit.saturating_sub(self.spent))
    }
}
