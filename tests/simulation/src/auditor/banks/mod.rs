//! The reconnect banks: the time for which players may be away on their own turns. It is counted while a
//! player is away, and only then, it never grows, and the table reacts when it is used up.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::{PlayerView, Presence};
use quadrex_protocol::{Event, MatchId, UserId};
use quadrex_rules::{Cause, Color, Reason, Timestamp};
use quadrex_store::LoggedEvent;
use quadrex_tests::referee::Referee;

use super::Auditor;
use super::attendance::AttendanceTimes;
use super::outline::apply_seats;
use super::time::{Outages, overlap};

/// The time that an absence of a player may be longer or shorter in the log than in reality. In addition,
/// it may be shorter by this time for each outage: a server that is killed knows neither its last moments
/// nor the first seconds of an absence, and this can happen several times in one absence.
const TOLERANCE: Duration = Duration::from_secs(5);

/// The time within which a table reacts to an empty bank.
const REACTION_TOLERANCE: Duration = Duration::from_secs(10);

/// The least rest of each reconnect bank that a client has been shown, and when.
pub(crate) type LeastBanks = BTreeMap<(MatchId, Color), (Duration, Timestamp)>;

/// A bank that was shown with more time than before.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    actor: String,
    text: String,
    since: Timestamp,
    until: Timestamp,
}

impl Auditor {
    /// Returns the least rests of all banks that clients have been shown until now.
    pub(crate) fn least_banks(&self) -> LeastBanks {
        self.lock().least_banks.clone()
    }

    /// Checks the presence that a client is shown. `least` are the rests that were shown before, in
    /// frames that the server has certainly sent before this one.
    pub(crate) fn shown_banks(
        &self,
        actor: &str,
        least: &mut LeastBanks,
        match_id: MatchId,
        players: &[PlayerView],
    ) {
        let now = self.0.trace.time_of_day();
        for PlayerView { color, presence, bank_left_ms, .. } in players {
            let (Presence::Reconnecting, Some(left_ms)) = (presence, bank_left_ms) else { continue };
            let (key, left) = ((match_id, *color), Duration::from_millis(*left_ms));
            let mut state = self.lock();
            if let Some((before, since)) = least.get(&key)
                && left > *before + TOLERANCE
            {
                let text = format!(
                    "{match_id}: the reconnect bank of {color} is shown with {left:?}, after {before:?}"
                );
                state.growths.push(Growth { actor: actor.to_owned(), text, since: *since, until: now });
            }
            for least in [&mut *least, &mut state.least_banks] {
                let known = least.entry(key).or_insert((left, now));
                if left <= known.0 {
                    *known = (left, now);
                }
            }
        }
    }

    /// Reports the banks that have grown although the database worked.
    pub(crate) fn check_growths(&self) {
        let (growths, outages) = {
            let state = self.lock();
            (state.growths.clone(), state.outages.clone())
        };
        for Growth { actor, text, since, until } in growths {
            if !outages.is_uncertain(since, until) {
                self.violation(&actor, text);
            }
        }
    }
}

/// Returns the reconnect bank at the beginning of a match, if there are banks.
fn full_bank(time: TimeSetting) -> Option<Duration> {
    let (base_ms, bonus_ms) = match time {
        TimeSetting::None => return Some(Duration::from_secs(180)),
        TimeSetting::Correspondence { .. } => return None,
        TimeSetting::Fischer { base_ms, increment_ms } => (base_ms, increment_ms),
        TimeSetting::Delay { base_ms, delay_ms } => (base_ms, delay_ms),
    };
    Some(Duration::from_millis(((base_ms + 40 * bonus_ms) / 10).clamp(30_000, 180_000)))
}

/// The bank of a player as it follows from the log and from the times at which the player was there.
#[derive(Clone, Copy, Debug, Default)]
struct Bank {
    /// The time that is spent according to the log.
    logged: Duration,
    /// The least and the most time that has been spent since, and is not in the log.
    least: Duration,
    most: Duration,
    /// The time since which this is counted.
    since: Option<Timestamp>,
}

/// Compares the absences in a log with the times at which the players were at the table.
pub(super) struct BankCheck<'a> {
    attendances: &'a BTreeMap<UserId, AttendanceTimes>,
    /// The outages of the match.
    outages: &'a Outages,
    /// The outages of all servers. A player whose connection is at a server that does not work is away.
    all_outages: &'a Outages,
    full: Duration,
    banks: BTreeMap<Color, Bank>,
    wrong: Vec<String>,
}

impl<'a> BankCheck<'a> {
    /// Returns what is wrong about the banks of a match.
    pub(super) fn check(
        log: &[LoggedEvent],
        attendances: &'a BTreeMap<UserId, AttendanceTimes>,
        outages: &'a Outages,
        all_outages: &'a Outages,
    ) -> Vec<String> {
        let Some(Event::Opened { settings, .. }) = log.first().map(|row| &row.event) else {
            return Vec::new();
        };
        let Some(full) = full_bank(settings.time) else { return Vec::new() };
        let (banks, wrong) = (BTreeMap::new(), Vec::new());
        let mut this = Self { attendances, outages, all_outages, full, banks, wrong };
        this.follow(log, settings.time != TimeSetting::None);
        this.wrong
    }

