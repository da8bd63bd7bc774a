//! Suspensions of a match. During a suspension no clock, bank or move limit runs, and nobody may
//! move.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_rules::{Color, Timestamp};

use crate::deadline::{Deadline, Timer};

/// The longest total time of the pauses of a match.
const MAX_PAUSED: Duration = Duration::from_secs(600);

/// The longest time for which a match waits for an absent player.
const MAX_WAIT: Duration = Duration::from_secs(24 * 3_600);

/// A suspension with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suspension {
    /// All remaining players have agreed to a pause.
    Paused { since: Timestamp },
    /// The match waits for the absent player of this color.
    Waiting { color: Color, since: Timestamp },
    /// The countdown to the end of a pause. `color` is the player who ended the pause; `None` if
    /// the pause ended because the time for pauses was used up.
    Resuming { color: Option<Color>, until: Timestamp },
}

/// The current suspension of a match, and the time that its pauses have used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Suspensions {
    current: Option<Suspension>,
    /// The total time of the earlier pauses.
    spent: Duration,
}

impl Suspensions {
    /// Applies an event that begins, changes or ends a suspension. The end of the match also ends a
    /// suspension.
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

    /// Returns the current suspension.
    pub(crate) fn current(&self) -> Option<Suspension> {
        self.current
    }

    /// Returns whether the earlier pauses have used up the time for pauses.
    pub(crate) fn is_pause_time_spent(&self) -> bool {
        self.spent >= MAX_PAUSED
    }

    /// Returns the time at which the current suspension ends, if no player ends it earlier.
    pub(crate) fn deadline(&self) -> Option<Deadline> {
        let (at, timer) = match self.current? {
            Suspension::Paused { since } => (since + MAX_PAUSED.saturating_sub(self.spent), Timer::PauseEnds),
            Suspension::Waiting { since, .. } => (since + MAX_WAIT, Timer::WaitEnds),
            Suspension::Resuming { until, .. } => (until, Timer::CountdownEnds),
        };
        Some(Deadline { at, timer })
    }
}
