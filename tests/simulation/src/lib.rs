//! A deterministic simulation of Quadrex: servers, clients, networks and databases in virtual time.
//!
//! See `docs/SIMULATION.md` for what is simulated, and what is not.

mod auditor;
mod chance;
mod client;
mod cluster;
mod database_faults;
mod entropy;
mod network;
mod party;
mod scenario;
mod server;
mod trace;
mod world;

use std::sync::Once;
use std::time::Duration;

use anyhow::{Context, Result};

pub use auditor::Audited;
pub use quadrex_runtime::simulation::PlantedFault;
pub use scenario::{FaultKinds, Scenario};

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The amount of what was audited.
    pub audited: Audited,
    /// The violations that the auditor found.
    pub violations: Vec<String>,
    /// The number of lines of the trace.
    pub lines: u64,
    /// The digest of the trace. Two runs of one scenario have the same.
    pub digest: u64,
    /// The trace, if it was requested.
    pub trace: Option<String>,
}

/// Runs a simulation in a thread of its own, with a fault that is planted in the servers, if one is
/// given.
///
/// # Errors
/// If the simulation panics, or its database cannot be read.
pub fn simulate(scenario: &Scenario, planted: Option<PlantedFault>, is_traced: bool) -> Result<Outcome> {
    static IS_WARM: Once = Once::new();
    IS_WARM.call_once(|| {
        // What is made only once in a process draws random numbers too. No counted simulation makes it.
        let warm_up = Scenario { tables: 4, duration: Duration::from_secs(90), ..Scenario::of_seed(0) };
        run_in_thread(&warm_up, None, false).ok();
    });
    run_in_thread(scenario, planted, is_traced)
}

fn run_in_thread(scenario: &Scenario, planted: Option<PlantedFault>, is_traced: bool) -> Result<Outcome> {
    let scenario = scenario.clone();
    let thread = std::thread::Builder::new().name(format!("seed {}", scenario.seed));
    let running = thread.spawn(move || run(&scenario, planted, is_traced)).context("starting a thread")?;
    match running.join() {
        Ok(outcome) => outcome,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text");
            anyhow::bail!("the simulation panicked: {text}")
        }
    }
}

fn run(scenario: &Scenario, planted: Option<PlantedFault>, is_traced: bool) -> Result<Outcome> {
    entropy::seed_this_thread(scenario.seed);
    quadrex_runtime::simulation::activate(scenario.seed);
    quadrex_runtime::simulation::plant(planted);
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build().context("starting a runtime")?;
    let (audited, violations, trace) = runtime.block_on(async {
        let world = world::World::new(scenario, is_traced);
        world.run().await
    })?;
    let (lines, digest, trace) = trace.end();
    Ok(Outcome { audited, violations, lines, digest, trace })
}
