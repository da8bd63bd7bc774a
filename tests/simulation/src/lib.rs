//! A deterministic simulation of Quadrex: servers, clients, networks and databases in virtual time.
//!
//! See `docs/SIMULATION.md` for what is simulated, and what is not.

mod auditor;
mod chance;
mod client;
mod cluster;
mod database_faults;
mod entropy;
mod lease_record;
mod logs;
mod network;
mod owner_record;
mod party;
mod processor;
mod scenario;
mod server;
mod server_time;
mod short_ids;
mod trace;
mod world;

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_store::SimulatedDatabase;
use serde::{Deserialize, Serialize};

pub use auditor::Audited;
pub use quadrex_runtime::simulation::PlantedFault;
pub use scenario::{FaultKinds, Pace, Scenario};
pub use short_ids::ShortIds;

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// An order to run one simulation, which a process gets as its argument.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Order {
    scenario: Scenario,
    /// The name of the fault that is planted in the servers.
    planted: Option<String>,
    story: Story,
}

/// The story of a simulation: each line has a time, an actor, and what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Story {
    /// Only its digest is kept.
    Dropped,
    /// All lines are kept.
    Kept,
    /// All lines are kept, also the log messages of servers that pass this filter, which is a level or
    /// like the setting `RUST_LOG`.
    WithLogs(String),
}

/// Runs simulations in processes of their own.
///
/// Libraries keep counters and values that are made once in a process, and draw random numbers from
/// them. Only in a new process is a simulation the same each time.
///
/// Clones count the processor time of their simulations together.
#[derive(Clone, Debug)]
pub struct Simulator {
    program: PathBuf,
    /// The processor time of all simulations until now, in microseconds.
    used_us: Arc<AtomicU64>,
}

/// The outcome of a simulation as its process prints it.
#[derive(Serialize, Deserialize)]
struct Printed {
    outcome: Outcome,
    /// The processor time of the process.
    used: Duration,
}

impl Simulator {
    /// The argument with which the program runs one simulation. The order follows.
    pub const ORDER: &str = "--order";

    /// Returns a simulator that runs the program `quadrex-simulate` at this path.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self { program, used_us: Arc::default() }
    }

    /// Returns the processor time of all simulations until now.
    #[must_use]
    pub fn used_time(&self) -> Duration {
        Duration::from_micros(self.used_us.load(Ordering::Relaxed))
    }

    /// Runs a simulation, with a fault that is planted in the servers, if one is given.
    ///
    /// # Errors
    /// If the simulation panics, or its database cannot be read.
    pub fn run(&self, scenario: &Scenario, planted: Option<PlantedFault>, story: &Story) -> Result<Outcome> {
        let planted = planted.map(|fault| fault.name().to_owned());
        let order = Order { scenario: scenario.clone(), planted, story: story.clone() };
        let process = self.start(&serde_json::to_string(&order)?);
        let output = process.and_then(|process| Ok(process.wait_with_output()?));
        let output = output.with_context(|| format!("running {}", self.program.display()))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "the simulation failed: {errors}");
        let Printed { outcome, used } =
            serde_json::from_slice(&output.stdout).context("reading the outcome")?;
        self.used_us.fetch_add(u64::try_from(used.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
        Ok(outcome)
    }

    /// Starts the process of an order, and passes the empty database to it.
    fn start(&self, order: &str) -> Result<Child> {
        let mut process = Command::new(&self.program);
        process.arg(Self::ORDER).arg(order);
        // The threads of a simulation run one after the other, so they can share what they allocate.
        process.env("MALLOC_ARENA_MAX", "1");
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = process.spawn()?;
        let mut input = process.stdin.take().context("the process has no input")?;
        // A process that ends before it reads has an error to report.
        input.write_all(SimulatedDatabase::empty_file()).ok();
        Ok(process)
    }

    /// Executes an order in this process, and prints the outcome. Reads the empty database from the
    /// standard input.
    ///
    /// # Errors
    /// If the order is not valid, the simulation panics, or its database cannot be read.
    pub fn execute(order: &str) -> Result<()> {
        let mut empty = Vec::new();
        std::io::stdin().read_to_end(&mut empty).context("reading the empty database")?;
        SimulatedDatabase::set_empty_file(empty);
        let Order { scenario, planted, story } = serde_json::from_str(order).context("reading the order")?;
        let planted = match planted {
            Some(name) => {
                let known = PlantedFault::ALL.iter().find(|fault| fault.name() == name);
                Some(*known.with_context(|| format!("no planted fault has the name {name}"))?)
            }
            None => None,
        };
        processor::stay_on_one();
        let thread = std::thread::Builder::new();
        let running = thread.spawn(move || run(&scenario, planted, &story));
        let outcome = running.context("starting a thread")?.join();
        let outcome = outcome.map_err(|_| anyhow::anyhow!("the simulation panicked"))??;
        let printed = Printed { outcome, used: processor::used_time() };
        serde_json::to_writer(std::io::stdout(), &printed).context("writing the outcome")
    }
}

fn run(scenario: &Scenario, planted: Option<PlantedFault>, story: &Story) -> Result<Outcome> {
    entropy::seed_this_thread(scenario.seed);
    quadrex_runtime::simulation::activate(scenario.seed);
    quadrex_runtime::simulation::plant(planted);
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build().context("starting a runtime")?;
    let (audited, violations, trace) = runtime.block_on(async {
        let trace = trace::Trace::new(*story != Story::Dropped);
        let _logs = match story {
            Story::WithLogs(filter) => Some(logs::add_to(&trace, filter)?),
            Story::Dropped | Story::Kept => None,
        };
        world::World::new(scenario, trace).run().await
    })?;
    let (lines, digest, trace) = trace.end();
    Ok(Outcome { audited, violations, lines, digest, trace })
}
