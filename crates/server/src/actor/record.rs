//! A match and its log: the one writer of the log, and the state that follows from it.

use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::Timestamp;
use quadrex_store::error_chain::chain;
use quadrex_store::{Append, AppendError, Author, Epoch, NextMatch, Store, StoreError};
use quadrex_table::{ConnectedPlayer, History, Outage, Rejection, Stage, TableState};

use super::handle::{Answer, Command, CommandRequest};
use super::load::{LoadError, replay};

/// The error of a command that could be neither committed nor refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommitError {
    /// The match could not be claimed again.
    #[error("the match cannot be claimed again")]
    Claim(#[from] LoadError),
    /// The events could not be appended.
    #[error("the log does not take the events")]
    Append(#[from] AppendError),
    /// The log could not be searched for an earlier commit of the command.
    #[error("the log cannot be searched for the command")]
    Ask(#[from] StoreError),
}

/// The right to write the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ownership {
    /// Owned under this epoch.
    Owned(Epoch),
    /// The claim is lost, or the log may have more events: the match is claimed and read again
    /// before anything else.
    Lost,
    /// Only read so far, at this time, and claimed before anything is written. The time before is
    /// an outage: it is not charged to the players, and the claim appends that to the log.
    ReadOnly { since: Timestamp },
}

/// The outcome of a commit.
#[derive(Debug)]
pub(super) enum Committed {
    /// The events of the command are durable. The caller applies and publishes each of them, and
    /// goes on to the next match if they start one.
    Appended { answer: Answer, events: Vec<Event>, at: Timestamp, next: Option<Box<Record>> },
    /// The command was committed before, or refused; nothing changed.
    Unchanged(Answer),
    /// The match was only read so far: it is claimed before anything is written.
    ReadOnly,
    /// The log may have other events: it is read again.
    Outdated(AppendError),
}

/// A match with its history, and the right to append to its log.
#[derive(Debug)]
pub(super) struct Record {
    store: Store,
    history: History,
    ownership: Ownership,
}

impl Record {
    /// Creates the record of a match whose first events are in the log under the first claim.
    pub(super) fn opened(store: Store, mut history: History) -> Self {
        history.set_connected(&[], history.last_at());
        Self { store, history, ownership: Ownership::Owned(Epoch::FIRST) }
    }

    /// Reads a match that has no actor, without claiming or writing anything. The time since its
    /// last event is charged to nobody; from `now` on its clocks run as if it were claimed.
    pub(super) async fn read(
        store: Store,
        table: TableId,
        match_id: MatchId,
        now: Timestamp,
    ) -> Result<Self, LoadError> {
        let history = replay(&store, table, match_id).await?;
        let mut record = Self { store, history, ownership: Ownership::ReadOnly { since: now } };
        let last = record.history.last_at();
        let outage = unowned_until(now);
        if let Some(event) = record.interruption(outage).await? {
            record.history.anticipate(&event, now.max(last));
        }
        record.set_connected(&[], outage.resumes.max(last));
        Ok(record)
    }

    /// Claims and reads a match after an outage, and records that the outage is charged to nobody.
    /// `None` if there is no such match.
    pub(super) async fn resume(
        store: Store,
        table: TableId,
        match_id: MatchId,
        outage: Outage,
    ) -> Result<Option<Self>, LoadError> {
        let Some(mut record) = Self::claim_after(store, table, match_id, outage).await? else {
            return Ok(None);
        };
        record.set_connected(&[], outage.resumes.max(record.history.last_at()));
        Ok(Some(record))
    }

    /// Does the same, with all players connected until that is set.
    async fn claim_after(
        store: Store,
        table: TableId,
        match_id: MatchId,
        outage: Outage,
    ) -> Result<Option<Self>, LoadError> {
        let Some(mut record) = Self::claim(store, table, match_id).await? else { return Ok(None) };
        let last = record.history.last_at();
        if let (Some(event), Ownership::Owned(epoch)) = (record.interruption(outage).await?, record.ownership)
        {
            let at = outage.back.max(last);
            let entry = record.entry(epoch, std::slice::from_ref(&event), None, None, at);
            match record.store.append(&entry).await {
                Ok(_) => drop(record.history.push(event, at)),
                Err(AppendError::Fault(error)) => return Err(error.into()),
                Err(error) => {
                    tracing::warn!(match.id = %match_id, "the log is read again: {}", chain(&error));
                    record.ownership = Ownership::Lost;
                }
            }
        }
        Ok(Some(record))
    }

    /// Restores what the store has beside the log, and returns the event that an outage causes.
    async fn interruption(&mut self, outage: Outage) -> Result<Option<Event>, StoreError> {
        let last = self.history.last_at();
        if let Stage::Running(_) = self.state().stage()
            && let Some(away) = self.store.turn_absence(self.state().match_id()).await?
        {
            self.history.restore_absence(&away, outage.alive(last));
        }
        Ok(self.state().interruption(outage, last))
    }

    /// Claims a match and reads it. `None` if there is no such match.
    async fn claim(store: Store, table: TableId, match_id: MatchId) -> Result<Option<Self>, LoadError> {
        let Some(epoch) = store.claim(match_id).await? else { return Ok(None) };
        let history = replay(&store, table, match_id).await?;
        Ok(Some(Self { store, history, ownership: Ownership::Owned(epoch) }))
    }

    /// Returns the match with its history.
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

    /// Returns whether the match is claimed, as far as is known.
    pub(super) fn is_claimed(&self) -> bool {
        matches!(self.ownership, Ownership::Owned(_))
    }

    /// Returns whether the claim was lost: the match is claimed and read again before anything else.
    pub(super) fn is_lost(&self) -> bool {
        self.ownership == Ownership::Lost
    }

    /// Decides a command and appends its events to the log.
    ///
    /// # Errors
    /// [`CommitError`]: nothing has changed.
    pub(super) async fn commit(
        &mut self,
        command: &Command,
        now: Timestamp,
    ) -> Result<Committed, CommitError> {
        // Another server's clock may have been ahead of this one; times in a log never decrease.
        let at = now.max(self.history.last_at());
        let match_id = self.state().match_id();
        let request = command.request();
        let decided = match request.and_then(|request| request.match_id) {
            Some(meant) if meant != match_id => Err(Rejection::OtherMatch { at: match_id }),
            _ => command.decide(self.state(), at),
        };
        let events = match decided {
            Ok(events) => events,
            Err(rejection) => {
                let before = self.answered_before(request).await?;
                return Ok(Committed::Unchanged(before.unwrap_or(Answer::Refused { match_id, rejection })));
            }
        };
        let Ownership::Owned(epoch) = self.ownership else { return Ok(Committed::ReadOnly) };
        let next = self.next_match(&events, at);
        match self.store.append(&self.entry(epoch, &events, request, next.as_ref(), at)).await {
            Ok(seq) => {
                let next = next.map(|next| Box::new(Self::opened(self.store.clone(), next)));
                Ok(Committed::Appended { answer: Answer::Done { match_id, seq }, events, at, next })
            }
            Err(AppendError::Duplicate { seq }) => Ok(Committed::Unchanged(Answer::Done { match_id, seq })),
            Err(AppendError::LinkUsed) => Ok(Committed::Unchanged(Answer::InviteUsed)),
            Err(error @ (AppendError::Fenced | AppendError::Unknown(_))) => {
                tracing::warn!(match.id = %match_id, "the log is read again: {}", chain(&error));
                self.ownership = Ownership::Lost;
                Ok(Committed::Outdated(error))
            }
            Err(error @ AppendError::Fault(_)) => Err(error.into()),
        }
    }

    /// Applies an event that is in the log.
    pub(super) fn apply(&mut self, event: Event, at: Timestamp) {
        self.history.push(event, at);
    }

    /// Claims and reads the match unless it is claimed.
    ///
    /// # Errors
    /// [`LoadError`]: the ownership has not changed.
    pub(super) async fn reacquire(&mut self, now: Timestamp) -> Result<(), LoadError> {
        let (table, match_id) = (self.state().table(), self.state().match_id());
        let store = self.store.clone();
        let claimed = match self.ownership {
            Ownership::Owned(_) => return Ok(()),
            Ownership::Lost => Self::claim(store, table, match_id).await?,
            Ownership::ReadOnly { since } => {
                Self::claim_after(store, table, match_id, unowned_until(since)).await?
            }
        };
        let (connected, away) = (self.state().connected(), self.state().turn_absence());
        *self = claimed.expect("a match is never removed");
        if let Some(away) = away {
            self.history.restore_absence(&away, now);
        }
        self.set_connected(&connected, now);
        Ok(())
    }

    /// Claims and reads the match after this one, if the log has one.
    ///
    /// # Errors
    /// [`LoadError`]
    pub(super) async fn claim_next(&self) -> Result<Option<Self>, LoadError> {
        let Some(next) = self.state().next_match_id() else { return Ok(None) };
        let claimed = Self::claim(self.store.clone(), self.state().table(), next).await?;
        Ok(Some(claimed.expect("a match exists with the event that names it")))
    }

    /// Returns the next match, if the last of these events starts one.
    fn next_match(&self, events: &[Event], now: Timestamp) -> Option<History> {
        let Some(Event::Rematched { .. }) = events.last() else { return None };
        let mut agreed = self.state().clone();
        events.iter().for_each(|event| agreed.apply(event, now));
        Some(agreed.next_match(now))
    }

    fn entry(
        &self,
        epoch: Epoch,
        events: &[Event],
        request: Option<&CommandRequest>,
        next: Option<&History>,
        now: Timestamp,
    ) -> Append {
        let author = |request: &CommandRequest| Author {
            user: request.command.by.id,
            command_id: request.cmd.clone(),
            redeem: request.redeem,
        };
        Append {
            match_id: self.state().match_id(),
            epoch,
            head_seq: self.state().head(),
            at: now,
            events: events.to_vec(),
            by: request.map(author),
            next: next.map(|next| NextMatch {
                match_id: next.state().match_id(),
                events: next.entries().iter().map(|entry| entry.event.clone()).collect(),
            }),
        }
    }

    /// Returns the answer to an earlier commit of a command that is refused now.
    async fn answered_before(&self, request: Option<&CommandRequest>) -> Result<Option<Answer>, StoreError> {
        let Some(request) = request else { return Ok(None) };
        let matches = match request.match_id {
            Some(named) => [Some(named), None],
            None => [Some(self.state().match_id()), previous(&self.history)],
        };
        for match_id in matches.into_iter().flatten() {
            let user = request.command.by.id;
            if let Some(seq) = self.store.command_seq(match_id, user, &request.cmd).await? {
                return Ok(Some(Answer::Done { match_id, seq }));
            }
        }
        Ok(None)
    }
}

/// Returns the previous match at the table, whose commands may be sent again.
fn previous(history: &History) -> Option<MatchId> {
    match history.entries().first().map(|entry| &entry.event) {
        Some(Event::Opened { previous, .. }) => *previous,
        _ => None,
    }
}

/// Returns the outage of a match that had no actor from its last event to `now`.
fn unowned_until(now: Timestamp) -> Outage {
    Outage { alive: None, back: now, resumes: now }
}
