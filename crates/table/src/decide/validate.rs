//! The validation of a logged event against the state before the event.

use quadrex_protocol::{Event, RequestAction};
use quadrex_rules::Color;

use super::requests;
use crate::replay_error::ReplayError;
use crate::state::{Stage, TableState};

impl TableState {
    /// Checks that an event can occur in this state.
    ///
    /// # Errors
    /// Returns the reason for which the event cannot occur.
    pub fn check_event(&self, event: &Event) -> Result<(), ReplayError> {
        let running = || match self.stage() {
            Stage::Running(game) => Ok(game),
            Stage::Open | Stage::Ended(_) => Err(ReplayError::NotRunning),
        };
        let check_is_playing = |color: &Color| {
            let is_playing = running()?.position().active_players().any(|player| player == *color);
            if is_playing { Ok(()) } else { Err(ReplayError::NotPlaying(*color)) }
        };
        match event {
            Event::Opened { .. } => Err(ReplayError::Opened),
            _ if self.is_closed() => Err(ReplayError::Closed),
            _ if self.rematch().next().is_some() => Err(ReplayError::Rematch),
            Event::Closed { .. } => self.check_closed(),
            Event::RematchRequested { .. }
            | Event::RematchAgreed { .. }
            | Event::RematchDeclined { .. }
            | Event::Rematched { .. } => self.check_rematch(event),
            Event::Seated { color, user, .. } => self.check_seated(*color, user),
            Event::Vacated { color, .. } => self.check_vacated(*color),
            Event::HostChanged { host } => self.check_host(host),
            Event::Started { .. } => self.check_started(event),
            Event::Moved { color, mv, .. } => {
                check_is_playing(color)?;
                let position = self.position();
                let fits = position.turn() == *color && position.is_legal(*mv) && !self.is_suspended();
                if fits { Ok(()) } else { Err(ReplayError::Move(*color, *mv)) }
            }
            Event::MessageSent { color, user, .. } => {
                let held_seats = self.seats_of(user.id);
                let fits = color.map_or(held_seats.is_empty(), |color| held_seats.contains(&color));
                if fits { Ok(()) } else { Err(ReplayError::Author) }
            }
            Event::Eliminated { color, .. } => check_is_playing(color),
            Event::Requested { request, color } => {
                check_is_playing(color)?;
                requests::check_request(running()?, *request, RequestAction::Ask, *color)
            }
            Event::Agreed { request, color } => {
                check_is_playing(color)?;
                requests::check_request(running()?, *request, RequestAction::Accept, *color)
            }
            Event::Declined { request, color } => {
                check_is_playing(color)?;
                requests::check_request(running()?, *request, RequestAction::Decline, *color)
            }
            Event::TakenBack { plies, .. } => {
                let played = running()?.moves().len();
                let fits = usize::try_from(*plies).is_ok_and(|plies| (1..=played).contains(&plies));
                if fits { Ok(()) } else { Err(ReplayError::Takeback(*plies)) }
            }
            Event::Substituted { color, bot } => {
                check_is_playing(color)?;
                self.check_substituted(*color, bot)
            }
            Event::Returned { color } => {
                check_is_playing(color)?;
                self.check_returned(*color)
            }
            Event::Interrupted { until_ms, resumes_ms, .. } => self.check_interrupted(*until_ms, *resumes_ms),
            Event::Paused {} | Event::Waiting { .. } | Event::Resuming { .. } | Event::Resumed {} => {
                self.check_suspension(event)
            }
            Event::VacationStarted { .. } | Event::VacationEnded { .. } => self.check_vacation(event),
            Event::Aborted { .. } | Event::Ended { .. } => running().map(|_| ()),
        }
    }
}
