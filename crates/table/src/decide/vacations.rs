//! Decisions about vacations of players of correspondence matches.

use quadrex_protocol::{Event, UserId};
use quadrex_rules::{Color, Timestamp};

use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::state::{Stage, TableState};

/// The current vacation of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vacation {
    /// The user.
    pub user: UserId,
    /// The beginning.
    pub since: Timestamp,
    /// The end.
    pub until: Timestamp,
}

impl TableState {
    /// Returns the users who may be on vacation in the match: the people who are still in it, if it is
    /// a correspondence match that runs.
    #[must_use]
    pub fn vacationers(&self) -> Vec<UserId> {
        self.vacation_seats().filter_map(|color| self.player_on_vacation(color)).collect()
    }

    /// Decides the first event after which the vacations in the match are those of its players at `now`.
    ///
    /// Each vacation has a command of its own: of the events of a command, only the last one is sent with
    /// the legal moves.
    ///
    /// # Errors
    /// Returns an error if there is nothing to change.
    pub(crate) fn decide_vacations(
        &self,
        vacations: &[Vacation],
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let change = |color| {
            let user = self.player_on_vacation(color)?;
            let wanted = vacations.iter().find(|vacation| vacation.user == user && vacation.until > now);
            match (wanted, self.vacations.end(color)) {
                (Some(wanted), end) if end != Some(wanted.until) => Some(Event::VacationStarted {
                    color,
                    // The clock of the server that has stored the vacation may be ahead.
                    since_ms: wanted.since.min(now).as_millis(),
                    until_ms: wanted.until.as_millis(),
                }),
                (None, Some(_)) => Some(Event::VacationEnded { color }),
                (Some(_), _) | (None, None) => None,
            }
        };
        let event = self.vacation_seats().find_map(change);
        Ok(vec![event.ok_or(Rejection::NotDue)?])
    }

    /// Decides the end of the first vacation whose time is over.
    pub(crate) fn decide_vacation_end(&self, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let is_over = |color: &Color| self.vacations.end(*color).is_some_and(|end| end <= now);
        let color = self.vacation_seats().find(is_over).ok_or(Rejection::NotDue)?;
        Ok(vec![Event::VacationEnded { color }])
    }

    /// Checks that an event of a vacation can occur at this point of the log.
    pub(crate) fn check_vacation(&self, event: &Event) -> Result<(), ReplayError> {
        let fits = match event {
            Event::VacationStarted { color, since_ms, until_ms } => {
                self.vacation_seats().any(|seat| seat == *color) && since_ms <= until_ms
            }
            Event::VacationEnded { color } => self.vacations.end(*color).is_some(),
            _ => false,
        };
        match self.stage() {
            Stage::Running(_) if fits => Ok(()),
            Stage::Running(_) => Err(ReplayError::Vacation),
            Stage::Open | Stage::Ended(_) => Err(ReplayError::NotRunning),
        }
    }

    /// Returns the colors that may be on vacation: those that are still in a correspondence match.
    fn vacation_seats(&self) -> impl Iterator<Item = Color> + '_ {
        let game = self.running_game().ok().filter(|_| self.is_correspondence());
        game.into_iter().flat_map(|game| game.position().active_players())
    }

    /// Returns the person who plays a color.
    fn player_on_vacation(&self, color: Color) -> Option<UserId> {
        self.player(color).filter(|player| player.bot.is_none()).map(|player| player.id)
    }
}