    fn follow(&mut self, log: &[LoggedEvent], has_clocks: bool) {
        let (mut referee, mut holders) = (Referee::default(), BTreeMap::new());
        // The players whose bank was used up, and the end of the last grace period.
        let (mut emptied, mut not_before) = (BTreeSet::new(), Timestamp::from_millis(0));
        let mut substituted = BTreeSet::new();
        let mut is_suspended = false;
        let mut running: Option<(Color, Timestamp)> = None;
        for row in log {
            if let Some((color, since)) = running.take() {
                let until = match row.event {
                    Event::Interrupted { until_ms, .. } => Timestamp::from_millis(until_ms),
                    _ => row.at,
                };
                if let Some(times) = holders.get(&color).and_then(|user| self.attendances.get(user)) {
                    let bank = self.banks.entry(color).or_default();
                    bank.since.get_or_insert(since);
                    // There is no event about an outage in which no time ran.
                    let outage = self.outages.covered(since, until);
                    let forgotten = TOLERANCE.saturating_mul(self.outages.count(since, until));
                    bank.least += overlap(&times.absences, since, until).saturating_sub(outage + forgotten);
                    let all = until.since(since);
                    let stayed = overlap(&times.stays, since, until);
                    bank.most += all.saturating_sub(stayed) + self.all_outages.covered(since, until);
                }
                if !emptied.contains(&color) {
                    self.check_event(row, color, has_clocks);
                }
            }
            match row.event {
                Event::Waiting { color } | Event::Substituted { color, .. } => {
                    emptied.insert(color);
                }
                Event::Interrupted { resumes_ms, .. } => not_before = Timestamp::from_millis(resumes_ms),
                _ => {}
            }
            match row.event {
                Event::Substituted { color, .. } => drop(substituted.insert(color)),
                Event::Returned { color } => drop(substituted.remove(&color)),
                Event::Paused {} | Event::Waiting { .. } => is_suspended = true,
                Event::Resumed {} => is_suspended = false,
                _ => {}
            }
            let mut users = BTreeMap::new();
            apply_seats(&mut users, &row.event);
            holders.extend(users.into_iter().map(|(color, user)| (color, user.id)));
            if referee.observe(row.seq, row.at.as_millis(), &row.event).is_err() {
                return;
            }
            let Some(game) = referee.game().filter(|game| !game.is_over() && !is_suspended) else { continue };
            let turn = game.position().turn();
            let is_first = has_clocks && game.clock().turn_is_first();
            // After the last agreement comes its effect, a takeback for example, which ends the turn.
            let is_settled = referee.is_settled() || matches!(row.event, Event::Agreed { .. });
            if is_settled && !is_first && !game.clock().is_frozen() && !substituted.contains(&turn) {
                running = Some((turn, row.at.max(not_before)));
            }
        }
    }

    /// Checks an event that ended a time in which the bank of `color` could run.
    fn check_event(&mut self, row: &LoggedEvent, color: Color, has_clocks: bool) {
        let (at, seq) = (row.at, row.seq);
        let Self { full, outages, .. } = *self;
        let bank = self.banks.entry(color).or_default();
        let since = bank.since.unwrap_or(at);
        let is_uncertain = outages.is_uncertain(since, at);
        let spent = bank.logged + bank.most;
        let is_removed = match row.event {
            Event::Eliminated { color: out, cause: Cause::Absence, .. } => out == color,
            Event::Ended { reason: Reason::Absence, .. } => true,
            Event::Substituted { color: out, .. } | Event::Waiting { color: out } => out == color,
            _ => false,
        };
        let mut wrong = Vec::new();
        // Without clocks there may be a limit for a move, which has the same effect.
        if is_removed && has_clocks && !is_uncertain && spent + TOLERANCE < full {
            wrong.push(format!(
                "event {seq} says that {color} was away for {full:?}, and it was at most {spent:?}"
            ));
        }
        let before = Timestamp::from_millis(at.as_millis().saturating_sub(60_000));
        let spent = bank.logged + bank.least;
        if !is_removed
            && spent > full + REACTION_TOLERANCE
            && outages.covered(before.min(since), at).is_zero()
        {
            wrong.push(format!(
                "{color} was away for at least {spent:?} before event {seq}, with a bank of {full:?}"
            ));
        }
        let away = match row.event {
            Event::Moved { away_ms, .. }
            | Event::TakenBack { away_ms, .. }
            | Event::Interrupted { away_ms, .. } => Duration::from_millis(away_ms),
            _ => {
                self.wrong.extend(wrong);
                return;
            }
        };
        let Bank { least, most, .. } = *bank;
        if !is_uncertain && (away + TOLERANCE < least || away > most + TOLERANCE) {
            wrong.push(format!(
                "event {seq} says that {color} was away for {away:?}, and it was {least:?} to {most:?}"
            ));
        }
        *bank = Bank { logged: bank.logged + away, ..Bank::default() };
        self.wrong.extend(wrong);
    }
}

#[cfg(test)]
mod tests;
