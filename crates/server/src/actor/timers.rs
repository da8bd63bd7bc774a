//! The work of a table's actor that is due at a certain time: deadlines of the match, retries after
//! failures of the store, the publication of presence, the expiry of links, and the closing of a
//! table that nobody attends.

use std::time::Duration;

use quadrex_rules::Timestamp;
use quadrex_store::error_chain::chain;
use quadrex_table::{Deadline, Outage, Stage, TableCommand};

use super::handle::{ActorCommand, Answer};
use super::table_actor::TableActor;
use crate::fault::Fault;

/// The pause before a failed store operation is retried.
pub(super) const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The pause before a failed attempt to close a table whose match has not started is repeated.
const CLOSE_PAUSE: Duration = Duration::from_secs(60);

/// The time for which the actor of a closed table continues to run after the last watcher has left.
const CLOSED_TABLE_LIFETIME: Duration = Duration::from_secs(30);

impl TableActor {
    /// Does all work that is due at `now`.
    pub(super) async fn wake(&mut self, now: Timestamp) {
        if self.retry_at.is_some_and(|retry| retry <= now) {
            self.retry_at = None;
        }
        self.drop_silent_followers(now);
        if quadrex_runtime::has_planted!(BankShownWithStall) {
            self.publish_presence(now);
        }
        self.run_due_timers(now).await;
        // Presence has the reconnect banks, which a stall has changed until it is compensated.
        if self.presence_due.is_some_and(|due| due <= now) {
            self.publish_presence(now);
        }
        if self.reads_again_at.is_some_and(|due| due <= now) {
            self.read_again(now).await;
        }
        let is_overdue = self.closes_unstarted_at().is_some_and(|at| at <= now);
        if (self.is_idle(now) || is_overdue) && !self.state().is_closed() {
            self.close(now).await;
        }
    }

    /// Returns the next time at which [`wake`](Self::wake) has something to do.
    pub(super) fn next_wake_time(&self) -> Option<Timestamp> {
        let mut timer_due = self.retry_at.or_else(|| Some(self.state().next_deadline()?.at));
        if quadrex_runtime::has_planted!(LostDeadline) && self.state().head().is_multiple_of(8) {
            timer_due = None;
        }
        // The players' clocks must not wait for the next command after the store works again.
        let stall_due = self.stall.begun().filter(|_| self.retry_at.is_none()).map(|at| at + RETRY_PAUSE);
        let conditional_due = self.must_check_conditional_moves() && self.retry_at.is_none();
        let absence_due = self.stored_reconnect_bank.due(self.state()).filter(|_| self.log.is_claimed());
        let link_expiry = self.endpoint.watchers.link_expiry();
        let silence = self.endpoint.followers.next_deadline();
        let due_times = [
            timer_due,
            stall_due,
            conditional_due.then(|| self.log.history().last_at()),
            self.idle_until(),
            self.closes_unstarted_at(),
            self.presence_due,
            self.reads_again_at,
            absence_due,
            link_expiry,
            silence,
            self.hibernation_due(),
        ];
        due_times.into_iter().flatten().min()
    }

    /// Lets the log be read again after a pause if the store may have events that the actor does not know.
    /// Watchers wait for these events, even if nobody sends a further command.
    pub(super) fn schedule_reading(&mut self, now: Timestamp) {
        self.reads_again_at =
            if self.is_behind() { self.reads_again_at.or(Some(now + RETRY_PAUSE)) } else { None };
    }

    /// Reads the log again. A failure is retried later.
    async fn read_again(&mut self, now: Timestamp) {
        self.reads_again_at = None;
        if self.is_behind()
            && let Err(error) = self.catch_up(now).await
        {
            tracing::warn!(match.id = %self.state().match_id(), "the log is not read again yet: {}", chain(&error));
        }
    }

    /// Starts the idle time if the table has just become idle, and ends it if the table is not idle
    /// any more.
    pub(super) fn update_idle_time(&mut self, now: Timestamp) {
        let match_continues =
            matches!(self.state().stage(), Stage::Running(_)) && !self.state().sleeps_unwatched();
        let is_idle = self.endpoint.is_unwatched() && !match_continues;
        self.idle_since = if is_idle { self.idle_since.or(Some(now)) } else { None };
    }

    /// Returns the end of the allowed idle time. At this time a table that is not closed is closed,
    /// and the actor of a closed table ends.
    fn idle_until(&self) -> Option<Timestamp> {
        let idle_limit = self.state().closes_after(self.deps.close_after).unwrap_or(CLOSED_TABLE_LIFETIME);
        self.idle_since.map(|since| since + idle_limit)
    }

