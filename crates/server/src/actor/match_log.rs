//! A match in the memory of its owner: the log, to which only the owner appends, and the state that
//! follows from the log.

use quadrex_protocol::event::VacateReason;
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::Timestamp;
use quadrex_store::error_chain::chain;
use quadrex_store::{Append, AppendError, Author, ClaimedMatch, Epoch, Hibernation, NextMatch, StoreError};
use quadrex_table::{ConnectedPlayer, History, Outage, Rejection, Stage, TableState};

use super::claims::Claims;
use super::handle::{ActorCommand, Answer, CommandRequest};
use super::load::{LoadError, replay};
use super::seat_check::check_seat;
use super::seat_holders::{changed_seat_holders, seat_holders};

/// The error of a commit that failed, so that the command was neither committed nor refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommitError {
    /// The match could not be claimed again.
    #[error("the match cannot be claimed again")]
    Claim(#[from] LoadError),
    /// The events could not be appended to the log.
    #[error("the events cannot be appended to the log")]
    Append(#[from] AppendError),
    /// The log could not be searched for an earlier commit of the same command.
    #[error("the log cannot be searched for the command")]
    Search(#[from] StoreError),
    /// Conditional moves could not be stored.
    #[error("conditional moves cannot be stored")]
    ConditionalMoves(#[source] StoreError),
    /// The blocks between a user who takes a seat and the others at the table could not be read.
    #[error("the blocks between users cannot be looked up")]
    Blocks(#[source] StoreError),
    /// It could not be checked whether a user may sit down at a rated table.
    #[error("the rules of fair play cannot be checked")]
    FairPlay(#[source] StoreError),
}

impl CommitError {
    /// Returns whether a legal move may fail for the same reason. The other errors concern commands that
    /// the rules refuse, seats and conditional moves, so they cost no player time.
    pub(super) fn prevents_moves(&self) -> bool {
        match self {
            Self::Claim(_) | Self::Append(_) => true,
            Self::Search(_) | Self::ConditionalMoves(_) | Self::Blocks(_) | Self::FairPlay(_) => false,
        }
    }
}

/// The claim on a log: the right to append to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    /// The log is claimed under this epoch.
    Held(Epoch),
    /// Another process may have claimed the log or appended to it. The log must be claimed and read
    /// again before it is used.
    Lost,
    /// Another node of the cluster owns the match.
    Elsewhere,
    /// The log has only been read, at the time `read_at`. No server ran the match between its last
    /// event and `read_at`, so the players are not charged for that time. The first claim appends
    /// an event that records this.
    None { read_at: Timestamp },
    /// The match hibernates, and its log has only been read. The first claim appends the events of
    /// the outages since the beginning of the hibernation.
    Hibernating,
}

/// The outcome of a commit.
#[derive(Debug)]
pub(super) enum Committed {
    /// The events of the command are durable. The caller applies and publishes the events. If the
    /// events start the next match, the caller then replaces the match with `next_match`.
    Appended { answer: Answer, events: Vec<Event>, at: Timestamp, next_match: Option<Box<MatchLog>> },
    /// The command was refused, or it had been committed before. Nothing changed.
    Unchanged(Answer),
    /// Nothing was written, because the log is not claimed. The caller claims it and tries again.
    NotClaimed,
    /// Nothing was written, because the log may have events that this state does not have. The
    /// caller claims and reads the log again.
    Outdated(AppendError),
}

/// A match with its history and the claim on its log.
#[derive(Debug)]
pub(super) struct MatchLog {
    claims: Claims,
    history: History,
    claim: Claim,
}

impl MatchLog {
    /// Returns a new match. Its first events have just been written to the log under the first
    /// epoch.
    pub(super) fn opened(claims: Claims, mut history: History) -> Self {
        history.set_connected(&[], history.last_at());
        claims.record_created(history.state().match_id());
        Self { claims, history, claim: Claim::Held(Epoch::FIRST) }
    }

    /// Reads a match that has no actor, without claiming it and without writing.
    ///
    /// Time has run in a hibernating match, except during outages. In another match, the players are
    /// not charged for the time since its last event, and their clocks run from `now` on.
    pub(super) async fn read(
        claims: Claims,
        table: TableId,
        match_id: MatchId,
        now: Timestamp,
    ) -> Result<Self, LoadError> {
        let is_hibernating = claims.store().is_hibernating(match_id).await?;
        let history = replay(claims.store(), table, match_id).await?;
        let mut last_at = history.last_at();
        let (claim, outages) = if is_hibernating {
            (Claim::Hibernating, claims.outages().pending(match_id, last_at, None).await?)
        } else {
            (Claim::None { read_at: now }, vec![outage_until(now)])
        };
        let mut log = Self { claims, history, claim };
        log.restore_absence(outages.first().copied().unwrap_or(outage_until(last_at))).await?;
        for outage in &outages {
            let at = outage.back.max(last_at);
            if let Some(event) = log.state().interruption(*outage, last_at) {
                log.history.anticipate(&event, at);
                last_at = at;
            }
        }
        let resumes = outages.last().map_or(last_at, |outage| outage.resumes);
        log.set_connected(&[], resumes.max(last_at));
        Ok(log)
    }

    /// Claims and reads a match after an outage. Appends the events because of which the players are
    /// not charged for this and earlier outages. Returns `None` if there is no such match, or if
    /// another node owns it.
    pub(super) async fn resume(
        claims: Claims,
        table: TableId,
        match_id: MatchId,
        outage: Outage,
    ) -> Result<Option<Self>, LoadError> {
        let Some(mut log) = Self::claim_after(claims, table, match_id, Some(outage)).await? else {
            return Ok(None);
        };
        log.set_connected(&[], outage.resumes.max(log.history.last_at()));
        Ok(Some(log))
    }

    /// Does the same as [`resume`](Self::resume) for a match that this node has just claimed.
    pub(super) async fn resume_claimed(
        claims: Claims,
        table: TableId,
        claimed: ClaimedMatch,
        outage: Outage,
    ) -> Result<Self, LoadError> {
        let mut log = Self::read_claimed(claims, table, claimed.match_id, claimed.epoch).await?;
        log.interrupt(Some(outage)).await?;
        log.set_connected(&[], outage.resumes.max(log.history.last_at()));
        Ok(log)
    }

    /// Does the same as [`resume`](Self::resume), but leaves all players connected. `last` is the
    /// last outage, if it is not in the record of outages.
    async fn claim_after(
        claims: Claims,
        table: TableId,
        match_id: MatchId,
        last: Option<Outage>,
    ) -> Result<Option<Self>, LoadError> {
        let Some(mut log) = Self::claim(claims, table, match_id).await? else { return Ok(None) };
        log.interrupt(last).await?;
        Ok(Some(log))
    }

    /// Appends the events because of which the players are not charged for the outages since the
    /// match began to hibernate, and for the outage `last`. If another process may have appended
    /// meanwhile, the claim is lost.
    async fn interrupt(&mut self, last: Option<Outage>) -> Result<(), LoadError> {
        let (match_id, last_at) = (self.state().match_id(), self.history.last_at());
        let mut outages = self.claims.outages().pending(match_id, last_at, last).await?;
        if quadrex_runtime::has_planted!(ChargedForOutage) {
            outages.clear();
        }
        if let Some(first) = outages.first() {
            self.restore_absence(*first).await?;
        }
        for outage in outages {
            let last_at = self.history.last_at();
            let interruption = self.state().interruption(outage, last_at);
            let (Some(event), Claim::Held(epoch)) = (interruption, self.claim) else { continue };
            let at = outage.back.max(last_at);
            let append = self.append_of(epoch, std::slice::from_ref(&event), None, None, at);
            match self.claims.store().append(&append).await {
                Ok(_) => drop(self.history.push(event, at)),
                Err(AppendError::Fault(error)) => return Err(error.into()),
                Err(error) => {
                    tracing::warn!(match.id = %match_id, "the log is read again: {}", chain(&error));
                    self.claim = Claim::Lost;
                }
            }
        }
        Ok(())
    }

    /// Restores the time that an absent player has spent in the current turn. The store has this
    /// time beside the log.
    async fn restore_absence(&mut self, outage: Outage) -> Result<(), StoreError> {
        if quadrex_runtime::has_planted!(ForgottenReconnectBank) {
            return Ok(());
        }
        let last_at = self.history.last_at();
        if let Stage::Running(_) = self.state().stage()
            && let Some(absence) = self.claims.store().turn_absence(self.state().match_id()).await?
        {
            self.history.restore_absence(&absence, outage.last_alive(last_at));
        }
        Ok(())
    }

    /// Claims a match and reads it. Returns `None` if there is no such match, or if another node owns
    /// it.
    async fn claim(claims: Claims, table: TableId, match_id: MatchId) -> Result<Option<Self>, LoadError> {
        let Some(epoch) = claims.claim(match_id).await? else { return Ok(None) };
        Self::read_claimed(claims, table, match_id, epoch).await.map(Some)
    }

    /// Reads a match that was claimed under this epoch.
    async fn read_claimed(
        claims: Claims,
        table: TableId,
        match_id: MatchId,
        epoch: Epoch,
    ) -> Result<Self, LoadError> {
        let history = replay(claims.store(), table, match_id).await?;
        claims.store().repair_seat_holders(match_id, epoch, &seat_holders(history.state())).await?;
        Ok(Self { claims, history, claim: Claim::Held(epoch) })
    }

    /// Returns the state of the match and its past events.
    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// Returns the state of the match.
    pub(super) fn state(&self) -> &TableState {
        self.history.state()
    }

    /// See [`TableState::set_connected`].
    pub(super) fn set_connected(&mut self, players: &[ConnectedPlayer], at: Timestamp) {
        self.history.set_connected(players, at);
    }

    /// Returns whether this process has claimed the log. If another process has claimed the log
    /// since, this becomes known at the next append.
    pub(super) fn is_claimed(&self) -> bool {
        matches!(self.claim, Claim::Held(_))
    }

    /// Returns whether another node owns the match, so that this actor must end.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.claim == Claim::Elsewhere
    }

    /// Records that this actor writes the log no more, because the match is over or hibernates.
    pub(super) fn record_closed(&self) {
        self.claims.record_closed(self.state().match_id());
    }

    /// Returns whether the match hibernates, and its log has only been read.
    pub(super) fn is_hibernating(&self) -> bool {
        self.claim == Claim::Hibernating
    }

    /// Returns whether this process runs the match: it has claimed the log, or the match hibernates.
    pub(super) fn is_own(&self) -> bool {
        self.is_claimed() || self.is_hibernating()
    }

    /// Records in the store that the match hibernates from `now` on. `listed_players` is the number
    /// of people at the table, if the lobby lists it. Returns false if the claim has been lost.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails. The match is then claimed again before it is used.
    pub(super) async fn hibernate(
        &mut self,
        listed_players: Option<u16>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let Claim::Held(epoch) = self.claim else { return Ok(self.is_hibernating()) };
        let state = self.history.state();
        let hibernation = Hibernation {
            match_id: state.match_id(),
            epoch,
            head_seq: state.head(),
            // Another server whose clock was ahead may have appended the last event.
            at: now.max(self.history.last_at()),
            wake_at: state.next_deadline().map(|deadline| deadline.at),
            listed_players,
        };
        self.claim = Claim::Lost;
        let hibernates = self.claims.store().hibernate(&hibernation).await?;
        if hibernates {
            self.claim = Claim::Hibernating;
        }
        Ok(hibernates)
    }

    /// Returns whether the log must be claimed and read again before it is used.
    pub(super) fn has_lost_claim(&self) -> bool {
        self.claim == Claim::Lost
    }

    /// Decides a command and appends its events to the log.
    ///
    /// # Errors
    /// Returns [`CommitError`] if the command was neither committed nor refused. In that case the
    /// log and the state have not changed.
    pub(super) async fn commit(
        &mut self,
        command: &ActorCommand,
        now: Timestamp,
    ) -> Result<Committed, CommitError> {
        // Another server whose clock was ahead may have appended the last event. The times in a log
        // never decrease.
        let at = now.max(self.history.last_at());
        let match_id = self.state().match_id();
        let request = command.request();
        let decided = match request.and_then(|request| request.match_id) {
            Some(named) if named != match_id => Err(Rejection::OtherMatch { at: match_id }),
            _ => command.decide(self.state(), at),
        };
        let events = match decided {
            Ok(events) => with_planted_fault(events),
            Err(rejection) => {
                return self.earlier_or_refused(request, &rejection).await.map(Committed::Unchanged);
            }
        };
        let Claim::Held(epoch) = self.claim else { return Ok(Committed::NotClaimed) };
        if let Some(request) = request
            && let Some(rejection) = check_seat(&self.claims, self.state(), request, &events, at).await?
        {
            return self.earlier_or_refused(Some(request), &rejection).await.map(Committed::Unchanged);
        }
        if let Some(moves) = request.and_then(|request| self.conditional_moves_of(request)) {
            return self.store_conditional_moves(&moves, epoch).await;
        }
        if events.is_empty() {
            return Ok(Committed::Unchanged(Answer::Done { match_id, seq: self.state().head() }));
        }
        let next_match = self.next_match(&events, at);
        let append = self.append_of(epoch, &events, request, next_match.as_ref(), at);
        if quadrex_runtime::has_planted!(BroadcastBeforeCommit) {
            let (store, seq) = (self.claims.store().clone(), self.state().head() + events.len() as u64);
            quadrex_runtime::spawn(async move { store.append(&append).await.ok() });
            let next_match = next_match.map(|next| Box::new(Self::opened(self.claims.clone(), next)));
            return Ok(Committed::Appended {
                answer: Answer::Done { match_id, seq },
                events,
                at,
                next_match,
            });
        }
        match self.claims.store().append(&append).await {
            Err(AppendError::Unknown(_)) if quadrex_runtime::has_planted!(AckWithoutCommit) => {
                let seq = self.state().head() + events.len() as u64;
                Ok(Committed::Appended {
                    answer: Answer::Done { match_id, seq },
                    events,
                    at,
                    next_match: None,
                })
            }
            Ok(seq) if quadrex_runtime::has_planted!(WrongSeqInAck) && events.len() > 1 => {
                let (answer, next_match) = (Answer::Done { match_id, seq: seq - 1 }, None);
                Ok(Committed::Appended { answer, events, at, next_match })
            }
            Ok(seq) => {
                let next_match = next_match.map(|next| Box::new(Self::opened(self.claims.clone(), next)));
                Ok(Committed::Appended { answer: Answer::Done { match_id, seq }, events, at, next_match })
            }
            Err(AppendError::Duplicate { seq }) => Ok(Committed::Unchanged(Answer::Done { match_id, seq })),
            Err(AppendError::LinkUsed) => Ok(Committed::Unchanged(Answer::InviteUsed)),
            Err(error @ (AppendError::Fenced | AppendError::Unknown(_))) => {
                tracing::warn!(match.id = %match_id, "the log is read again: {}", chain(&error));
                self.claim = Claim::Lost;
                Ok(Committed::Outdated(error))
            }
            Err(error @ AppendError::Fault(_)) => Err(error.into()),
        }
    }

    /// Returns the access to the logs of matches.
    pub(super) fn claims(&self) -> &Claims {
        &self.claims
    }

    /// Marks the claim as lost, because the log may have events that this state does not have.
    pub(super) fn lose_claim(&mut self) -> Committed {
        self.claim = Claim::Lost;
        Committed::Outdated(AppendError::Fenced)
    }

    /// Applies an event that is already in the log.
    pub(super) fn apply(&mut self, event: Event, at: Timestamp) {
        self.history.push(event, at);
    }

    /// Claims the match and reads it again, unless this process has claimed it already.
    ///
    /// # Errors
    /// Returns [`LoadError`] if the match cannot be claimed and read. In that case the claim has
    /// not changed.
    pub(super) async fn ensure_claimed(&mut self, now: Timestamp) -> Result<(), LoadError> {
        let (table, match_id) = (self.state().table(), self.state().match_id());
        let last_outage = match self.claim {
            Claim::Held(_) => return Ok(()),
            Claim::Elsewhere => return Err(LoadError::OtherOwner),
            Claim::Lost | Claim::Hibernating => None,
            Claim::None { read_at } => Some(outage_until(read_at)),
        };
        let claimed = Self::claim_after(self.claims.clone(), table, match_id, last_outage).await?;
        let (connected, absence) = (self.state().connected(), self.state().turn_absence());
        // A match is never removed, so another node owns it.
        let Some(claimed) = claimed else {
            self.claim = Claim::Elsewhere;
            return Err(LoadError::OtherOwner);
        };
        *self = claimed;
        if let Some(absence) = absence {
            self.history.restore_absence(&absence, now);
        }
        self.set_connected(&connected, now);
        Ok(())
    }

    /// Claims and reads the match that follows this one, if the log names it.
    ///
    /// # Errors
    /// Returns [`LoadError`] if the match cannot be read, or if another node owns it.
    pub(super) async fn claim_next_match(&self) -> Result<Option<Self>, LoadError> {
        let Some(next) = self.state().next_match_id() else { return Ok(None) };
        let claimed = Self::claim(self.claims.clone(), self.state().table(), next).await?;
        claimed.ok_or(LoadError::OtherOwner).map(Some)
    }

    /// Records that another node owns the next match, and so the table.
    pub(super) fn record_other_owner(&mut self) {
        self.claim = Claim::Elsewhere;
    }

    /// Returns the next match, if the last of these events starts a next match.
    fn next_match(&self, events: &[Event], now: Timestamp) -> Option<History> {
        let Some(Event::Rematched { .. }) = events.last() else { return None };
        let mut state = self.state().clone();
        events.iter().for_each(|event| state.apply(event, now));
        Some(state.next_match(now))
    }

    /// Returns the data that the store appends for a command: the command's events, its author, and
    /// the next match if the events start a next match.
    fn append_of(
        &self,
        epoch: Epoch,
        events: &[Event],
        request: Option<&CommandRequest>,
        next_match: Option<&History>,
        now: Timestamp,
    ) -> Append {
        let author = |request: &CommandRequest| Author {
            user: request.command.by.id,
            command_id: request.command_id.clone(),
            redeem: request.redeemed_invite,
        };
        Append {
            match_id: self.state().match_id(),
            epoch,
            head_seq: self.state().head(),
            at: now,
            events: events.to_vec(),
            holders: changed_seat_holders(self.state(), events, now),
            by: request.map(author),
            next: next_match.map(|next| NextMatch {
                match_id: next.state().match_id(),
                holders: seat_holders(next.state()),
                events: next.entries().iter().map(|entry| entry.event.clone()).collect(),
            }),
        }
    }

    /// Returns the earlier answer to a command, if it was committed before, or else the refusal.
    async fn earlier_or_refused(
        &self,
        request: Option<&CommandRequest>,
        rejection: &Rejection,
    ) -> Result<Answer, CommitError> {
        let earlier = self.earlier_answer(request).await?;
        Ok(earlier.unwrap_or_else(|| Answer::refused(self.state().match_id(), rejection)))
    }

    /// Returns the earlier answer to a command that is refused now, if the command was committed
    /// before. A client that did not receive an answer sends its command again, perhaps when a
    /// rematch has begun already.
    async fn earlier_answer(&self, request: Option<&CommandRequest>) -> Result<Option<Answer>, StoreError> {
        let Some(request) = request else { return Ok(None) };
        if quadrex_runtime::has_planted!(ForgottenCommandId) {
            return Ok(None);
        }
        let matches = match request.match_id {
            Some(named) => [Some(named), None],
            None => [Some(self.state().match_id()), previous_match(&self.history)],
        };
        for match_id in matches.into_iter().flatten() {
            let user = request.command.by.id;
            if let Some(seq) = self.claims.store().command_seq(match_id, user, &request.command_id).await? {
                return Ok(Some(Answer::Done { match_id, seq }));
            }
        }
        Ok(None)
    }
}

/// Returns the match at the table before this one.
fn previous_match(history: &History) -> Option<MatchId> {
    match history.entries().first().map(|entry| &entry.event) {
        Some(Event::Opened { previous, .. }) => *previous,
        _ => None,
    }
}

/// Returns the outage of a match that no server has run between its last event and `now`.
fn outage_until(now: Timestamp) -> Outage {
    Outage { last_alive: None, back: now, resumes: now }
}

/// Returns the events, changed if a simulation has planted a fault.
fn with_planted_fault(mut events: Vec<Event>) -> Vec<Event> {
    if quadrex_runtime::has_planted!(HostNotPassedOn) {
        events.retain(|event| !matches!(event, Event::HostChanged { .. }));
    }
    for event in &mut events {
        if let Event::Vacated { reason, .. } = event
            && quadrex_runtime::has_planted!(KickedUserSitsAgain)
        {
            *reason = VacateReason::Left;
        }
    }
    events
}
