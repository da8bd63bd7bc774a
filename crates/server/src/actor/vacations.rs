//! Vacations of players of correspondence matches. The store knows the vacations of users. The log of
//! a match gets an event when the vacation of one of its players begins or ends, with the time of the
//! beginning, so a late event charges no time of the vacation.

use quadrex_rules::Timestamp;
use quadrex_store::StoreError;
use quadrex_table::{TableCommand, Vacation};

use super::handle::{ActorCommand, Answer};
use super::table_actor::TableActor;
use super::timers::RETRY_PAUSE;

impl TableActor {
    /// Begins or ends a vacation in the match that has begun or ended for its player. Returns false if the
    /// log has changed, or could not be changed yet.
    pub(super) async fn update_vacations(&mut self, now: Timestamp) -> Result<bool, StoreError> {
        let users = self.state().vacationers();
        if users.is_empty() || quadrex_runtime::has_planted!(VacationNotReceived) {
            return Ok(true);
        }
        let stored = self.deps.store.vacations_of(&users, now).await?;
        let vacations = stored.into_iter();
        let vacations =
            vacations.map(|stored| Vacation { user: stored.user, since: stored.since, until: stored.until });
        let command = TableCommand::UpdateVacations(vacations.collect());
        if self.state().decide(&command, now).is_err() {
            return Ok(true);
        }
        match self.commit_alone(&ActorCommand::Internal(command), now).await {
            Ok(Answer::Done { .. }) => {}
            Ok(answer) => {
                tracing::debug!(match.id = %self.state().match_id(), ?answer, "no vacation has changed");
                return Ok(true);
            }
            Err(_) => self.retry_at = Some(now + RETRY_PAUSE),
        }
        Ok(false)
    }

    /// Looks up the vacations of the players of a correspondence match before a deadline is handled,
    /// because the match may not have received the last change. Returns false if this must be repeated
    /// later.
    pub(super) async fn check_before_deadline(&mut self, now: Timestamp) -> bool {
        if !self.state().is_correspondence() {
            return true;
        }
        self.handle_claim(now).await;
        if !self.log.is_claimed() {
            self.retry_at = Some(now + RETRY_PAUSE);
            return false;
        }
        self.conditional_checked_at = None;
        self.make_conditional_moves(now).await;
        self.retry_at.is_none()
    }
}
