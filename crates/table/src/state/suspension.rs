//! Suspensions of a match. During a pause no clock, bank or move limit runs, and nobody moves.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_rules::{Color, Timestamp};

use crate::deadline::{Deadline, Timer};

/// Longest time that a match may be paused in all.
const MAX_PAUSED: Duration = Duration::from_secs(600);

/// Longest time that a match waits for an absent player.
const MAX_WAIT: Duration = Duration::from_secs(24 * 3_600);

/// A suspension, by its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suspension {
    /// All remaining players agreed to a pause.
    Paused { since: Timestamp },
    /// The players wait for an absent one.
    Waiting { color: Color, since: Timestamp },
    /// The countdown to its end. The color is that of the player who ended it.
    Resuming { color: Option<Color>, until: Timestamp },
}

/// The suspensions of a match.
#[derive(Clone, Debug, Default)]
pub(crate) struct Suspensions {
    current: Option<Suspension>,
    /// Time of the earlier pauses.
    spent: Duration,
}

impl Suspensions {
    /// Applies an event that begins, changes or ends a suspension, or ends the match.
    pub(crate) fn apply(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::Paused {} => self.current = Some(Suspension::Paused { since: at }),
            Event::Waiting { color } => self.current = Some(Suspension::Waiting { color: *color, since: at }),
            Event::Resuming { color, until_ms } => {
                if let Some(Suspension::Paused { since }) = self.current {
                    self.spent += at.since(since);
                }
                let until = Timestamp::from_millis(*until_ms);
                self.current = Some(Suspension::Resuming { color: *color, until });
            }
            _ => self.current = None,
        }
    }

    /// Returns the present suspension.
    pub(crate) fn current(&self) -> Option<Suspension> {
        self.current
    }

    /// Returns whether the match has been paused for as long as it may.
    pub(crate) fn are_spent(&self) -> bool {
        self.spent >= MAX_PAUSED
    }

    /// Returns the deadline of the present suspension, if the absent player does not return.
    pub(crate) fn deadline(&self) -> Option<Deadline> {
        let (at, timer) = match self.current? {
            Suspension::Paused { since } => (since + MAX_PAUSED.saturating_sub(self.spent), Timer::PauseEnds),
            Suspension::Waiting { since, .. } => (since + MAX_WAIT, Timer::WaitEnds),
            Suspension::Resuming { until, .. } => (until, Timer::CountdownEnds),
        };
        Some(Deadline { at, timer })
    }
}
