//! How long one may think about a move where there are no clocks: who takes longer counts as absent, also if present.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::settings::Absence;
use quadrex_rules::{Color, Timestamp};

use super::command::Rejection;
use super::state::{Stage, TableState};

/// How long the present turn has lasted, standstills not counted.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveTimer {
    turn: Option<Color>,
    /// Since when it runs; `None` while it stands still. May lie ahead.
    since: Option<Timestamp>,
    /// What of the turn went by before.
    spent: Duration,
}

impl MoveTimer {
    /// A turn begins, or the match is over.
    fn begin(&mut self, turn: Option<Color>, at: Timestamp) {
        *self = Self { turn, since: turn.map(|_| at), spent: Duration::ZERO };
    }

    fn stop(&mut self, at: Timestamp) {
        if let Some(since) = self.since.take() {
            self.spent += at.since(since);
        }
    }

    fn go_on(&mut self, at: Timestamp) {
        self.since = self.since.or(self.turn.map(|_| at));
    }

    /// It counts up to `until`, and then from `resumes` on only.
    pub(super) fn pass_over(&mut self, until: Timestamp, resumes: Timestamp) {
        if let Some(since) = &mut self.since {
            self.spent += until.since(*since);
            *since = resumes;
        }
    }

    fn spent(&self, now: Timestamp) -> Duration {
        self.spent + self.since.map_or(Duration::ZERO, |since| now.since(since))
    }
}

impl TableState {
    /// Counts the turn on after an event: a new one begins with each move, when the player to move goes out, and when
    /// somebody else plays for it.
    pub(super) fn count_turn(&mut self, event: &Event, at: Timestamp) {
        let turn = self.turn();
        let is_anew = matches!(
            event,
            Event::Moved { .. }
                | Event::TakenBack { .. }
                | Event::Substituted { .. }
                | Event::Returned { .. }
        );
        if turn != self.move_timer.turn || is_anew {
            self.move_timer.begin(turn, at);
        }
        if self.is_frozen() { self.move_timer.stop(at) } else { self.move_timer.go_on(at) }
    }

    /// How long one may think about a move, if there is a limit. A match that waits for people has none, and neither has
    /// one that sleeps while nobody watches.
    pub(super) fn move_limit(&self) -> Option<Duration> {
        let settings = &self.terms().settings;
        let has_limit = settings.absence != Absence::Wait && !self.sleeps_unwatched();
        settings.move_limit_ms.filter(|_| has_limit).map(Duration::from_millis)
    }

    /// When the player to move has thought for too long.
    pub(super) fn move_limit_ends(&self) -> Option<Timestamp> {
        let Stage::Running(_) = self.stage() else { return None };
        Some(self.move_timer.since? + self.move_limit()?.saturating_sub(self.move_timer.spent))
    }

    /// What is left of the limit at `now`, milliseconds.
    pub(super) fn move_limit_left_ms(&self, now: Timestamp) -> Option<u64> {
        self.turn()?;
        let left = self.move_limit()?.saturating_sub(self.move_timer.spent(now));
        Some(u64::try_from(left.as_millis()).unwrap_or(u64::MAX))
    }

    /// The player to move is said to have thought for too long.
    pub(super) fn decide_move_limit(&self, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        match (self.turn(), self.move_limit_ends()) {
            (Some(color), Some(end)) if end <= now => self.decide_absence(color, now),
            _ => Err(Rejection::NotDue),
        }
    }
}
