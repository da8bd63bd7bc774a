//! The faults of the database.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_store::{Access, Fault, FaultPlan};

use crate::chance::Chance;

/// The longest time for which an access is slow.
const SLOWEST: Duration = Duration::from_secs(3);

/// Decides which accesses to the database fail.
#[derive(Debug)]
pub(crate) struct DatabaseFaults {
    chance: Chance,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of accesses of which one fails; 0 if none fails.
    one_in: u64,
    /// The servers that cannot reach the database.
    cut_off: BTreeSet<String>,
    /// The number of the last committed event of each match to which events were appended.
    committed: BTreeMap<MatchId, u64>,
}

impl DatabaseFaults {
    pub(crate) fn new(chance: Chance) -> Self {
        Self { chance, state: Mutex::default() }
    }

    /// Lets one of this number of accesses fail; none if it is 0.
    pub(crate) fn set_one_in(&self, one_in: u64) {
        self.lock().one_in = one_in;
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

    fn decide(&self, access: Access, _statement: &'static str, server: Option<&str>) -> Fault {
        // The auditor has no name, and always sees the truth.
        let Some(server) = server else { return Fault::None };
        let (one_in, is_cut_off) = {
            let state = self.lock();
            (state.one_in, state.cut_off.contains(server))
        };
        if is_cut_off {
            return if self.chance.one_in(3) { Fault::Hang } else { Fault::Unavailable };
        }
        if one_in == 0 || !self.chance.one_in(one_in) {
            return Fault::None;
        }
        match (self.chance.below(8), access) {
            (0..=2, _) => Fault::Slow(self.chance.time(Duration::ZERO, SLOWEST)),
            (3, _) => Fault::Unavailable,
            (4, _) => Fault::LostRequest,
            (5, _) => Fault::Hang,
            (6, Access::Write | Access::Commit) => Fault::LostAnswer,
            (7, Access::Write | Access::Commit) => Fault::HangAfter,
            _ => Fault::None,
        }
    }
}
