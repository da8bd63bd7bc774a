//! The path of a command through a table's actor: decide, append to the log, apply, publish.

use std::collections::BTreeSet;

use quadrex_clock::STALL_LIMIT;
use quadrex_protocol::view::{Entry, Phase};
use quadrex_protocol::{Event, MatchId, UserId};
use quadrex_rules::Timestamp;
use quadrex_store::AppendError;
use quadrex_table::frames::BatchPosition;
use quadrex_table::{Action, TableState};

use super::endpoint::TableEndpoint;
use super::handle::{ActorCommand, Answer, CommandRequest};
use super::load::LoadError;
use super::match_log::{CommitError, Committed, MatchLog};
use super::publications;
use super::table_actor::TableActor;
use crate::fault::Fault;
use crate::telemetry::audit::{AuditAction, AuditEntry};
use crate::telemetry::metrics::METRICS;

/// The largest number of attempts to commit a command. An attempt is repeated after a claim of the
/// match, and when another server may have appended to the log first.
const COMMIT_ATTEMPTS: u32 = 3;

impl TableActor {
    /// Handles a user's command.
    pub(super) async fn handle_command(&mut self, request: CommandRequest, now: Timestamp) -> Answer {
        let committed = match self.compensate_stall(now).await {
            Ok(()) => self.commit(&ActorCommand::User(request), now).await,
            Err(fault) => Err(fault),
        };
        committed.unwrap_or_else(Answer::Fault)
    }

    /// Claims the match if the actor has only read it so far.
    pub(super) async fn handle_claim(&mut self, now: Timestamp) {
        if let Err(error) = self.catch_up(now).await {
            Fault::log(&self.deps.entropy, now, "claim a match that was read for a viewer", &error);
        }
    }

    /// Returns whether the store may have events that the actor does not know: the outcome of a commit is
    /// unknown, or the next match at the table could not be read.
    pub(super) fn is_behind(&self) -> bool {
        if quadrex_runtime::has_planted!(RematchNotReadAgain) {
            return self.log.has_lost_claim();
        }
        self.log.has_lost_claim() || self.log.is_claimed() && self.state().next_match_id().is_some()
    }

    /// Claims the match and reads its log again if necessary, and then updates everything that is derived
    /// from the state.
    pub(super) async fn catch_up(&mut self, now: Timestamp) -> Result<(), LoadError> {
        let head_before = self.head();
        let claimed = Box::pin(self.ensure_claimed(now)).await;
        self.update_since(head_before, now);
        claimed
    }

    /// Updates everything that is derived from the state, if the state has changed since this event.
    fn update_since(&mut self, head_before: (MatchId, u64), now: Timestamp) {
        if self.head() != head_before {
            self.revoke_lost_access();
            self.state_changed(now);
        }
        self.update_claim_in_overview();
    }

    /// Commits a command and publishes its events. Then makes the conditional moves that the command
    /// has made due.
    pub(super) async fn commit(&mut self, command: &ActorCommand, now: Timestamp) -> Result<Answer, Fault> {
        let committed = self.commit_alone(command, now).await;
        if let Some(Action::UpdateVacation) = command.request().map(|request| &request.command.action) {
            self.conditional_checked_at = None;
        }
        self.make_conditional_moves(now).await;
        committed
    }

    /// Commits a command and publishes its events.
    ///
    /// Even if the commit fails, events that reached the log are published. If nobody could move because
    /// the commit failed or took too long, the players are not charged for the time from `now` on.
    pub(super) async fn commit_alone(
        &mut self,
        command: &ActorCommand,
        now: Timestamp,
    ) -> Result<Answer, Fault> {
        let head_before = self.head();
        // The future is large, and without the box it would be a part of each table's task.
        let committed = Box::pin(self.commit_and_publish(command, now)).await;
        self.update_since(head_before, now);
        let prevents_moves = committed.as_ref().is_err_and(CommitError::prevents_moves);
        if prevents_moves || self.deps.clock.now().since(now) > STALL_LIMIT {
            self.stall.begin(now);
        }
        committed.map_err(|error| {
            let doing = format!("commit a command in match {}", self.state().match_id());
            Fault::log(&self.deps.entropy, now, &doing, &error)
        })
    }

