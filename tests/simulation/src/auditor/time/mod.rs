//! The time of players: nobody is charged for time in which nobody could move, no more than that time
//! is refunded, and no deadline passes without an effect.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_rules::{GameCommand, Timestamp};
use quadrex_store::LoggedEvent;
use quadrex_tests::referee::Referee;

use crate::owner_record::Interval;
use crate::server_time::ServerTime;
use crate::trace::story_time;

/// An outage that is not longer than this need not be compensated.
const SHORT: Duration = Duration::from_secs(4);

/// The time by which the beginning of a compensated outage may differ from the real one. A server
/// records every half second that it is alive.
const BEGIN_TOLERANCE: Duration = Duration::from_millis(1_500);

/// The largest refunded time without an outage. Among other things, a start takes time.
const REFUND_TOLERANCE: Duration = Duration::from_secs(4);

/// The time within which a deadline takes effect.
const DEADLINE_TOLERANCE: Duration = Duration::from_secs(10);

/// The longest time for which a match has no owner that works while another node claims matches.
const OWNERLESS: Duration = Duration::from_secs(20);

/// The time after an event in which a match does not hibernate.
const AWAKE: Duration = Duration::from_secs(60);

/// The times at which servers could not work.
#[derive(Clone, Debug, Default)]
pub(super) struct Outages {
    certain: Vec<Interval>,
    uncertain: Vec<Interval>,
}

impl Outages {
    pub(super) fn add(&mut self, since: Timestamp, until: Timestamp) {
        self.certain.push((since, until));
    }

    pub(super) fn add_uncertainty(&mut self, since: Timestamp, until: Timestamp) {
        self.uncertain.push((since, until));
    }

    /// Returns the outages of a match of a cluster, which no working node owned in these intervals.
    pub(super) fn of_match(&self, unserved: Vec<Interval>) -> Self {
        Self { certain: unserved, uncertain: self.uncertain.clone() }
    }

    /// Returns the outages by the time of a server without a cluster.
    pub(super) fn shown_by(&self, time: &ServerTime) -> Self {
        let shown = |intervals: &[Interval]| time.intervals(intervals);
        Self { certain: shown(&self.certain), uncertain: shown(&self.uncertain) }
    }

    /// Returns the intervals in which nobody owned a match for long, although a node claimed matches.
    pub(super) fn ownerless(&self, log: &[LoggedEvent], claims: impl Fn(Interval) -> bool) -> Vec<String> {
        let runs = runs(log);
        let is_long = |(since, until): &&Interval| until.since(*since) > OWNERLESS;
        let is_wrong = |(since, until): &&Interval| {
            let is_awake = |row: &LoggedEvent| row.at <= *since && since.since(row.at) <= AWAKE;
            runs.iter().any(|(from, to)| from <= since && until <= to)
                && log.iter().any(is_awake)
                && claims((*since, *until))
                && !self.is_uncertain(*since, *until)
        };
        let wrong = self.certain.iter().filter(is_long).filter(is_wrong);
        let text = |(since, until): &Interval| {
            format!("no node owned it for {:?} from {} on", until.since(*since), story_time(*since))
        };
        wrong.map(text).collect()
    }

    /// Compares the times in a log with the outages. Returns what is wrong.
    pub(super) fn check(&self, log: &[LoggedEvent]) -> Vec<String> {
        let mut wrong = Vec::new();
        let compensations = compensations(log);
        for (since, until) in &compensations {
            let refunded = until.since(*since);
            let covered = self.covered(*since, *until);
            if refunded > covered + REFUND_TOLERANCE {
                let at = story_time(*since);
                wrong.push(format!("{refunded:?} from {at} on are refunded for an outage of {covered:?}"));
            }
        }
        let runs = runs(log);
        for (since, until) in &self.certain {
            let is_long = until.since(*since) > SHORT;
            let runs_through = runs.iter().any(|(from, to)| from <= since && until <= to);
            let is_uncertain = |time: Timestamp| self.is_uncertain(time, time);
            if !is_long || !runs_through || is_uncertain(*since) || is_uncertain(*until) {
                continue;
            }
            let is_compensated = compensations.iter().any(|(from, to)| {
                from.since(*since) <= BEGIN_TOLERANCE && until.since(*to) <= BEGIN_TOLERANCE
            });
            if !is_compensated {
                let (lasted, at) = (until.since(*since), story_time(*since));
                wrong.push(format!("the outage of {lasted:?} from {at} on is not compensated"));
            }
        }
        wrong.extend(self.missed_deadline(log));
        wrong
    }

