//! The checked properties.

use quadrex_protocol::MatchId;
use quadrex_store::NodeId;

use super::super::faults::WARM_UP_MS;
use super::super::host::Host;
use super::{AblePeriod, Event, OBSERVATION_MS, World};

/// The maximum time between the last moment at which a move could be stored and the time up to
/// which players are charged, if there are several faults. It is the duration of a lease and some
/// latency.
const MAX_CHARGE_ERROR_MS: u64 = 2_500;

/// The same for a single fault: the second before the death.
const MAX_SINGLE_CHARGE_ERROR_MS: u64 = 1_000;

impl World<'_> {
    /// Makes sure that no other host may act for a match, now or when it wakes.
    pub(super) fn check_exclusive(&mut self, host: usize, match_id: MatchId, doing: &str) {
        let other = (0..self.hosts.len())
            .find(|other| *other != host && self.hosts[*other].may_act(match_id, self.now));
        if let Some(other) = other {
            self.violation(format!("host {host} {doing} {match_id:?} while host {other} may act for it"));
        }
    }

    /// Makes sure that the players of a match are charged up to about the last moment at which they
    /// could move: they get back little time in which they could move, and they are charged little
    /// time in which they could not. An owner that died before it could act has logged no
    /// interruption, so a second death right after the first one is not covered.
    pub(super) fn check_charge(&mut self, match_id: MatchId, dead: NodeId, since: u64) {
        let Some(periods) = self.able.get(&match_id) else { return };
        let Some(last) = periods.last().filter(|last| last.owner == Some(dead)) else { return };
        let refunded: u64 =
            periods.iter().map(|period| period.until.saturating_sub(period.from.max(since))).sum();
        let charged = since.saturating_sub(last.until);
        let limit = if self.schedule.is_single { MAX_SINGLE_CHARGE_ERROR_MS } else { MAX_CHARGE_ERROR_MS };
        if refunded.max(charged) > limit + OBSERVATION_MS {
            let until = last.until;
            self.violation(format!(
                "{match_id:?} is charged until {since}, and could be played until {until}"
            ));
        }
    }

    pub(super) fn observe(&mut self) {
        self.schedule(OBSERVATION_MS, Event::Observe);
        let is_up = self.now >= self.database_down_until;
        let ids: Vec<_> = self.database.matches().keys().copied().collect();
        for match_id in ids {
            let able = self.hosts.iter().find(|host| is_up && host.can_store(match_id, self.now));
            let periods = self.able.entry(match_id).or_default();
            if let Some(able) = able {
                let owner = able.id();
                match periods.last_mut() {
                    Some(last) if last.owner == owner && last.until + OBSERVATION_MS >= self.now => {
                        last.until = self.now;
                    }
                    _ => periods.push(AblePeriod { from: self.now, until: self.now, owner }),
                }
            } else if self.now > WARM_UP_MS {
                let able = periods.last().map_or(0, |period| period.until).max(WARM_UP_MS);
                self.report.longest_gap_ms = self.report.longest_gap_ms.max(self.now - able);
            }
        }
        if self.schedule.is_single {
            self.check_single();
        }
    }

    /// Checks the effects of the only fault.
    fn check_single(&mut self) {
        let (at, _, fault) = self.schedule.faults[0];
        let (gap, limit) = (self.report.longest_gap_ms, fault.max_gap_ms());
        if gap > limit + OBSERVATION_MS {
            self.violation(format!("nobody can move for {gap} ms, at most {limit} are allowed"));
        }
        let (moved, started) = (self.report.recovered + self.report.handed_over, self.last_node);
        if !fault.moves_matches() && (moved > 0 || started > self.schedule.hosts as u64) {
            self.violation(format!("{moved} matches have moved since {at}, {started} nodes have started"));
        }
    }

    /// Checks that exactly one node acts for each match.
    pub(super) fn check_end(&mut self) {
        let ids: Vec<_> = self.database.matches().keys().copied().collect();
        for match_id in ids {
            let acting = self.hosts.iter().filter(|host| host.can_store(match_id, self.now)).count();
            if acting != 1 {
                let known = self.database.matches()[&match_id].clone();
                self.violation(format!("{acting} nodes act for {match_id:?} at the end: {known:?}"));
            }
        }
        let is_draining = |host: &Host| host.membership.is_none();
        let absent = self.hosts.iter().filter(|host| is_draining(host)).count();
        if absent > 0 {
            self.violation(format!("{absent} hosts have no node at the end"));
        }
    }
}
