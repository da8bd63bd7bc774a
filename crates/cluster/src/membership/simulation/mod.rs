//! A simulation of a cluster for tests: many nodes on a [`Model`](super::model::Model) of the
//! database, with a schedule of faults that follows from a seed. Time is simulated, so a minute
//! takes milliseconds.
//!
//! These properties are checked all the time:
//!
//! - When a match is claimed or started by a node, no other node may act for it, not even one that
//!   is paused at that moment.
//! - The epochs in the log of a match never decrease, and no event is acknowledged twice.
//! - A claim from a dead node charges the players up to its last sign of life: the time between the
//!   last moment at which a move could be stored and `unowned_since` is short.
//!
//! At the end, when all faults are over, exactly one node acts for each match. A schedule with a
//! single fault also limits the time in which nobody could move, and says whether matches may
//! change their owners at all.

mod faults;
mod host;
mod world;

use quadrex_rules::Timestamp;
use quadrex_store::{NodeId, Outcome, Statement};

#[cfg(test)]
mod tests;

pub use faults::{Fault, Schedule};
use world::World;

/// A step of a simulation that affects the database, for a comparison with a real one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A statement was executed.
    Execute {
        /// The time of the database.
        at: Timestamp,
        /// The node whose session or connections were used.
        node: NodeId,
        /// The statement.
        statement: Statement,
        /// The outcome.
        outcome: Outcome,
        /// True if the node has an open session afterwards.
        has_session: bool,
    },
    /// The session of a node ended.
    EndSession(NodeId),
    /// A match with this number was added.
    AddMatch {
        /// The number. [`match_id`] returns the id.
        number: u64,
        /// True if the match is running.
        is_running: bool,
        /// The owner.
        owner: Option<NodeId>,
    },
}

/// The result of a simulation.
#[derive(Debug)]
pub struct Report {
    /// The violated properties; empty if all is well.
    pub violations: Vec<String>,
    /// All steps, if they were recorded.
    pub steps: Vec<Step>,
    /// The number of executed statements.
    pub statements: u64,
    /// The number of claims of matches from dead nodes.
    pub recovered: u64,
    /// The number of claims of released matches.
    pub handed_over: u64,
    /// The longest time in which nobody could move in a match, in milliseconds.
    pub longest_gap_ms: u64,
}

/// Simulates the schedule of a seed. Records the steps if `records` is true.
#[must_use]
pub fn run(seed: u64, records: bool) -> Report {
    simulate(seed, &Schedule::of(seed), records)
}

/// Simulates a schedule. The seed determines everything else, such as latencies.
#[must_use]
pub fn simulate(seed: u64, schedule: &Schedule, records: bool) -> Report {
    World::new(seed, schedule, records).run()
}

pub use world::match_id;
