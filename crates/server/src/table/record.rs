//! A match and its log: the one writer of the log, and the state that follows from it.

use quadrex_protocol::view::Entry;
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::Timestamp;

use super::attendance::Here;
use super::command::{Rejection, TableCommand};
use super::frames::Place;
use super::handle::{Answer, CommandRequest};
use super::history::{Fact, History, Unreadable};
use super::lot::Origin;
use super::outage::Outage;
use super::state::{Stage, TableState};
use quadrex_store::error_chain::chain;
use quadrex_store::{Append, AppendError, Author, Epoch, Logged, NextMatch, Store, StoreError};

/// The number of attempts at a command while other writers keep changing the log.
const TRIES: u32 = 3;

/// The error of a match that cannot be read from the store.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log is corrupt.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// The error of a command that could be neither committed nor refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum KeepError {
    /// The match could not be claimed again.
    #[error("the match cannot be claimed again")]
    Claim(#[from] LoadError),
    /// The events could not be appended.
    #[error("the log does not take the events")]
    Append(#[from] AppendError),
    /// The log could not be searched for an earlier commit of the command.
    #[error("the log does not publisher of the command")]
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

/// A match with its history, and the right to append to its log.
#[derive(Debug)]
pub(super) struct Record {
    store: Store,
    history: History,
    ownership: Ownership,
}

/// A receiver of newly committed events, in log request.
pub(super) trait Publish {
    /// The next event of the match.
    fn event(&mut self, entry: &Entry, state: &TableState, place: Place);

    /// The match that has begun after `after`, before anything else of it.
    fn next_match(&mut self, after: MatchId, history: &mut History);
}

impl Record {
    /// Creates the record of a match whose first events are in the log under the first claim.
    pub(super) fn opened(store: Store, mut history: History) -> Self {
        history.notice(&[], history.last_at());
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
            record.history.foresee(&event, now.max(last));
        }
        record.notice(&[], outage.resumes.max(last));
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
        record.notice(&[], outage.resumes.max(record.history.last_at()));
        Ok(Some(record))
    }

    /// Does the same, with all players present until presence is noticed.
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
            && let Some(kept) = self.store.turn_away(self.state().match_id()).await?
        {
            self.history.recall(&kept, outage.alive(last));
        }
        Ok(self.state().interrupted(outage, last))
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

    /// See [`TableState::notice`].
    pub(super) fn notice(&mut self, here: &[Here], at: Timestamp) {
        self.history.notice(here, at);
    }

    /// Decides a command, appends its events to the log, and applies them. They are published once
    /// they are durable.
    ///
    /// # Errors
    /// [`KeepError`]: nothing has changed, or the log has the events and is read before the next
    /// command.
    pub(super) async fn commit(
        &mut self,
        command: &TableCommand,
        request: Option<&CommandRequest>,
        now: Timestamp,
        publisher: &mut impl Publish,
    ) -> Result<Answer, KeepError> {
        let mut last_error = AppendError::Fenced;
        for _ in 0..TRIES {
            self.reacquire(now, publisher).await?;
            // Another server's clock may have been ahead of this one; times in a log never
            // decrease.
            let now = now.max(self.history.last_at());
            let match_id = self.state().match_id();
            let meant = request.and_then(|request| request.match_id).unwrap_or(match_id);
            let decided = match meant == match_id {
                true => self.state().decide(command, now),
                false => Err(Rejection::OtherMatch { at: match_id }),
            };
            let events = match decided {
                Ok(events) => events,
                Err(rejection) => {
                    let before = self.answered_before(request).await?;
                    return Ok(before.unwrap_or(Answer::Refused { match_id, rejection }));
                }
            };
            let Ownership::Owned(epoch) = self.ownership else {
                // A match that was only read is claimed and read again before it is written.
                self.take_up(now, publisher).await?;
                continue;
            };
            let next = self.next_match(&events, now);
            match self.store.append(&self.entry(epoch, &events, request, next.as_ref(), now)).await {
                Ok(seq) => {
                    self.take_in(events, now, publisher);
                    if let Some(next) = next {
                        let next = Self::opened(self.store.clone(), next);
                        self.go_on_to(next, publisher);
                    }
                    return Ok(Answer::Done { match_id, seq });
                }
                Err(AppendError::Duplicate { seq }) => return Ok(Answer::Done { match_id, seq }),
                Err(AppendError::LinkUsed) => return Ok(Answer::InviteUsed),
                Err(error @ (AppendError::Fenced | AppendError::Unknown(_))) => {
                    tracing::warn!(match.id = %match_id, "the log is read again: {}", chain(&error));
                    self.ownership = Ownership::Lost;
                    last_error = error;
                }
                Err(error @ AppendError::Fault(_)) => return Err(error.into()),
            }
        }
        Err(last_error.into())
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
            user: request.by.id,
            cmd: request.cmd.clone(),
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
            None => [Some(self.state().match_id()), before(&self.history)],
        };
        for match_id in matches.into_iter().flatten() {
            if let Some(seq) = self.store.command_answer(match_id, request.by.id, &request.cmd).await? {
                return Ok(Some(Answer::Done { match_id, seq }));
            }
        }
        Ok(None)
    }

    /// Returns whether the match is claimed, as far as is known.
    pub(super) fn is_claimed(&self) -> bool {
        matches!(self.ownership, Ownership::Owned(_))
    }

    /// Claims and reads the match again if the claim was lost, and publishes what the log has
    /// beyond the published events.
    async fn reacquire(&mut self, now: Timestamp, publisher: &mut impl Publish) -> Result<(), LoadError> {
        if self.ownership == Ownership::Lost { self.take_up(now, publisher).await } else { Ok(()) }
    }

    /// Claims and reads the match unless it is claimed, and publishes what the log has beyond the
    /// published events.
    ///
    /// # Errors
    /// [`LoadError`]: the ownership has not changed.
    pub(super) async fn take_up(
        &mut self,
        now: Timestamp,
        publisher: &mut impl Publish,
    ) -> Result<(), LoadError> {
        let known = self.state().head();
        let (table, match_id) = (self.state().table(), self.state().match_id());
        let store = self.store.clone();
        let claimed = match self.ownership {
            Ownership::Owned(_) => return Ok(()),
            Ownership::Lost => Self::claim(store, table, match_id).await?,
            Ownership::ReadOnly { since } => {
                Self::claim_after(store, table, match_id, unowned_until(since)).await?
            }
        };
        let (here, away) = (self.state().noticed(), self.state().turn_away());
        *self = claimed.expect("a match that was there is never removed");
        if let Some(away) = away {
            self.history.recall(&away, now);
        }
        self.notice(&here, now);
        let head = self.state().head();
        if head > known {
            let last = self.history.last_for_all();
            self.history.retell(known, |entry, state| publisher.event(entry, state, place(entry.seq, last)));
        }
        while let Some(next) = self.state().rematch().next() {
            let claimed = Self::claim(self.store.clone(), table, next).await?;
            self.go_on_to(claimed.expect("a match is there with the event that names it"), publisher);
        }
        Ok(())
    }

    fn go_on_to(&mut self, next: Self, publisher: &mut impl Publish) {
        let after = self.state().match_id();
        *self = next;
        publisher.next_match(after, &mut self.history);
    }

    /// Applies durable events.
    fn take_in(&mut self, events: Vec<Event>, now: Timestamp, publisher: &mut impl Publish) {
        let head = self.state().head() + events.len() as u64;
        for event in events {
            self.history.push(event, now);
            let entry = self.history.entries().last().expect("one was just added");
            publisher.event(entry, self.history.state(), place(entry.seq, head));
        }
    }
}

