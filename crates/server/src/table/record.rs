//! A match and its log: the one writer of the log, and the state that follows from it.

use quadrex_protocol::view::Entry;
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::Timestamp;

use super::attendance::Here;
use super::command::{Rejection, TableCommand};
use super::downtime::Downtime;
use super::frames::Place;
use super::handle::{Answer, Order};
use super::history::{Fact, History, Unreadable};
use super::lot::Origin;
use super::state::{Stage, TableState};
use quadrex_store::error_chain::chain;
use quadrex_store::{Append, AppendError, Author, Epoch, Logged, NextMatch, Store, StoreError};

/// How often a command is tried before it is a fault that the log keeps moving under it.
const TRIES: u32 = 3;

/// Why a match could not be read from the store.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The store could not say.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its log makes no sense.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// Why a command could be neither carried out nor refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum KeepError {
    /// The match could not be claimed and read again.
    #[error("the match cannot be claimed again")]
    Claim(#[from] LoadError),
    /// The log did not take the events.
    #[error("the log does not take the events")]
    Append(#[from] AppendError),
    /// The log could not say whether the command was carried out before.
    #[error("the log does not tell of the command")]
    Ask(#[from] StoreError),
}

/// Whether the log may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// With this claim.
    Claimed(Epoch),
    /// The claim is lost, or the log may have gone on: to be claimed and read again before anything else.
    Lost,
    /// Only read so far, at this moment: claimed before something is written. The clocks of an unfinished match wait for
    /// the time before, in which nobody ran it, and the log learns that with the claim.
    Reading { since: Timestamp },
}

/// A match, its past, and the right to go on writing it.
#[derive(Debug)]
pub(super) struct Record {
    store: Store,
    history: History,
    hold: Hold,
}

/// Is shown what is in the log now and nobody was told of, in its order.
pub(super) trait Tell {
    /// The next event of the match.
    fn event(&mut self, entry: &Entry, state: &TableState, place: Place);

    /// The match that has begun after `after`, before anything else of it.
    fn next_match(&mut self, after: MatchId, history: &mut History);
}

impl Record {
    /// A match just opened, its first events in the log under the first claim.
    pub(super) fn opened(store: Store, mut history: History) -> Self {
        history.notice(&[], history.last_at());
        Self { store, history, hold: Hold::Claimed(Epoch::FIRST) }
    }

    /// Reads a match that nobody runs: nothing is claimed, and nothing written. Time since its last event is charged to
    /// nobody; from `now` on it runs as if it had been claimed.
    pub(super) async fn read(
        store: Store,
        table: TableId,
        match_id: MatchId,
        now: Timestamp,
    ) -> Result<Self, LoadError> {
        let history = replay(&store, table, match_id).await?;
        let mut record = Self { store, history, hold: Hold::Reading { since: now } };
        let last = record.history.last_at();
        let downtime = unowned_until(now);
        if let Some(event) = record.interruption(downtime).await? {
            record.history.foresee(&event, now.max(last));
        }
        record.notice(&[], downtime.resumes.max(last));
        Ok(record)
    }

    /// Claims a match after the server was away, reads it, and has it kept that nobody pays for that time. `None` if
    /// there is no such match.
    pub(super) async fn resume(
        store: Store,
        table: TableId,
        match_id: MatchId,
        downtime: Downtime,
    ) -> Result<Option<Self>, LoadError> {
        let Some(mut record) = Self::claim_after(store, table, match_id, downtime).await? else {
            return Ok(None);
        };
        record.notice(&[], downtime.resumes.max(record.history.last_at()));
        Ok(Some(record))
    }

    /// The same, with all players there until something else is noticed.
    async fn claim_after(
        store: Store,
        table: TableId,
        match_id: MatchId,
        downtime: Downtime,
    ) -> Result<Option<Self>, LoadError> {
        let Some(mut record) = Self::claim(store, table, match_id).await? else { return Ok(None) };
        let last = record.history.last_at();
        if let (Some(event), Hold::Claimed(epoch)) = (record.interruption(downtime).await?, record.hold) {
            let at = downtime.back.max(last);
            let entry = record.entry(epoch, std::slice::from_ref(&event), None, None, at);
            match record.store.append(&entry).await {
                Ok(_) => drop(record.history.push(event, at)),
                Err(AppendError::Fault(error)) => return Err(error.into()),
                Err(error) => {
                    tracing::warn!(match.id = %match_id, "the log is read again: {}", chain(&error));
                    record.hold = Hold::Lost;
                }
            }
        }
        Ok(Some(record))
    }

    /// Recalls what the store has beside the log, and returns the event that the downtime is worth.
    async fn interruption(&mut self, downtime: Downtime) -> Result<Option<Event>, StoreError> {
        let last = self.history.last_at();
        if let Stage::Running(_) = self.state().stage()
            && let Some(kept) = self.store.turn_away(self.state().match_id()).await?
        {
            self.history.recall(&kept, downtime.alive(last));
        }
        Ok(self.state().interrupted(downtime, last))
    }

    /// Claims a match and reads it. `None` if there is no such match.
    async fn claim(store: Store, table: TableId, match_id: MatchId) -> Result<Option<Self>, LoadError> {
        let Some(epoch) = store.claim(match_id).await? else { return Ok(None) };
        let history = replay(&store, table, match_id).await?;
        Ok(Some(Self { store, history, hold: Hold::Claimed(epoch) }))
    }

    /// The match with its past.
    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// The state of the match.
    pub(super) fn state(&self) -> &TableState {
        self.history.state()
    }

    /// See [`TableState::notice`].
    pub(super) fn notice(&mut self, here: &[Here], at: Timestamp) {
        self.history.notice(here, at);
    }

    /// Decides a command, has it kept, and takes it in. Nobody hears of it before it is durable.
    ///
    /// # Errors
    /// [`KeepError`]; nothing has changed then, or the log has it and is read before the next command.
    pub(super) async fn carry_out(
        &mut self,
        command: &TableCommand,
        order: Option<&Order>,
        now: Timestamp,
        tell: &mut impl Tell,
    ) -> Result<Answer, KeepError> {
        let mut last_error = AppendError::Fenced;
        for _ in 0..TRIES {
            self.hold_again(now, tell).await?;
            // The log may have been written with a clock that was ahead of this one: its times never fall.
            let now = now.max(self.history.last_at());
            let match_id = self.state().match_id();
            let meant = order.and_then(|order| order.match_id).unwrap_or(match_id);
            let decided = match meant == match_id {
                true => self.state().decide(command, now),
                false => Err(Rejection::OtherMatch { at: match_id }),
            };
            let events = match decided {
                Ok(events) => events,
                Err(rejection) => {
                    let before = self.answered_before(order).await?;
                    return Ok(before.unwrap_or(Answer::Refused { match_id, rejection }));
                }
            };
            let Hold::Claimed(epoch) = self.hold else {
                // What was only read so far is claimed, and read again, before it is written.
                self.take_up(now, tell).await?;
                continue;
            };
            let next = self.next_match(&events, now);
            match self.store.append(&self.entry(epoch, &events, order, next.as_ref(), now)).await {
                Ok(seq) => {
                    self.take_in(events, now, tell);
                    if let Some(next) = next {
                        let next = Self::opened(self.store.clone(), next);
                        self.go_on_to(next, tell);
                    }
                    return Ok(Answer::Done { match_id, seq });
                }
                Err(AppendError::Duplicate { seq }) => return Ok(Answer::Done { match_id, seq }),
                Err(AppendError::LinkUsed) => return Ok(Answer::InviteUsed),
                Err(error @ (AppendError::Fenced | AppendError::Unknown(_))) => {
                    tracing::warn!(match.id = %match_id, "the log is read again: {}", chain(&error));
                    self.hold = Hold::Lost;
                    last_error = error;
                }
                Err(error @ AppendError::Fault(_)) => return Err(error.into()),
            }
        }
        Err(last_error.into())
    }

    /// The match that the last of these events lets follow.
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
        order: Option<&Order>,
        next: Option<&History>,
        now: Timestamp,
    ) -> Append {
        let author =
            |order: &Order| Author { user: order.by.id, cmd: order.cmd.clone(), redeem: order.redeem };
        Append {
            match_id: self.state().match_id(),
            epoch,
            head_seq: self.state().head(),
            at: now,
            events: events.to_vec(),
            by: order.map(author),
            next: next.map(|next| NextMatch {
                match_id: next.state().match_id(),
                events: next.entries().iter().map(|entry| entry.event.clone()).collect(),
            }),
        }
    }

    /// What a command that is refused now was answered when it was carried out before.
    async fn answered_before(&self, order: Option<&Order>) -> Result<Option<Answer>, StoreError> {
        let Some(order) = order else { return Ok(None) };
        let matches = match order.match_id {
            Some(named) => [Some(named), None],
            None => [Some(self.state().match_id()), before(&self.history)],
        };
        for match_id in matches.into_iter().flatten() {
            if let Some(seq) = self.store.command_answer(match_id, order.by.id, &order.cmd).await? {
                return Ok(Some(Answer::Done { match_id, seq }));
            }
        }
        Ok(None)
    }

    /// Whether the match has been claimed, and the claim is not known to be lost.
    pub(super) fn is_claimed(&self) -> bool {
        matches!(self.hold, Hold::Claimed(_))
    }

    /// Claims and reads the match again if the claim was lost; tells what the log has that nobody was told.
    async fn hold_again(&mut self, now: Timestamp, tell: &mut impl Tell) -> Result<(), LoadError> {
        if self.hold == Hold::Lost { self.take_up(now, tell).await } else { Ok(()) }
    }

    /// Claims and reads the match unless it is claimed; tells what the log has that nobody was told.
    ///
    /// # Errors
    /// [`LoadError`]; the match is held as before then.
    pub(super) async fn take_up(&mut self, now: Timestamp, tell: &mut impl Tell) -> Result<(), LoadError> {
        let known = self.state().head();
        let (table, match_id) = (self.state().table(), self.state().match_id());
        let store = self.store.clone();
        let claimed = match self.hold {
            Hold::Claimed(_) => return Ok(()),
            Hold::Lost => Self::claim(store, table, match_id).await?,
            Hold::Reading { since } => {
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
            self.history.retell(known, |entry, state| tell.event(entry, state, place(entry.seq, last)));
        }
        while let Some(next) = self.state().rematch().next() {
            let claimed = Self::claim(self.store.clone(), table, next).await?;
            self.go_on_to(claimed.expect("a match is there with the event that names it"), tell);
        }
        Ok(())
    }

    fn go_on_to(&mut self, next: Self, tell: &mut impl Tell) {
        let after = self.state().match_id();
        *self = next;
        tell.next_match(after, &mut self.history);
    }

    /// Takes in what is durable now.
    fn take_in(&mut self, events: Vec<Event>, now: Timestamp, tell: &mut impl Tell) {
        let head = self.state().head() + events.len() as u64;
        for event in events {
            self.history.push(event, now);
            let entry = self.history.entries().last().expect("one was just added");
            tell.event(entry, self.history.state(), place(entry.seq, head));
        }
    }
}

/// The match that this one followed at its table: its commands may be sent again.
fn before(history: &History) -> Option<MatchId> {
    match history.entries().first().map(|entry| &entry.event) {
        Some(Event::Opened { after, .. }) => *after,
        _ => None,
    }
}

/// Nobody ran a match until `now`, and since its last event as far as anybody knows. Who is there can move from then on.
fn unowned_until(now: Timestamp) -> Downtime {
    Downtime { alive: None, back: now, resumes: now }
}

fn place(seq: u64, head: u64) -> Place {
    if seq == head { Place::Last } else { Place::Inner }
}

/// Reads a match as its log tells it. Nothing is claimed.
///
/// # Errors
/// See [`LoadError`].
pub async fn replay(store: &Store, table: TableId, match_id: MatchId) -> Result<History, LoadError> {
    let (origin, facts) = facts(store, table, match_id).await?;
    Ok(History::replay(origin, facts)?)
}

/// What a match is read back from ([`History::replay`]).
///
/// # Errors
/// [`StoreError`] if the store could not say.
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
