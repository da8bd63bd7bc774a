//! The faults of the database.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_store::{Access, Fault, FaultPlan};

use crate::chance::Chance;

/// The longest time for which an access is slow.
const SLOWEST: Duration = Duration::from_secs(3);

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
        Self { one_in, kinds, percent, salt: chance.number() }
    }

    fn concerns(&self, statement: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        (self.salt, statement).hash(&mut hasher);
        hasher.finish() % 100 < self.percent
    }
}

impl fmt::Display for Weather {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { one_in, kinds, percent, .. } = self;
        write!(f, "one of {one_in} accesses to {percent} % of the statements fails: {kinds:?}")
    }
}

/// Decides which accesses to the database fail.
#[derive(Debug)]
pub(crate) struct DatabaseFaults {
    chance: Chance,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The present faults; `None` if the database works.
    weather: Option<Weather>,
    /// The servers that cannot reach the database.
    cut_off: BTreeSet<String>,
    /// The number of the last committed event of each match to which events were appended.
    committed: BTreeMap<MatchId, u64>,
}

impl DatabaseFaults {
    pub(crate) fn new(chance: Chance) -> Self {
        Self { chance, state: Mutex::default() }
    }

    /// Lets accesses fail in this way from now on; none if it is `None`.
    pub(crate) fn set_weather(&self, weather: Option<Weather>) {
        self.lock().weather = weather;
    }

    /// Cuts a server off from the database, or connects it again.
    pub(crate) fn set_cut_off(&self, server: &str, is_cut_off: bool) {
        let mut state = self.lock();
        if is_cut_off {
            state.cut_off.insert(server.to_owned());
        } else {
            state.cut_off.remove(server);
        }
    }

    /// Returns the number of the last committed event of a match; `None` if nothing was appended to its
    /// first events.
    pub(crate) fn committed_head(&self, match_id: MatchId) -> Option<u64> {
        self.lock().committed.get(&match_id).copied()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FaultPlan for DatabaseFaults {
    fn committed(&self, match_id: MatchId, last_seq: u64) {
        self.lock().committed.insert(match_id, last_seq);
    }

    fn decide(&self, access: Access, statement: &'static str, server: Option<&str>) -> Fault {
        // The auditor has no name, and always sees the truth.
        let Some(server) = server else { return Fault::None };
        let state = self.lock();
        if state.cut_off.contains(server) {
            return if self.chance.one_in(3) { Fault::Hang } else { Fault::Unavailable };
        }
        let Some(weather) = state.weather.as_ref().filter(|weather| weather.concerns(statement)) else {
            return Fault::None;
        };
        if !self.chance.one_in(weather.one_in) {
            return Fault::None;
        }
        let writes = matches!(access, Access::Write | Access::Commit);
        match self.chance.pick(&weather.kinds) {
            Some(FaultKind::Slow) => Fault::Slow(self.chance.time(Duration::ZERO, SLOWEST)),
            Some(FaultKind::Unavailable) => Fault::Unavailable,
            Some(FaultKind::LostRequest) => Fault::LostRequest,
            Some(FaultKind::Hang) => Fault::Hang,
            Some(FaultKind::LostAnswer) if writes => Fault::LostAnswer,
            Some(FaultKind::HangAfter) if writes => Fault::HangAfter,
            Some(FaultKind::LostAnswer | FaultKind::HangAfter) | None => Fault::None,
        }
    }
}
