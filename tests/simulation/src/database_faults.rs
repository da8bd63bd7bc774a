//! The faults of the database.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_store::{Access, Appended, ClaimedBy, Fault, FaultPlan, NodeId};
use tokio::time::Instant;

use crate::chance::Chance;
use crate::lease_record::LeaseRecord;
use crate::owner_record::OwnerRecord;
use crate::trace::{Trace, virtual_now};

/// The longest time for which an access is slow.
const SLOWEST: Duration = Duration::from_secs(8);

/// A way in which an access fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FaultKind {
    Slow,
    Unavailable,
    LostRequest,
    Hang,
    /// Only writes have answers that can be lost: a read without an answer is like a lost request.
    LostAnswer,
    HangAfter,
}

impl FaultKind {
    const ALL: [Self; 6] =
        [Self::Slow, Self::Unavailable, Self::LostRequest, Self::Hang, Self::LostAnswer, Self::HangAfter];
}

/// The faults of the database during a time. Each time has its own mix, so that some simulations have
/// many faults of one kind or of one statement, and everything else works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weather {
    /// The number of accesses to the concerned statements of which one fails.
    one_in: u64,
    kinds: Vec<FaultKind>,
    /// The share of the statements that are concerned, in percent.
    percent: u64,
    /// The number that decides which statements are concerned.
    salt: u64,
    /// After a lost answer, at most this number of accesses of the server succeed, and then at most this
    /// number fail.
    in_a_row: u64,
}

impl Weather {
    pub(crate) fn new(chance: &Chance) -> Self {
        let kinds = if chance.one_in(4) {
            vec![FaultKind::LostAnswer]
        } else {
            FaultKind::ALL.into_iter().filter(|_| chance.one_in(2)).collect()
        };
        let percent = *chance.pick(&[100, 100, 50, 20]).unwrap_or(&100);
        let one_in = match percent {
            100 => 3 + chance.below(15) * chance.below(15),
            _ => 1 + chance.below(10),
        };
        let kinds = if kinds.is_empty() { FaultKind::ALL.to_vec() } else { kinds };
        let in_a_row = *chance.pick(&[0, 4, 12]).unwrap_or(&0);
        Self { one_in, kinds, percent, salt: chance.number(), in_a_row }
    }

    fn concerns(&self, statement: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        (self.salt, statement).hash(&mut hasher);
        hasher.finish() % 100 < self.percent
    }
}

impl fmt::Display for Weather {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { one_in, kinds, percent, in_a_row, .. } = self;
        write!(f, "one of {one_in} accesses to {percent} % of the statements fails: {kinds:?}")?;
        if *in_a_row > 0 {
            write!(f, ", and some of {in_a_row} after a lost answer")?;
        }
        Ok(())
    }
}

/// The way in which all accesses of a server are disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disturbance {
    /// The server cannot reach the database.
    CutOff,
    /// The accesses are executed late. Meanwhile the lease of the server may end.
    Late,
}

/// Decides which accesses to the database fail.
#[derive(Debug)]
pub(crate) struct DatabaseFaults {
    chance: Chance,
    trace: Trace,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The present faults; `None` if the database works.
    weather: Option<Weather>,
    /// The next accesses of each server that fail after a lost answer: those from the first number on to
    /// before the second one.
    broken: BTreeMap<String, (u64, u64)>,
    /// The servers all of whose accesses are disturbed.
    disturbed: BTreeMap<String, Disturbance>,
    /// The commits to each match: the number of the last event, and the time.
    committed: BTreeMap<MatchId, Vec<(u64, Instant)>>,
    owners: OwnerRecord,
    leases: LeaseRecord,
    /// The writes and claims of servers that had no right to them.
    wrong: Vec<String>,
}

impl DatabaseFaults {
    pub(crate) fn new(chance: Chance, trace: Trace) -> Self {
        Self { chance, trace, state: Mutex::default() }
    }

    /// Lets accesses fail in this way from now on; none if it is `None`.
    pub(crate) fn set_weather(&self, weather: Option<Weather>) {
        let mut state = self.lock();
        state.weather = weather;
        state.broken.clear();
    }

    /// Disturbs all accesses of a server in this way from now on; not any more if it is `None`.
    pub(crate) fn disturb(&self, server: &str, disturbance: Option<Disturbance>) {
        let mut state = self.lock();
        match disturbance {
            Some(disturbance) => state.disturbed.insert(server.to_owned(), disturbance),
            None => state.disturbed.remove(server),
        };
    }

