//! Vacations: correspondence matches receive those of their players, and nobody runs out of time on vacation.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_protocol::http::Vacation;
use quadrex_protocol::{Event, UserId};
use quadrex_rules::{Cause, Color, Reason, Timestamp};
use quadrex_store::LoggedEvent;
use quadrex_tests::referee::Referee;
use tokio::time::Instant;

use super::Auditor;
use super::outline::apply_seats;
use super::time::Outages;
use crate::trace::virtual_now;

/// The time between two events of a match within which it receives a vacation if nothing fails.
const RECEIVED_WITHIN: Duration = Duration::from_secs(10);

/// All requests of users to begin or end their vacations, in the order in which they were sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Vacations(Vec<Request>);

/// A request of a user.
#[derive(Clone, Debug)]
struct Request {
    user: UserId,
    /// True if the user wants to begin a vacation, false to end it.
    begins: bool,
    sent_at: Instant,
    /// The answer and its time; `None` if there is none, and the request may still be executed.
    answer: Option<(VacationChange, Instant)>,
}

/// The answer to a request to begin or end a vacation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VacationChange {
    /// The user is on vacation.
    Began(Vacation),
    /// The user is not on vacation.
    Ended,
    /// Nothing has changed.
    Refused,
}

impl Auditor {
    /// Records a request to begin a vacation before it is sent. Returns its number.
    pub(crate) fn vacation_begin_sent(&self, user: UserId) -> usize {
        self.vacation_sent(user, true)
    }

    /// Records a request to end the vacation before it is sent. Returns its number.
    pub(crate) fn vacation_end_sent(&self, user: UserId) -> usize {
        self.vacation_sent(user, false)
    }

    fn vacation_sent(&self, user: UserId, begins: bool) -> usize {
        let requests = &mut self.lock().vacations.0;
        requests.push(Request { user, begins, sent_at: virtual_now(), answer: None });
        requests.len() - 1
    }

    /// Records the answer to a request.
    pub(crate) fn vacation_answered(&self, number: usize, change: VacationChange) {
        if let Some(request) = self.lock().vacations.0.get_mut(number) {
            request.answer = Some((change, virtual_now()));
        }
    }
}

impl Request {
    /// Returns the vacation that the request has certainly begun.
    fn began(&self) -> Option<(Vacation, Instant)> {
        match self.answer? {
            (VacationChange::Began(vacation), at) => Some((vacation, at)),
            _ => None,
        }
    }

    /// Returns whether the request may have changed something by a time.
    fn may_have_changed(&self, by: Instant) -> bool {
        self.sent_at <= by && !matches!(self.answer, Some((VacationChange::Refused, _)))
    }
}

/// The log of a match, with what is known of it besides.
pub(super) struct Match<'a> {
    pub(super) log: &'a [LoggedEvent],
    /// The times at which the events were committed, apart from the first ones, as far as they are known.
    pub(super) committed_at: &'a dyn Fn(u64) -> Option<Instant>,
    /// The outages of the match.
    pub(super) outages: &'a Outages,
}

impl Vacations {
    /// Compares the log of a correspondence match with the vacations of its players. Returns what is wrong.
    pub(super) fn check(&self, of: &Match) -> Vec<String> {
        let (mut referee, mut holders, mut current) = (Referee::default(), BTreeMap::new(), BTreeMap::new());
        let mut wrong = Vec::new();
        for row in of.log {
            let at = row.at.as_millis();
            let turn = referee.game().map(|game| game.position().turn());
            match row.event {
                Event::VacationStarted { color, since_ms, until_ms } => {
                    let user = holders.get(&color).copied();
                    let committed_at = (of.committed_at)(row.seq);
                    let is_ended = user.is_some_and(|user| self.may_have_ended(user, committed_at));
                    // The server at which it began or ended may be ahead of the owner of the match.
                    let is_same = |began: Vacation| {
                        let is_same_end = began.until_ms == until_ms || is_ended && until_ms < began.until_ms;
                        began.since_ms.min(at) == since_ms && is_same_end
                    };
                    if !self.may_have_begun(user, is_same) {
                        wrong.push(format!("event {} begins a vacation that {color} has not begun", row.seq));
                    }
                    current.insert(color, until_ms);
                }
                Event::VacationEnded { color } => {
                    let is_over = current.remove(&color).is_some_and(|until_ms| until_ms <= at);
                    let ended = |user: &UserId| self.may_have_ended(*user, (of.committed_at)(row.seq));
                    if !is_over && !holders.get(&color).is_some_and(ended) {
                        wrong.push(format!("event {} ends a vacation that {color} has not ended", row.seq));
                    }
                }
                Event::Eliminated { color, cause: Cause::Time, .. } => {
                    wrong.extend(self.out_of_time(of, row, holders.get(&color).copied()));
                }
                Event::Ended { reason: Reason::Time, .. } => {
                    let user = turn.and_then(|turn| holders.get(&turn).copied());
                    wrong.extend(self.out_of_time(of, row, user));
                }
                _ => {}
            }
            let mut users = BTreeMap::new();
            apply_seats(&mut users, &row.event);
            holders.extend(users.into_iter().map(|(color, user)| (color, user.id)));
            if referee.observe(row.seq, at, &row.event).is_err() {
                return wrong;
            }
        }
        for (color, user) in holders {
            wrong.extend(self.unknown_to(of, color, user));
        }
        wrong
    }

