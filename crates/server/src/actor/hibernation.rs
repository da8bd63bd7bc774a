//! The end of the actor of a match that hibernates: nobody watches it, and nothing will happen in it
//! for a while unless somebody acts. The lobby starts another actor when the table is requested, or
//! shortly before the match's next deadline.

use std::time::Duration;

use quadrex_protocol::settings::Privacy;
use quadrex_rules::Timestamp;
use quadrex_store::error_chain::chain;
use quadrex_table::Stage;

use super::table_actor::TableActor;

/// The shortest time between the beginning of a hibernation and the next deadline of the match. A
/// server looks for matches whose deadlines come within half of this time.
pub const MIN_HIBERNATION: Duration = Duration::from_secs(60);

impl TableActor {
    /// Starts the quiet time when nobody watches the table, and ends it when somebody does.
    pub(super) fn update_quiet_time(&mut self, now: Timestamp) {
        // A node without watchers ends its follow after a few seconds.
        let has_watchers = !self.endpoint.watchers.is_empty() || !self.endpoint.followers.is_empty();
        let is_quiet = !has_watchers && self.log.is_own();
        self.quiet_since = if is_quiet { self.quiet_since.or(Some(now)) } else { None };
    }

    /// Returns the time from which the match may hibernate. Returns `None` if something has to be
    /// done for the match soon.
    pub(super) fn hibernation_due(&self) -> Option<Timestamp> {
        let due = self.quiet_since? + self.quiet_limit();
        let state = self.state();
        let continues = matches!(state.stage(), Stage::Running(_)) && !state.sleeps_unwatched();
        let deadline = state.next_deadline();
        let is_deadline_far = deadline.is_none_or(|deadline| deadline.at.since(due) >= MIN_HIBERNATION);
        let is_bank_stored = !self.log.is_claimed() || self.stored_reconnect_bank.due(state).is_none();
        let is_bank_idle = state.turn_absence().is_none_or(|absence| absence.since.is_none());
        let is_idle =
            self.retry_at.is_none() && !self.bot_notifier.has_task() && !self.must_check_conditional_moves();
        (continues && is_deadline_far && is_bank_stored && is_bank_idle && is_idle).then_some(due)
    }

    /// Returns the time for which the match must be quiet. It differs from match to match, so that
    /// the matches that a starting server has resumed do not all begin to hibernate at once.
    fn quiet_limit(&self) -> Duration {
        let id = self.id().0.as_u128();
        let share = u32::from((id & 0xff) as u8);
        self.deps.hibernate_after + self.deps.hibernate_after * share / 512
    }

    /// Records in the store that the match hibernates, and closes the mailbox. Returns false if the
    /// actor must go on, because the store has failed or messages have arrived.
    pub(super) async fn hibernate(&mut self, now: Timestamp) -> bool {
        let overview = self.endpoint.overview.borrow().clone();
        let is_listed = overview.settings().privacy == Privacy::Public;
        let players = u16::try_from(overview.people().count()).unwrap_or(u16::MAX);
        let hibernates = self.log.hibernate(is_listed.then_some(players), now).await;
        self.update_claim_in_overview();
        self.quiet_since = None;
        if let Ok(true) = hibernates {
            // Only the database knows the owner of a hibernating match.
            self.log.record_closed();
        }
        match hibernates {
            Ok(true) if !self.endpoint.has_messages() => {
                self.endpoint.close();
                tracing::debug!(match.id = %self.state().match_id(), "the match hibernates");
                true
            }
            Ok(_) => false,
            Err(error) => {
                tracing::debug!(match.id = %self.state().match_id(), "a match does not hibernate yet: {}", chain(&error));
                false
            }
        }
    }
}
