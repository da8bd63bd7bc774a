//! The faults of a simulation and their schedules.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A fault of a host, or of the database or the messages of all hosts. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process is killed, and starts again after this time.
    Kill(u64),
    /// The machine loses power, so the database does not notice the end of the session. It starts
    /// again after this time.
    PowerCut(u64),
    /// The process does not run for this time.
    Pause(u64),
    /// Nothing passes between the host and the database for this time.
    DatabaseCut(u64),
    /// No answer of the database reaches the host for this time.
    AnswerCut(u64),
    /// No message reaches or leaves the host for this time.
    MessageCut(u64),
    /// Both the database and the messages are cut off for this time.
    FullCut(u64),
    /// The database ends the session of the node, but the node's other connections work.
    EndSession,
    /// The node drains and exits, and starts again after this time.
    Drain(u64),
    /// Like [`Fault::Drain`], and all requests to take matches over are lost.
    DrainWithLostRequests(u64),
    /// The database does not answer anybody for this time. All sessions are broken afterwards.
    DatabaseRestart(u64),
    /// The database answers nobody for this time.
    DatabaseStall(u64),
    /// There are no messages at all for this time.
    MessageOutage(u64),
}

/// The faults of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The number of hosts.
    pub hosts: usize,
    /// The faults: the moment, the number of the host, and the fault.
    pub faults: Vec<(u64, usize, Fault)>,
    /// The moment at which the simulation ends.
    pub end_ms: u64,
    /// True if there is only one fault, so that its effects are limited exactly.
    pub is_single: bool,
}

/// The time before the first fault, in which all nodes start and hold their leases long enough to
/// declare others dead.
pub(super) const WARM_UP_MS: u64 = 9_000;

/// The time after the last fault of several: longer than two audits.
const CALM_MS: u64 = 50_000;

impl Schedule {
    /// Returns the schedule of a seed: every second one has a single fault.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        match seed % 2 {
            0 => Self::single(rng.random_range(2..=5), random_fault(&mut rng)),
            _ => Self::chaos(&mut rng),
        }
    }

    /// Returns a schedule with one fault.
    #[must_use]
    pub fn single(hosts: usize, fault: Fault) -> Self {
        let faults = vec![(WARM_UP_MS, 0, fault)];
        Self { hosts, faults, end_ms: WARM_UP_MS + 40_000, is_single: true }
    }

    /// Returns a schedule of many faults, which overlap.
    fn chaos(rng: &mut StdRng) -> Self {
        let hosts = rng.random_range(2..=5);
        let mut at = rng.random_range(0..WARM_UP_MS);
        let mut faults = Vec::new();
        for _ in 0..rng.random_range(3..20) {
            faults.push((at, rng.random_range(0..hosts), random_fault(rng)));
            at += rng.random_range(0..4_000);
        }
        let healed = faults.iter().map(|(at, _, fault)| at + fault.duration_ms()).max().unwrap_or(0);
        Self { hosts, faults, end_ms: healed + CALM_MS, is_single: false }
    }
}

impl Fault {
    /// Returns the time after which the fault is over.
    pub(super) fn duration_ms(self) -> u64 {
        match self {
            Self::EndSession => 0,
            Self::Kill(ms)
            | Self::PowerCut(ms)
            | Self::Pause(ms)
            | Self::DatabaseCut(ms)
            | Self::AnswerCut(ms)
            | Self::MessageCut(ms)
            | Self::FullCut(ms)
            | Self::Drain(ms)
            | Self::DrainWithLostRequests(ms)
            | Self::DatabaseRestart(ms)
            | Self::DatabaseStall(ms)
            | Self::MessageOutage(ms) => ms,
        }
    }

    /// Returns the maximum time in which nobody can move, if this is the only fault.
    pub(super) fn max_gap_ms(self) -> u64 {
        match self {
            Self::Kill(_) => 4_000,
            Self::PowerCut(_)
            | Self::Pause(_)
            | Self::DatabaseCut(_)
            | Self::AnswerCut(_)
            | Self::FullCut(_) => 8_000,
            // A renewal may be late, but nobody has to wait for it.
            Self::EndSession | Self::MessageOutage(_) => 200,
            Self::Drain(_) => 1_000,
            Self::DrainWithLostRequests(_) | Self::MessageCut(_) => 4_000,
            Self::DatabaseRestart(ms) | Self::DatabaseStall(ms) => ms + 2_000,
        }
    }

    /// Returns whether a match may change its owner, if this is the only fault.
    pub(super) fn moves_matches(self) -> bool {
        match self {
            Self::EndSession | Self::DatabaseRestart(_) | Self::DatabaseStall(_) | Self::MessageOutage(_) => {
                false
            }
            // A node that can renew its lease in time keeps its matches.
            Self::Pause(ms) | Self::DatabaseCut(ms) | Self::AnswerCut(ms) | Self::FullCut(ms) => ms > 1_000,
            Self::MessageCut(ms) => ms > 1_500,
            Self::Kill(_) | Self::PowerCut(_) | Self::Drain(_) | Self::DrainWithLostRequests(_) => true,
        }
    }
}

fn random_fault(rng: &mut StdRng) -> Fault {
    let ms = match rng.random_range(0..3) {
        0 => rng.random_range(100..2_500),
        1 => rng.random_range(2_500..7_000),
        _ => rng.random_range(7_000..20_000),
    };
    match rng.random_range(0..13) {
        0 => Fault::Kill(ms),
        1 => Fault::PowerCut(ms),
        2 => Fault::Pause(ms),
        3 => Fault::DatabaseCut(ms),
        4 => Fault::AnswerCut(ms),
        5 => Fault::MessageCut(ms),
        6 => Fault::FullCut(ms),
        7 => Fault::EndSession,
        8 => Fault::Drain(ms),
        9 => Fault::DrainWithLostRequests(ms),
        10 => Fault::DatabaseRestart(ms),
        11 => Fault::DatabaseStall(ms),
        _ => Fault::MessageOutage(ms),
    }
}
