//! Ordeals: a swarm plays while something is killed or breaks, and in the end everything is checked.

mod commits;
mod connections;
mod disk;
mod pool;
mod postgres;
mod scenario;
mod server;
mod time;

use std::time::Duration;

use quadrex_protocol::settings::TimeSetting;
use quadrex_rules::Variant;

pub use commits::cut_commits;
pub use connections::{half_open_connections, reset_connections, stalled_connections};
pub use disk::{full_disk, full_sqlite_file};
pub use pool::exhausted_pool;
pub use postgres::{killed_postgres, restarted_postgres, stalled_postgres};
pub use server::{killed_server, stalled_server};
pub use time::stepped_clock;

use crate::checker::Checked;

/// Size and duration of a run under injected faults.
#[derive(Clone, Copy, Debug)]
pub struct FaultPlan {
    /// Tables.
    pub tables: usize,
    /// The variant played.
    pub variant: Variant,
    /// The players' clocks, if they have any.
    pub time: Option<TimeSetting>,
    /// Watchers at each table.
    pub watchers: usize,
    /// Minimum number of injected faults.
    pub injections: u64,
    /// Acknowledged commands in all, at least.
    pub commands: u64,
    /// Seed of all random choices.
    pub seed: u64,
}

/// Result of a run without violations; a violation is an error.
#[derive(Clone, Debug)]
pub struct FaultReport {
    /// Number of injected faults.
    pub injections: u64,
    /// Amount of data that was checked.
    pub checked: Checked,
    /// Number of connections of the swarm that broke.
    pub broken: u64,
    /// All injections together, from the first moment of each until there is something to go on with.
    pub took: Duration,
}