    /// Returns whether it is not known for a part of an interval that servers could work.
    pub(super) fn is_uncertain(&self, since: Timestamp, until: Timestamp) -> bool {
        self.uncertain.iter().any(|(from, to)| *from <= until && since <= *to)
    }

    /// Returns the part of an interval in which a server did not work, or may not have worked.
    pub(super) fn covered(&self, since: Timestamp, until: Timestamp) -> Duration {
        let parts: Vec<Interval> = self.certain.iter().chain(&self.uncertain).copied().collect();
        overlap(&parts, since, until)
    }

    /// Returns the number of outages in a part of an interval.
    pub(super) fn count(&self, since: Timestamp, until: Timestamp) -> u32 {
        let concerned = self.certain.iter().filter(|(from, to)| *from <= until && since <= *to);
        u32::try_from(concerned.count()).unwrap_or(u32::MAX)
    }

    /// Returns what is wrong if a player's time was over long before the event that says so.
    fn missed_deadline(&self, log: &[LoggedEvent]) -> Option<String> {
        let mut referee = Referee::default();
        let mut is_suspended = false;
        for row in log {
            let latest = Timestamp::from_millis(
                row.at.as_millis().saturating_sub(u64::try_from(DEADLINE_TOLERANCE.as_millis()).ok()?),
            );
            let is_overdue = !is_suspended
                && !matches!(row.event, Event::Interrupted { .. })
                && referee.is_settled()
                && referee
                    .game()
                    .is_some_and(|game| !game.is_over() && game.decide(&GameCommand::Flag, latest).is_ok());
            let before = Timestamp::from_millis(latest.as_millis().saturating_sub(60_000));
            if is_overdue && self.covered(before, row.at).is_zero() {
                return Some(format!(
                    "a clock ran out more than {DEADLINE_TOLERANCE:?} before event {}",
                    row.seq
                ));
            }
            match row.event {
                Event::Paused {} | Event::Waiting { .. } => is_suspended = true,
                Event::Resumed {} => is_suspended = false,
                _ => {}
            }
            referee.observe(row.seq, row.at.as_millis(), &row.event).ok()?;
        }
        None
    }
}

/// Returns the part of an interval that is in other intervals, which may overlap.
pub(super) fn overlap(intervals: &[Interval], since: Timestamp, until: Timestamp) -> Duration {
    let mut sorted = intervals.to_vec();
    sorted.sort_unstable();
    let (mut sum, mut from) = (Duration::ZERO, since);
    for (begin, end) in sorted {
        let (begin, end) = (begin.max(from), end.min(until));
        if begin < end {
            sum += end.since(begin);
            from = end;
        }
    }
    sum
}

/// Returns the intervals for which players were compensated.
fn compensations(log: &[LoggedEvent]) -> Vec<Interval> {
    let interruption = |row: &LoggedEvent| match row.event {
        Event::Interrupted { until_ms, .. } => Some((Timestamp::from_millis(until_ms), row.at)),
        _ => None,
    };
    log.iter().filter_map(interruption).collect()
}

/// Returns the intervals in which a clock ran: the match had started, was not over, and was not
/// suspended.
fn runs(log: &[LoggedEvent]) -> Vec<Interval> {
    let has_clocks = log.iter().any(|row| matches!(row.event, Event::Moved { left_ms: Some(_), .. }));
    if !has_clocks {
        return Vec::new();
    }
    let (mut runs, mut since) = (Vec::new(), None);
    for row in log {
        match row.event {
            Event::Started { .. } | Event::Resumed {} => since = Some(row.at),
            Event::Paused {} | Event::Waiting { .. } | Event::Ended { .. } | Event::Aborted { .. } => {
                runs.extend(since.take().map(|since| (since, row.at)));
            }
            _ => {}
        }
    }
    runs
}

#[cfg(test)]
mod tests;