    fn of_user(&self, user: UserId) -> impl Iterator<Item = &Request> {
        self.0.iter().filter(move |request| request.user == user)
    }

    /// Returns whether a user may have begun a certain vacation.
    fn may_have_begun(&self, user: Option<UserId>, is_same: impl Fn(Vacation) -> bool) -> bool {
        let mut begins =
            user.into_iter().flat_map(|user| self.of_user(user)).filter(|request| request.begins);
        begins.any(|request| match request.answer {
            Some((VacationChange::Began(began), _)) => is_same(began),
            Some(_) => false,
            None => true,
        })
    }

    /// Returns whether a user may have ended a vacation by a time.
    fn may_have_ended(&self, user: UserId, by: Option<Instant>) -> bool {
        let mut ends = self.of_user(user).filter(|request| !request.begins);
        ends.any(|request| by.is_none_or(|by| request.may_have_changed(by)))
    }

    /// Returns what is wrong if a user runs out of time on vacation.
    fn out_of_time(&self, of: &Match, row: &LoggedEvent, user: Option<UserId>) -> Option<String> {
        let (user, at) = (user?, row.at.as_millis());
        let committed_at = (of.committed_at)(row.seq)?;
        let is_on_vacation = |(vacation, began): (Vacation, Instant)| {
            let mut ends = self.of_user(user).filter(|request| !request.begins);
            (vacation.since_ms..vacation.until_ms).contains(&at)
                && began < committed_at
                && !ends.any(|end| end.sent_at >= began && end.may_have_changed(committed_at))
        };
        let is_wrong = self.of_user(user).filter_map(Request::began).any(is_on_vacation);
        is_wrong.then(|| format!("event {} lets a player run out of time on vacation", row.seq))
    }

    /// Returns what is wrong if a match goes on for long without the vacation of a player.
    fn unknown_to(&self, of: &Match, color: Color, user: UserId) -> Option<String> {
        self.of_user(user).filter_map(Request::began).find_map(|(vacation, began)| {
            let changes = self
                .of_user(user)
                .filter(|request| request.began().is_none_or(|(other, _)| other != vacation));
            // Another request may be executed late.
            let others = changes.filter(|request| request.answer.is_none_or(|(_, at)| at >= began));
            let until = others.map(|request| request.sent_at).min();
            if until.is_some_and(|until| until <= began) {
                return None;
            }
            let is_current = |row: &LoggedEvent| {
                let at = (of.committed_at)(row.seq);
                at.is_some_and(|at| began <= at && until.is_none_or(|until| at < until))
                    && row.at < Timestamp::from_millis(vacation.until_ms)
            };
            let is_received = |event: &Event| {
                matches!(*event, Event::VacationStarted { color: of, until_ms, .. }
                    if (of, until_ms) == (color, vacation.until_ms))
            };
            let mut first: Option<&LoggedEvent> = None;
            let started = of.log.iter().position(|row| matches!(row.event, Event::Started { .. }))?;
            for row in &of.log[started..] {
                if is_received(&row.event) || ends_play(&row.event, color) {
                    return None;
                }
                if !is_current(row) {
                    continue;
                }
                if let Some(first) = first {
                    let passed = row.at.since(first.at);
                    if passed > RECEIVED_WITHIN + of.outages.covered(first.at, row.at) {
                        return Some(format!(
                            "the vacation of {color} is still unknown {passed:?} after event {}",
                            first.seq
                        ));
                    }
                } else {
                    first = Some(row);
                }
            }
            None
        })
    }
}

/// Returns whether a player does not play any more after an event.
fn ends_play(event: &Event, player: Color) -> bool {
    match event {
        Event::Eliminated { color, .. } => *color == player,
        Event::Ended { .. } | Event::Aborted { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
