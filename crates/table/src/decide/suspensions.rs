//! Suspensions, and waiting for an absent player.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_rules::{AbortCause, Color, GameCommand, Timestamp};

use crate::deadline::Timer;
use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::state::{Stage, Suspension, TableState};

/// Length of the countdown before a paused match resumes.
const COUNTDOWN: Duration = Duration::from_secs(10);

impl TableState {
    /// Returns whether the match may be paused: it runs, is not paused, and was not paused for too long
    /// in all.
    ///
    /// # Errors
    /// The reason against it.
    pub(crate) fn may_pause(&self) -> Result<(), Rejection> {
        self.running()?;
        self.check_not_suspended()?;
        if self.suspensions.are_spent() { Err(Rejection::PausesSpent) } else { Ok(()) }
    }

    /// Refuses moves during a suspension.
    pub(crate) fn check_not_suspended(&self) -> Result<(), Rejection> {
        match self.suspensions.current() {
            None => Ok(()),
            Some(Suspension::Waiting { color, .. }) => Err(Rejection::Waiting { color }),
            Some(Suspension::Paused { .. } | Suspension::Resuming { .. }) => Err(Rejection::Paused),
        }
    }

    /// Decides the end of a pause, with a countdown. Every remaining player may end it.
    pub(crate) fn decide_resume(&self, color: Color, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        if !self.running()?.position().is_in(color) {
            return Err(Rejection::Rules(quadrex_rules::Rejection::Eliminated { color }));
        }
        match self.suspensions.current() {
            Some(Suspension::Paused { .. }) => Ok(vec![resuming(Some(color), now)]),
            Some(Suspension::Waiting { color, .. }) => Err(Rejection::Waiting { color }),
            None | Some(Suspension::Resuming { .. }) => Err(Rejection::NotPaused),
        }
    }

    /// Decides an expired deadline of a suspension.
    pub(crate) fn decide_suspension_timer(
        &self,
        timer: Timer,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let due = self.suspension_deadline().filter(|due| due.timer == timer && due.at <= now);
        match timer {
            _ if due.is_none() => Err(Rejection::NotDue),
            Timer::PauseEnds => Ok(vec![resuming(None, now)]),
            Timer::CountdownEnds | Timer::Returned => Ok(vec![Event::Resumed {}]),
            Timer::WaitEnds => self.ask_rules(&GameCommand::Abort { cause: AbortCause::Absence }, now),
            Timer::Flag | Timer::BankEmpty | Timer::MoveLimit => Err(Rejection::NotDue),
        }
    }

    /// Resumes the match at once if these events eliminate the player it waits for.
    pub(crate) fn with_resumption(&self, mut events: Vec<Event>) -> Vec<Event> {
        let Some(Suspension::Waiting { color: awaited, .. }) = self.suspensions.current() else {
            return events;
        };
        let is_out = |event: &Event| matches!(event, Event::Eliminated { color, .. } if *color == awaited);
        let is_over = |event: &Event| matches!(event, Event::Ended { .. } | Event::Aborted { .. });
        if events.iter().any(is_out) && !events.iter().any(is_over) {
            events.push(Event::Resumed {});
        }
        events
    }

    /// Checks that an event of a suspension can occur.
    pub(crate) fn check_suspension(&self, event: &Event) -> Result<(), ReplayError> {
        let Stage::Running(game) = self.stage() else { return Err(ReplayError::NotRunning) };
        let fits = match (event, self.suspensions.current()) {
            (Event::Paused {}, None) => true,
            (Event::Waiting { color }, None) => game.position().turn() == *color,
            (Event::Resuming { .. }, Some(Suspension::Paused { .. })) => true,
            (Event::Resumed {}, Some(Suspension::Waiting { .. } | Suspension::Resuming { .. })) => true,
            _ => false,
        };
        if fits { Ok(()) } else { Err(ReplayError::Suspension) }
    }
}

fn resuming(color: Option<Color>, now: Timestamp) -> Event {
    Event::Resuming { color, until_ms: (now + COUNTDOWN).as_millis() }
}