    /// Returns whether the allowed idle time has passed.
    pub(super) fn is_idle(&self, now: Timestamp) -> bool {
        self.idle_until().is_some_and(|until| until <= now)
    }

    /// Returns the time at which the table closes because its match has not started. If the store has
    /// failed, the table closes when the statement is repeated.
    fn closes_unstarted_at(&self) -> Option<Timestamp> {
        let at = self.state().closes_unstarted_at(self.deps.close_after)?;
        Some(self.close_again_at.map_or(at, |again| again.max(at)))
    }

    /// Closes the table. If the store fails, the idle time starts over.
    async fn close(&mut self, now: Timestamp) {
        if let Err(fault) = self.commit(&ActorCommand::Internal(TableCommand::Close), now).await {
            tracing::warn!(match.id = %self.state().match_id(), fault = %fault, "a table cannot close yet");
            self.idle_since = self.idle_since.map(|_| now);
            self.close_again_at = Some(now + CLOSE_PAUSE);
        }
    }

    /// Runs the timers that are due at `now`. If the store fails, they are retried later.
    pub(super) async fn run_due_timers(&mut self, now: Timestamp) {
        if self.endpoint.watchers.link_expiry().is_some_and(|expiry| expiry <= now) {
            self.revoke_links(|access| access.expires_at <= now, now);
        }
        if self.retry_at.is_some() {
            return;
        }
        if let Err(fault) = self.compensate_stall(now).await {
            tracing::warn!(match.id = %self.state().match_id(), fault = %fault, "an interruption waits for the store");
            self.retry_at = Some(now + RETRY_PAUSE);
            return;
        }
        if self.state().next_deadline().is_some_and(|due| due.at <= now)
            && !self.check_before_deadline(now).await
        {
            return;
        }
        while let Some(Deadline { timer, .. }) = self.state().next_deadline().filter(|due| due.at <= now) {
            match self.commit(&ActorCommand::Internal(TableCommand::Timer(timer)), now).await {
                Ok(Answer::Done { .. }) => {}
                Ok(answer) => {
                    tracing::error!(match.id = %self.state().match_id(), ?timer, ?answer, "a timer had no effect");
                    self.retry_at = Some(now + RETRY_PAUSE);
                    return;
                }
                Err(fault) => {
                    tracing::warn!(match.id = %self.state().match_id(), ?timer, fault = %fault, "a timer waits for the store");
                    self.retry_at = Some(now + RETRY_PAUSE);
                    return;
                }
            }
        }
        self.make_conditional_moves(now).await;
    }

    /// Compensates the players for the time in which nobody could move, and starts a grace period.
    pub(super) async fn compensate_stall(&mut self, now: Timestamp) -> Result<(), Fault> {
        let last_event_at = self.log.history().last_at();
        let Some(stalled_since) = self.stall.end(last_event_at) else { return Ok(()) };
        if quadrex_runtime::has_planted!(ChargedForStall) {
            return Ok(());
        }
        if self.log.is_hibernating() {
            return self.claim_after_stall(stalled_since, now).await;
        }
        let last_alive = stalled_since.max(self.log.history().last_at());
        let outage = Outage { last_alive: Some(last_alive), back: now, resumes: now + self.deps.grace };
        let command = ActorCommand::Internal(TableCommand::Compensate(outage));
        if let Err(fault) = self.commit(&command, now).await {
            self.stall.begin(stalled_since);
            return Err(fault);
        }
        Ok(())
    }

    /// Claims a match that hibernates and was only read. Because of the claim, the log gets the
    /// events of all recorded outages, and this stall is one of them.
    async fn claim_after_stall(&mut self, stalled_since: Timestamp, now: Timestamp) -> Result<(), Fault> {
        self.catch_up(now).await.map_err(|error| {
            self.stall.begin(stalled_since);
            Fault::log(&self.deps.entropy, now, "claim a match after a stall", &error)
        })
    }

    /// Copies the running reconnect bank into the store if the copy is due. A failed write is
    /// retried later.
    pub(super) async fn store_reconnect_bank(&mut self, now: Timestamp) {
        let state = self.log.state();
        let Some(absence) = self.stored_reconnect_bank.pending(state, now).filter(|_| self.log.is_claimed())
        else {
            return;
        };
        match self.deps.store.set_turn_absence(state.match_id(), &absence).await {
            Ok(()) => self.stored_reconnect_bank.confirm(state.match_id(), absence),
            Err(error) => {
                tracing::debug!(match.id = %state.match_id(), "an absence is not stored yet: {}", chain(&error));
                self.stored_reconnect_bank.postpone(now + RETRY_PAUSE);
            }
        }
    }
}
