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

/// Who plays while something happens, how often it happens, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct FaultPlan {
    /// Tables.
    pub tables: usize,
    /// Which game.
    pub variant: Variant,
    /// The players' clocks, if they have any.
    pub time: Option<TimeSetting>,
    /// Watchers at each table.
    pub watchers: usize,
    /// How often it happens, at least.
    pub injections: u64,
    /// Acknowledged commands in all, at least.
    pub commands: u64,
    /// What chance begins with.
    pub seed: u64,
}

/// What came of it. That nothing was found is not in here: a fault is an error.
#[derive(Clone, Debug)]
pub struct FaultReport {
    /// How often it happened.
    pub injections: u64,
    /// What was checked.
    pub checked: Checked,
    /// How often a line of the swarm broke.
    pub broken: u64,
    /// All injections together, from the first moment of each until there is something to go on with.
    pub took: Duration,
}
