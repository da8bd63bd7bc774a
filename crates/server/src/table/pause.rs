//! Standstills: a match that is paused, or waits for somebody. While one lasts no clock, bank or move limit runs and
//! nobody moves.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::view::{SuspensionKind, SuspensionView};
use quadrex_rules::{AbortCause, Color, GameCommand, Timestamp};

use super::command::Rejection;
use super::deadlines::{Deadline, Timer};
use super::history::Misfit;
use super::state::{Stage, TableState};

/// How long a match may be paused in all.
const PAUSES: Duration = Duration::from_secs(600);

/// How long is counted down before a paused match goes on.
const COUNTDOWN: Duration = Duration::from_secs(10);

/// How long a match waits for somebody who is gone.
const PATIENCE: Duration = Duration::from_secs(24 * 3_600);

/// Why nothing runs just now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standstill {
    /// All players still in agreed to a pause.
    Paused { since: Timestamp },
    /// The players wait for one of them.
    Waiting { color: Color, since: Timestamp },
    /// It goes on soon.
    Resuming { color: Option<Color>, until: Timestamp },
}

/// The standstills of a match.
#[derive(Clone, Debug, Default)]
pub(super) struct Freeze {
    now: Option<Standstill>,
    /// How long it was paused before.
    paused: Duration,
}

impl Freeze {
    /// Takes in an event of a standstill, or the end of the match.
    fn apply(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::Paused {} => self.now = Some(Standstill::Paused { since: at }),
            Event::Waiting { color } => self.now = Some(Standstill::Waiting { color: *color, since: at }),
            Event::Resuming { color, until_ms } => {
                if let Some(Standstill::Paused { since }) = self.now {
                    self.paused += at.since(since);
                }
                let until = Timestamp::from_millis(*until_ms);
                self.now = Some(Standstill::Resuming { color: *color, until });
            }
            _ => self.now = None,
        }
    }

    /// What the timer must do about the standstill, if nobody comes back.
    fn deadline(&self) -> Option<Deadline> {
        let (at, timer) = match self.now? {
            Standstill::Paused { since } => (since + PAUSES.saturating_sub(self.paused), Timer::PauseEnds),
            Standstill::Waiting { since, .. } => (since + PATIENCE, Timer::WaitEnds),
            Standstill::Resuming { until, .. } => (until, Timer::CountdownEnds),
        };
        Some(Deadline { at, timer })
    }
}

impl TableState {
    /// Takes in an event that begins or ends a standstill.
    pub(super) fn apply_freeze(&mut self, event: &Event, at: Timestamp) {
        let was_frozen = self.is_frozen();
        self.freeze.apply(event, at);
        let is_frozen = self.is_frozen();
        if let (Stage::Running(game), true) = (&mut self.stage, was_frozen != is_frozen) {
            if is_frozen { game.freeze_clocks(at) } else { game.thaw_clocks(at) }
        }
    }

    /// Whether nothing runs and nobody may move.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.freeze.now.is_some()
    }

    /// Whether the match may be paused: it runs, and has not been paused for too long in all.
    ///
    /// # Errors
    /// Why not.
    pub fn may_pause(&self) -> Result<(), Rejection> {
        self.running()?;
        self.check_not_frozen()?;
        if self.freeze.paused < PAUSES { Ok(()) } else { Err(Rejection::PausesSpent) }
    }

    /// Nobody moves during a standstill.
    pub(super) fn check_not_frozen(&self) -> Result<(), Rejection> {
        match self.freeze.now {
            None => Ok(()),
            Some(Standstill::Waiting { color, .. }) => Err(Rejection::Waiting { color }),
            Some(Standstill::Paused { .. } | Standstill::Resuming { .. }) => Err(Rejection::Paused),
        }
    }

    /// Anyone still in ends a pause, with a countdown.
    pub(super) fn decide_resume(&self, color: Color, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        if !self.running()?.position().is_in(color) {
            return Err(Rejection::Rules(quadrex_rules::Rejection::Eliminated { color }));
        }
        match self.freeze.now {
            Some(Standstill::Paused { .. }) => Ok(vec![resuming(Some(color), now)]),
            Some(Standstill::Waiting { color, .. }) => Err(Rejection::Waiting { color }),
            None | Some(Standstill::Resuming { .. }) => Err(Rejection::NotPaused),
        }
    }

    /// What the timer brings about in a standstill.
    pub(super) fn decide_freeze_timer(&self, timer: Timer, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let due = self.freeze_deadline().filter(|due| due.timer == timer && due.at <= now);
        match timer {
            _ if due.is_none() => Err(Rejection::NotDue),
            Timer::PauseEnds => Ok(vec![resuming(None, now)]),
            Timer::CountdownEnds | Timer::Returned => Ok(vec![Event::Resumed {}]),
            Timer::WaitEnds => self.ask_rules(&GameCommand::Abort { cause: AbortCause::Absence }, now),
            Timer::Flag | Timer::BankEmpty | Timer::MoveLimit => Err(Rejection::NotDue),
        }
    }

    /// What the timer must do about the standstill. One who is there again need not be waited for any longer.
    pub(super) fn freeze_deadline(&self) -> Option<Deadline> {
        match self.freeze.now? {
            Standstill::Waiting { color, since } if self.is_attended(color) => {
                Some(Deadline { at: since, timer: Timer::Returned })
            }
            Standstill::Paused { .. } | Standstill::Waiting { .. } | Standstill::Resuming { .. } => {
                self.freeze.deadline()
            }
        }
    }

    /// When the one they wait for has gone out by what happens, the others go on at once.
    pub(super) fn go_on_without(&self, events: &mut Vec<Event>) {
        let Some(Standstill::Waiting { color: awaited, .. }) = self.freeze.now else { return };
        let is_out = |event: &Event| matches!(event, Event::Eliminated { color, .. } if *color == awaited);
        let is_over = |event: &Event| matches!(event, Event::Ended { .. } | Event::Aborted { .. });
        if events.iter().any(is_out) && !events.iter().any(is_over) {
            events.push(Event::Resumed {});
        }
    }

    /// Whether an event of a standstill can have happened here.
    pub(super) fn freeze_misfit(&self, event: &Event) -> Result<(), Misfit> {
        let Stage::Running(game) = self.stage() else { return Err(Misfit::NotRunning) };
        let fits = match (event, self.freeze.now) {
            (Event::Paused {}, None) => true,
            (Event::Waiting { color }, None) => game.position().turn() == *color,
            (Event::Resuming { .. }, Some(Standstill::Paused { .. })) => true,
            (Event::Resumed {}, Some(Standstill::Waiting { .. } | Standstill::Resuming { .. })) => true,
            _ => false,
        };
        if fits { Ok(()) } else { Err(Misfit::Standstill) }
    }

    /// The standstill as it is shown at `now`.
    pub(super) fn frozen_view(&self, now: Timestamp) -> Option<SuspensionView> {
        let (kind, color) = match self.freeze.now? {
            Standstill::Paused { .. } => (SuspensionKind::Paused, None),
            Standstill::Waiting { color, .. } => (SuspensionKind::Waiting, Some(color)),
            Standstill::Resuming { color, .. } => (SuspensionKind::Resuming, color),
        };
        let left = self.freeze.deadline().map_or(Duration::ZERO, |due| due.at.since(now));
        Some(SuspensionView { kind, color, left_ms: u64::try_from(left.as_millis()).unwrap_or(u64::MAX) })
    }
}

fn resuming(color: Option<Color>, now: Timestamp) -> Event {
    Event::Resuming { color, until_ms: (now + COUNTDOWN).as_millis() }
}
