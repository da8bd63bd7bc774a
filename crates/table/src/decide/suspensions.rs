//! Decisions about pauses, and about matches that wait for an absent player.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_rules::{AbortCause, Color, GameCommand, Timestamp};

use crate::deadline::Timer;
use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::state::{Stage, Suspension, TableState};

/// The length of the countdown before a paused match resumes.
const COUNTDOWN: Duration = Duration::from_secs(10);

impl TableState {
    /// Checks that the match may be paused. It must run and not be suspended, and earlier pauses
    /// must not have used up the time for pauses.
    ///
    /// # Errors
    /// Returns the reason for which the match may not be paused.
    pub(crate) fn check_may_pause(&self) -> Result<(), Rejection> {
        self.running_game()?;
        self.check_not_suspended()?;
        if self.suspensions.is_pause_time_spent() { Err(Rejection::PauseTimeSpent) } else { Ok(()) }
    }

    /// Checks that the match is not suspended, so that a player may move.
    pub(crate) fn check_not_suspended(&self) -> Result<(), Rejection> {
        match self.suspensions.current() {
            None => Ok(()),
            Some(Suspension::Waiting { color, .. }) => Err(Rejection::Waiting { color }),
            Some(Suspension::Paused { .. } | Suspension::Resuming { .. }) => Err(Rejection::Paused),
        }
    }

    /// Decides whether a player may end a pause. Every remaining player may do so. A countdown
    /// follows before the match resumes.
    pub(crate) fn decide_resume(&self, color: Color, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        if !self.running_game()?.position().is_playing(color) {
            return Err(Rejection::Rules(quadrex_rules::Rejection::Eliminated { color }));
        }
        match self.suspensions.current() {
            Some(Suspension::Paused { .. }) => Ok(vec![resuming(Some(color), now)]),
            Some(Suspension::Waiting { color, .. }) => Err(Rejection::Waiting { color }),
            None | Some(Suspension::Resuming { .. }) => Err(Rejection::NotPaused),
        }
    }

    /// Decides what happens when a deadline of a suspension has expired.
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
            Timer::WaitEnds => self.decide_by_rules(&GameCommand::Abort { cause: AbortCause::Absence }, now),
            Timer::Flag | Timer::BankEmpty | Timer::MoveLimit | Timer::VacationEnds => Err(Rejection::NotDue),
        }
    }

    /// Appends the event that resumes the match if the match waits for a player and these events
    /// eliminate that player.
    pub(crate) fn with_resumption(&self, mut events: Vec<Event>) -> Vec<Event> {
        let Some(Suspension::Waiting { color: awaited, .. }) = self.suspensions.current() else {
            return events;
        };
        let eliminates =
            |event: &Event| matches!(event, Event::Eliminated { color, .. } if *color == awaited);
        let ends_match = |event: &Event| matches!(event, Event::Ended { .. } | Event::Aborted { .. });
        if events.iter().any(eliminates) && !events.iter().any(ends_match) {
            events.push(Event::Resumed {});
        }
        events
    }

    /// Checks that an event of a suspension can occur at this point of the log.
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