    /// Decides a command, appends its events to the log, and then applies and publishes one event
    /// after the other.
    async fn commit_and_publish(
        &mut self,
        command: &ActorCommand,
        now: Timestamp,
    ) -> Result<Answer, CommitError> {
        let mut last_error = AppendError::Fenced;
        for _ in 0..COMMIT_ATTEMPTS {
            if self.is_behind() {
                self.ensure_claimed(now).await?;
            }
            match self.log.commit(command, now).await? {
                Committed::Appended { answer, events, at, next_match } => {
                    let last_seq = self.state().head() + events.len() as u64;
                    let hid_names = self.state().hides_names();
                    for event in events {
                        self.log.apply(event, at);
                        self.publish_latest_event(last_seq, now);
                        if quadrex_runtime::has_planted!(EventPublishedTwice) && last_seq.is_multiple_of(40) {
                            self.publish_latest_event(last_seq, now);
                        }
                    }
                    self.publish_names(hid_names, now);
                    if let Some(next_match) = next_match {
                        self.begin_next_match(*next_match, now);
                    }
                    return Ok(answer);
                }
                Committed::Unchanged(answer) => return Ok(answer),
                Committed::NotClaimed => self.ensure_claimed(now).await?,
                Committed::Outdated(error) => last_error = error,
            }
        }
        Err(last_error.into())
    }

    /// Claims the match and reads its log again, unless this process has claimed it already. Then
    /// publishes the events in the log that the watchers had not received.
    pub(super) async fn ensure_claimed(&mut self, now: Timestamp) -> Result<(), LoadError> {
        self.log.ensure_claimed(now).await?;
        self.publish_missed_events(now);
        loop {
            match self.log.claim_next_match().await {
                Ok(Some(next_match)) => self.begin_next_match(next_match, now),
                Ok(None) => return Ok(()),
                Err(error) => {
                    if let LoadError::OtherOwner = error {
                        self.log.record_other_owner();
                    }
                    return Err(error);
                }
            }
        }
    }

    /// Publishes the events of the match that have not been published yet. Watchers that have lost their
    /// right by one of these events receive none of them.
    pub(super) fn publish_missed_events(&mut self, now: Timestamp) {
        let published = self.endpoint.published.seq;
        if self.state().head() > published {
            self.revoke_lost_access();
            let Self { log, endpoint, .. } = self;
            // The events may belong to several commands, so each one has the legal moves at its time.
            let was_over = endpoint.published.state.phase == Phase::Ended;
            log.history().replay_from(published, |entry, state| {
                publish_event(endpoint, entry, state, entry.seq, now);
            });
            let hid_names = log.state().terms().settings.anonymous && !was_over;
            self.publish_names(hid_names, now);
        }
    }

    /// Publishes a snapshot with all names if they were hidden and the match is over now.
    fn publish_names(&mut self, hid_names: bool, now: Timestamp) {
        if !hid_names || self.state().hides_names() {
            return;
        }
        let presence = self.shown_presence(now);
        let users: BTreeSet<UserId> = self.endpoint.all_users();
        let publication = publications::snapshot(self.log.history(), &presence, users, now);
        self.publish(publication);
    }

    /// Publishes the event that was applied last. `last_seq` is the number of the last event of the
    /// same command.
    fn publish_latest_event(&mut self, last_seq: u64, now: Timestamp) {
        let Self { log, endpoint, .. } = self;
        let entry = log.history().entries().last().expect("an event was just applied");
        publish_event(endpoint, entry, log.state(), last_seq, now);
    }