    /// Returns the number of the last committed event of a match; `None` if nothing was appended to its
    /// first events.
    pub(crate) fn committed_head(&self, match_id: MatchId) -> Option<u64> {
        self.lock().committed.get(&match_id)?.last().map(|(head, _)| *head)
    }

    /// Returns the time at which an event was appended.
    pub(crate) fn committed_at(&self, match_id: MatchId, seq: u64) -> Option<Instant> {
        let state = self.lock();
        let commits = state.committed.get(&match_id)?;
        commits.get(commits.partition_point(|(head, _)| *head < seq)).map(|(_, at)| *at)
    }

    /// Runs a function on the record of the owners of matches.
    pub(crate) fn owners<T>(&self, run: impl FnOnce(&mut OwnerRecord) -> T) -> T {
        run(&mut self.lock().owners)
    }

    /// Runs a function on the record of the servers' leases.
    pub(crate) fn leases<T>(&self, run: impl FnOnce(&mut LeaseRecord) -> T) -> T {
        run(&mut self.lock().leases)
    }

    /// Returns what servers did although they do not own a match, and forgets it.
    pub(crate) fn take_wrong(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().wrong)
    }

    /// Records what servers did although they do not own a match.
    fn add_wrong(&self, wrong: Option<String>) {
        if let Some(wrong) = wrong {
            self.trace.add("the database", &wrong);
            self.lock().wrong.push(wrong);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FaultPlan for DatabaseFaults {
    fn committed(&self, appended: &Appended<'_>) {
        let now = self.trace.time_of_day();
        let Appended { match_id, last_seq, events, .. } = *appended;
        let writer = appended.server.unwrap_or("the database");
        for (seq, event) in (last_seq - events.len() as u64 + 1..).zip(events) {
            self.trace.add(writer, format_args!("has written event {seq} of {match_id}: {event}"));
        }
        self.lock().committed.entry(match_id).or_default().push((last_seq, virtual_now()));
        let wrong = self.owners(|owners| owners.append(appended, now));
        self.add_wrong(wrong);
    }

    fn claimed(&self, claimed: &ClaimedBy) {
        let now = self.trace.time_of_day();
        let (wrong, name) = self.owners(|owners| {
            let wrong = owners.claim(claimed, now);
            (wrong, owners.owner_name(claimed.match_id).unwrap_or_default())
        });
        let ClaimedBy { match_id, epoch, unowned_since, .. } = claimed;
        let since = unowned_since.map(|since| format!(", which nobody ran since {} ms", since.as_millis()));
        let since = since.unwrap_or_default();
        self.trace.add(name, format_args!("owns {match_id} in epoch {}{since}", epoch.0));
        self.add_wrong(wrong);
    }

    fn released(&self, node: NodeId, matches: &[MatchId]) {
        let now = self.trace.time_of_day();
        self.owners(|owners| matches.iter().for_each(|match_id| owners.release(*match_id, node, now)));
    }

    fn renewed(&self, server: Option<&str>, lease: Duration) {
        if let Some(server) = server {
            self.leases(|leases| leases.renew(server, virtual_now(), lease));
        }
    }

    fn decide(&self, access: Access, statement: &'static str, server: Option<&str>) -> Fault {
        // The auditor has no name, and always sees the truth.
        let Some(server) = server else { return Fault::None };
        let mut state = self.lock();
        match state.disturbed.get(server) {
            Some(Disturbance::CutOff) if self.chance.one_in(3) => return Fault::Hang,
            Some(Disturbance::CutOff) => return Fault::Unavailable,
            Some(Disturbance::Late) => return Fault::Slow(self.chance.time(SLOWEST / 4, SLOWEST)),
            None => {}
        }
        if let Some((from, until)) = state.broken.get_mut(server).filter(|(_, until)| *until > 0) {
            let is_broken = *from == 0;
            *from = from.saturating_sub(1);
            *until -= 1;
            if is_broken {
                return Fault::Unavailable;
            }
        }
        let Some(weather) = state.weather.as_ref().filter(|weather| weather.concerns(statement)) else {
            return Fault::None;
        };
        if !self.chance.one_in(weather.one_in) {
            return Fault::None;
        }
        let writes = matches!(access, Access::Write | Access::Commit);
        let fault = match self.chance.pick(&weather.kinds) {
            Some(FaultKind::Slow) => Fault::Slow(self.chance.time(Duration::ZERO, SLOWEST)),
            Some(FaultKind::Unavailable) => Fault::Unavailable,
            Some(FaultKind::LostRequest) => Fault::LostRequest,
            Some(FaultKind::Hang) => Fault::Hang,
            Some(FaultKind::LostAnswer) if writes => Fault::LostAnswer,
            Some(FaultKind::HangAfter) if writes => Fault::HangAfter,
            Some(FaultKind::LostAnswer | FaultKind::HangAfter) | None => Fault::None,
        };
        if matches!(fault, Fault::LostAnswer | Fault::HangAfter) {
            let [from, lasts] = [(); 2].map(|()| self.chance.below(weather.in_a_row + 1));
            state.broken.insert(server.to_owned(), (from, from + lasts));
        }
        fault
    }
}

#[cfg(test)]
mod tests {
    use quadrex_protocol::MatchId;
    use quadrex_store::Epoch;
    use uuid::Uuid;

    use super::*;

    const ACCESSES: [Access; 3] = [Access::Read, Access::Write, Access::Commit];

    fn plan() -> DatabaseFaults {
        DatabaseFaults::new(Chance::new(7), Trace::new(false))
    }

    /// Returns the weather in which one of this number of accesses fails, in all ways.
    fn weather(one_in: u64) -> Weather {
        Weather { one_in, kinds: FaultKind::ALL.to_vec(), percent: 100, salt: 1, in_a_row: 0 }
    }

    /// Returns the faults of many accesses of a server.
    fn faults(plan: &DatabaseFaults, access: Access, server: Option<&str>) -> Vec<Fault> {
        (0..1_000).map(|_| plan.decide(access, "select 1", server)).collect()
    }

    #[test]
    fn nothing_fails_at_first() {
        for access in ACCESSES {
            assert!(faults(&plan(), access, Some("server 1")).iter().all(|fault| *fault == Fault::None));
        }
    }

    #[test]
    fn the_chosen_share_of_accesses_fails_until_the_weather_is_good() {
        let plan = plan();
        plan.set_weather(Some(weather(4)));
        for access in ACCESSES {
            let failed =
                faults(&plan, access, Some("server 1")).iter().filter(|it| **it != Fault::None).count();
            assert!((130..300).contains(&failed), "{failed} of 1,000 {access:?} fail");
        }
        plan.set_weather(None);
        assert!(faults(&plan, Access::Write, Some("server 1")).iter().all(|fault| *fault == Fault::None));
    }

    #[test]
    fn only_answers_to_writes_are_lost_after_their_execution() {
        let plan = plan();
        plan.set_weather(Some(weather(1)));
        let is_after = |fault: &Fault| matches!(fault, Fault::LostAnswer | Fault::HangAfter);
        assert!(!faults(&plan, Access::Read, Some("server 1")).iter().any(is_after));
        for access in [Access::Write, Access::Commit] {
            let faults = faults(&plan, access, Some("server 1"));
            for fault in
                [Fault::Unavailable, Fault::LostRequest, Fault::Hang, Fault::LostAnswer, Fault::HangAfter]
            {
                assert!(faults.contains(&fault), "{access:?} never has {fault:?}");
            }
            let longest = faults.iter().filter_map(|fault| match fault {
                Fault::Slow(time) => Some(*time),
                _ => None,
            });
            let longest = longest.max().unwrap_or_default();
            assert!((SLOWEST / 2..=SLOWEST + Duration::from_secs(1)).contains(&longest), "{longest:?}");
        }
    }

    #[test]
    fn each_weather_has_its_own_mix() {
        let chance = Chance::new(7);
        let all: Vec<Weather> = (0..200).map(|_| Weather::new(&chance)).collect();
        assert!(all.iter().all(|weather| weather.one_in > 0 && !weather.kinds.is_empty()));
        let has = |kinds: &[FaultKind]| all.iter().any(|weather| weather.kinds == kinds);
        assert!(has(&[FaultKind::LostAnswer]) && all.iter().any(|weather| weather.kinds.len() > 2));
        for percent in [20, 50, 100] {
            let weather = all.iter().find(|weather| weather.percent == percent).unwrap();
            let concerned = (0..1_000).filter(|number| weather.concerns(&format!("select {number}"))).count();
            let expected = 10 * usize::try_from(percent).unwrap();
            assert!(concerned.abs_diff(expected) < 80, "{concerned} of {expected}");
        }
    }

    #[test]
    fn only_statements_that_the_weather_concerns_fail() {
        let plan = plan();
        plan.set_weather(Some(Weather { percent: 0, ..weather(1) }));
        assert!(faults(&plan, Access::Write, Some("server 1")).iter().all(|fault| *fault == Fault::None));
    }

    #[test]
    fn others_succeed_and_fail_in_a_row_after_a_lost_answer() {
        let plan = plan();
        let lossy = Weather { kinds: vec![FaultKind::LostAnswer], in_a_row: 3, ..weather(1) };
        let mut rows = Vec::new();
        for _ in 0..200 {
            plan.set_weather(Some(lossy.clone()));
            assert_eq!(plan.decide(Access::Write, "update", Some("server 1")), Fault::LostAnswer);
            // The answers to reads cannot be lost.
            let faults: Vec<_> =
                (0..8).map(|_| plan.decide(Access::Read, "select 1", Some("server 1"))).collect();
            let fails = |fault: &Fault| *fault == Fault::Unavailable;
            let succeed = faults.iter().position(fails).unwrap_or_default();
            let failed = faults[succeed..].iter().take_while(|fault| fails(fault)).count();
            assert_eq!(faults.iter().filter(|fault| **fault != Fault::None).count(), failed);
            rows.push((succeed, failed));
        }
        for expected in [(0, 0), (0, 3), (3, 1), (3, 3)] {
            assert!(rows.contains(&expected), "{rows:?}");
        }
        plan.decide(Access::Write, "update", Some("server 1"));
        plan.set_weather(None);
        assert_eq!(plan.decide(Access::Read, "select 1", Some("server 1")), Fault::None);
    }

    #[test]
    fn a_server_that_is_cut_off_reaches_nothing_and_the_others_everything() {
        let plan = plan();
        plan.disturb("server 1", Some(Disturbance::CutOff));
        for access in ACCESSES {
            let faults = faults(&plan, access, Some("server 1"));
            assert!(faults.iter().all(|fault| matches!(fault, Fault::Hang | Fault::Unavailable)));
            assert!(faults.contains(&Fault::Hang) && faults.contains(&Fault::Unavailable));
        }
        assert!(faults(&plan, Access::Write, Some("server 2")).iter().all(|fault| *fault == Fault::None));
        plan.disturb("server 1", None);
        assert!(faults(&plan, Access::Write, Some("server 1")).iter().all(|fault| *fault == Fault::None));
    }

    #[test]
    fn all_accesses_of_a_late_server_are_slow() {
        let plan = plan();
        plan.disturb("server 1", Some(Disturbance::Late));
        for access in ACCESSES {
            let is_slow = |fault: &Fault| matches!(fault, Fault::Slow(time) if *time >= SLOWEST / 4);
            assert!(faults(&plan, access, Some("server 1")).iter().all(is_slow));
        }
        assert!(faults(&plan, Access::Write, Some("server 2")).iter().all(|fault| *fault == Fault::None));
        plan.disturb("server 1", None);
        assert!(faults(&plan, Access::Write, Some("server 1")).iter().all(|fault| *fault == Fault::None));
    }

    #[test]
    fn the_auditor_always_reaches_the_database() {
        let plan = plan();
        plan.set_weather(Some(weather(1)));
        plan.disturb("server 1", Some(Disturbance::CutOff));
        for access in ACCESSES {
            assert!(faults(&plan, access, None).iter().all(|fault| *fault == Fault::None));
        }
    }

    #[test]
    fn the_last_committed_event_of_each_match_is_known() {
        let plan = plan();
        let [first, second] = [1, 2].map(|number| MatchId(Uuid::from_u128(number)));
        let appended = |last_seq| Appended {
            match_id: first,
            last_seq,
            events: &[],
            epoch: Epoch::FIRST,
            server: None,
            owner: None,
            owner_epoch: Epoch::FIRST,
        };
        plan.committed(&appended(3));
        plan.committed(&appended(5));
        assert_eq!(plan.committed_head(first), Some(5));
        assert_eq!(plan.committed_head(second), None);
    }
}