/// Returns the previous match at the table, whose commands may be sent again.
fn before(history: &History) -> Option<MatchId> {
    match history.entries().first().map(|entry| &entry.event) {
        Some(Event::Opened { previous: after, .. }) => *after,
        _ => None,
    }
}

/// Returns the outage of a match that had no actor from its last event to `now`.
fn unowned_until(now: Timestamp) -> Outage {
    Outage { alive: None, back: now, resumes: now }
}

fn place(seq: u64, head: u64) -> Place {
    if seq == head { Place::Last } else { Place::Inner }
}

/// Reads a match from its log, without claiming it.
///
/// # Errors
/// See [`LoadError`].
pub async fn replay(store: &Store, table: TableId, match_id: MatchId) -> Result<History, LoadError> {
    let (origin, facts) = facts(store, table, match_id).await?;
    Ok(History::replay(origin, facts)?)
}

/// Returns the rows that a match is replayed from ([`History::replay`]).
///
/// # Errors
/// [`StoreError`] if the store fails.
pub async fn facts(
    store: &Store,
    table: TableId,
    match_id: MatchId,
) -> Result<(Origin, Vec<Fact>), StoreError> {
    let lot_key = store.lot_key(table).await?.expect("a table that was there is never removed");
    let origin = Origin { table, match_id, lot_key };
    let log = store.events(match_id, 0).await?;
    let facts = log.into_iter().map(|Logged { seq, at, event, .. }| Fact { seq, at, event }).collect();
    Ok((origin, facts))
}
