//! Runs under injected faults: a swarm plays while parts of the system are killed or break, and all
//! results are checked at the end.

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
    /// The number of tables.
    pub tables: usize,
    /// The variant of the matches.
    pub variant: Variant,
    /// The initial time of the players' clocks; `None` for matches without clocks.
    pub time: Option<TimeSetting>,
    /// The number of watchers at each table.
    pub watchers: usize,
    /// The minimum number of injected faults.
    pub injections: u64,
    /// The minimum number of acknowledged commands.
    pub commands: u64,
    /// The seed of all random choices.
    pub seed: u64,
}

/// The result of a run without violations. A violation is an error.
#[derive(Clone, Debug)]
pub struct FaultReport {
    /// The number of injected faults.
    pub injections: u64,
    /// The amount of data that was checked.
    pub checked: Checked,
    /// The number of the swarm's connections that broke.
    pub broken: u64,
    /// The total time of all faults, each from the injection until players were served again.
    pub took: Duration,
}
