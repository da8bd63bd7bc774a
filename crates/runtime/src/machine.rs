//! Facts about the machine and the process that are the same in every run of a simulation.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

#[cfg(feature = "simulation")]
use crate::simulation::{self, Process};

/// The name of the machine in simulations.
#[cfg(feature = "simulation")]
const SIMULATED_HOST: &str = "simulated";

/// The number of processors in simulations.
#[cfg(feature = "simulation")]
const SIMULATED_PROCESSORS: usize = 2;

/// Returns the name of this machine in its network.
#[must_use]
pub fn host_name() -> String {
    #[cfg(feature = "simulation")]
    if simulation::is_active() {
        return SIMULATED_HOST.to_owned();
    }
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Returns the name by which other servers and operators know this process: its machine and its number. In a
/// simulation, it is the name of the simulated process.
#[must_use]
pub fn process_name() -> String {
    #[cfg(feature = "simulation")]
    if simulation::is_active() {
        return Process::current().map_or_else(host_name, |process| process.name().to_owned());
    }
    format!("{}, process {}", host_name(), std::process::id())
}

/// Returns the number of processors that this process may use, or 1 if it is unknown.
#[must_use]
pub fn processors() -> usize {
    #[cfg(feature = "simulation")]
    if simulation::is_active() {
        return SIMULATED_PROCESSORS;
    }
    available_parallelism().map_or(1, NonZeroUsize::get)
}