    /// Replaces the match with the next match at the table, and publishes the next match.
    pub(super) fn begin_next_match(&mut self, next_match: MatchLog, now: Timestamp) {
        let previous = self.state().match_id();
        self.log.record_closed();
        self.log = next_match;
        let connected = self.endpoint.connected_players(self.state());
        self.log.set_connected(&connected, now);
        self.revoke_lost_access();
        let presence = self.shown_presence(now);
        let publication = publications::next_match(self.log.history(), previous, &presence, now);
        self.endpoint.published.set_match(self.log.state(), now);
        self.publish(publication);
    }

    /// Updates everything that is derived from the state. Called when the state has changed.
    pub(super) fn state_changed(&mut self, now: Timestamp) {
        self.spectator_snapshot = None;
        let connected = self.endpoint.connected_players(self.state());
        self.log.set_connected(&connected, now);
        // Presence cannot have changed if all players are connected now, and were connected when
        // presence was published last.
        let seats = self.state().seats().len();
        let published = self.endpoint.published.presence.as_ref();
        if connected.len() < seats || published.is_none_or(|presence| presence.connected_count() < seats) {
            self.schedule_presence(now);
        }
        self.bot_notifier.mark_outdated();
        self.report_turn();
        let state = self.log.state();
        let is_host_present = self.endpoint.is_present(state.host().id);
        self.endpoint.overview.send_modify(|overview| {
            overview.update(state);
            overview.set_connected(state, &connected, is_host_present);
        });
        self.endpoint.publish_overview(state);
        self.deps.changed_tables.add(state.table());
    }

    pub(super) fn update_claim_in_overview(&self) {
        let is_claimed = self.log.is_claimed();
        self.endpoint.overview.send_if_modified(|overview| {
            std::mem::replace(&mut overview.is_claimed, is_claimed) != is_claimed
        });
    }

    /// Returns the match and the number of its last event.
    pub(super) fn head(&self) -> (MatchId, u64) {
        (self.state().match_id(), self.state().head())
    }
}

/// Logs and publishes an event that led from the published state to `state`. `last_seq` is the
/// number of the last event of the same batch.
fn publish_event(
    endpoint: &mut TableEndpoint,
    entry: &Entry,
    state: &TableState,
    last_seq: u64,
    now: Timestamp,
) {
    record_event(entry, state);
    // An interruption is always the only event of its command, also among other missed events.
    let is_alone = matches!(entry.event, Event::Interrupted { .. });
    let is_last = entry.seq == last_seq || is_alone;
    let position = if is_last { BatchPosition::Last } else { BatchPosition::Inner };
    let publication = publications::event(entry, &mut endpoint.published.state, state, position, now);
    endpoint.publish_event(entry.seq, publication, state);
}

/// Logs and counts a published event.
fn record_event(entry: &Entry, state: &TableState) {
    match &entry.event {
        Event::Started { first_player, .. } => {
            METRICS.matches.started.inc();
            tracing::info!(seq = entry.seq, %first_player, "the match began");
        }
        Event::Interrupted { .. } => {
            METRICS.matches.interruptions.inc();
            tracing::info!(seq = entry.seq, "the match was resumed after an interruption");
        }
        Event::Aborted { cause } => {
            METRICS.matches.ended.inc("aborted");
            tracing::info!(seq = entry.seq, %cause, "the match was aborted");
        }
        Event::Closed { .. } => {
            tracing::info!(seq = entry.seq, "the table closed");
            AuditEntry::new(AuditAction::TableClosed).at(state.table()).record();
        }
        Event::Ended { reason, .. } => {
            METRICS.matches.ended.inc("ended");
            tracing::info!(seq = entry.seq, %reason, "the match ended");
        }
        event @ Event::Moved { .. } => {
            METRICS.matches.moves.inc();
            tracing::trace!(seq = entry.seq, ?event);
        }
        Event::MessageSent { .. } => tracing::trace!(seq = entry.seq, "a chat message"),
        event => tracing::trace!(seq = entry.seq, ?event),
    }
}
