//! Runs simulations, and prints the seeds of those in which the auditor found a violation.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Parser;
use quadrex_simulation::{Outcome, PlantedFault, Scenario, ShortIds, Simulator, Story};

/// Runs deterministic simulations of servers, clients, networks and databases.
#[derive(Debug, Parser)]
struct Arguments {
    /// The number of seeds; if not given, 200, or only the one that `--seed` names.
    #[arg(long)]
    seeds: Option<u64>,
    /// The first seed; 0 if not given.
    #[arg(long)]
    seed: Option<u64>,
    /// Makes the simulations brief, with few servers and clients.
    #[arg(long)]
    brief: bool,
    /// Prints the story of each simulation.
    #[arg(long)]
    trace: bool,
    /// Adds the log messages of the servers to the stories: a level, or a filter like that of `RUST_LOG`.
    #[arg(long, requires = "trace")]
    logs: Option<String>,
    /// Runs each simulation twice, and compares the two.
    #[arg(long)]
    twice: bool,
    /// Does not look for a smaller simulation that fails too.
    #[arg(long)]
    no_shrinking: bool,
    /// Plants a fault in the servers: its name, or `all` for one after the other. Succeeds if the auditor
    /// finds it.
    #[arg(long)]
    planted: Option<String>,
    /// The number of simulations that run at the same time.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Runs one simulation, and prints its outcome. For the processes that this program starts.
    #[arg(long, hide = true)]
    order: Option<String>,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    if let Some(order) = &arguments.order {
        Simulator::execute(order)?;
        return Ok(ExitCode::SUCCESS);
    }
    // The simulations are processes that run this program.
    let simulator = Simulator::new(std::env::current_exe().context("finding this program")?);
    let is_good = match arguments.planted.as_deref() {
        None => run_seeds(&simulator, &arguments),
        Some(name) => find_planted(&simulator, &arguments, name),
    };
    match is_good {
        Ok(true) => Ok(ExitCode::SUCCESS),
        Ok(false) => Ok(ExitCode::FAILURE),
        // Nobody reads on, and the rest may have violations.
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::FAILURE),
        Err(error) => Err(error),
    }
}

/// Returns whether the output was closed, for example by `head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints a text in one piece, so that those of several threads do not mix.
fn print(text: &str) -> Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).context("printing")
}

impl Arguments {
    fn story(&self) -> Story {
        match &self.logs {
            Some(filter) => Story::WithLogs(filter.clone()),
            None if self.trace => Story::Kept,
            None => Story::Dropped,
        }
    }

    fn scenario(&self, seed: u64) -> Scenario {
        let scenario = Scenario::of_seed(seed);
        if self.brief { scenario.brief() } else { scenario }
    }

    fn seeds(&self) -> std::ops::Range<u64> {
        let first = self.seed.unwrap_or(0);
        let count = self.seeds.unwrap_or(if self.seed.is_some() { 1 } else { 200 });
        first..first + count
    }
}

/// Runs the simulations of all seeds. Returns false if there is a violation.
#[expect(clippy::disallowed_methods, reason = "the duration of the whole run is printed")]
fn run_seeds(simulator: &Simulator, arguments: &Arguments) -> Result<bool> {
    let began = Instant::now();
    let (match_ms, events) = (AtomicU64::new(0), AtomicU64::new(0));
    let failed = in_parallel(arguments, |seed| {
        let scenario = arguments.scenario(seed);
        let outcome = simulator.run(&scenario, None, &arguments.story())?;
        if arguments.twice {
            ensure_equal(simulator, &scenario)?;
        }
        match_ms.fetch_add(outcome.audited.match_ms, Ordering::Relaxed);
        events.fetch_add(outcome.audited.events, Ordering::Relaxed);
        if arguments.trace || !outcome.violations.is_empty() {
            print(&report(&scenario, &outcome))?;
        }
        Ok(!outcome.violations.is_empty())
    })?;
    let seconds = began.elapsed().as_secs_f64();
    let hours = match_ms.into_inner() as f64 / 3_600_000.0;
    let (count, events) = (arguments.seeds().count(), events.into_inner());
    let used = simulator.used_time().as_secs_f64();
    print(&format!(
        "{count} seeds, {} with violations {failed:?}, {events} events, {hours:.1} match-hours in {seconds:.1} s \
         ({used:.1} s of processor time, {:.0} match-hours a minute)\n",
        failed.len(),
        hours * 60.0 / used
    ))?;
    if let Some(seed) = failed.first()
        && !arguments.no_shrinking
    {
        shrink(simulator, arguments.scenario(*seed))?;
    }
    Ok(failed.is_empty())
}

/// Runs a simulation twice. Fails at the first line in which the stories differ.
fn ensure_equal(simulator: &Simulator, scenario: &Scenario) -> Result<()> {
    let (first, second) =
        (simulator.run(scenario, None, &Story::Kept)?, simulator.run(scenario, None, &Story::Kept)?);
    let lines = |outcome: &Outcome| -> Vec<String> {
        outcome.trace.iter().flat_map(|trace| trace.lines().map(str::to_owned)).collect()
    };
    if let Some((one, other)) = lines(&first).iter().zip(&lines(&second)).find(|(one, other)| one != other) {
        bail!("the second run differs from the first:\n  {one}\n  {other}");
    }
    anyhow::ensure!(first == second, "the second run differs from the first in its end");
    Ok(())
}

/// Runs a function for all seeds, several at the same time. Returns the seeds for which it returned
/// true.
fn in_parallel(arguments: &Arguments, run: impl Fn(u64) -> Result<bool> + Sync) -> Result<Vec<u64>> {
    let waiting: Mutex<VecDeque<u64>> = Mutex::new(arguments.seeds().collect());
    let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let worker = || -> Result<()> {
            while let Some(seed) = take() {
                if run(seed).with_context(|| format!("seed {seed}"))? {
                    found.lock().unwrap_or_else(PoisonError::into_inner).push(seed);
                }
            }
            Ok(())
        };
        let workers: Vec<_> = (0..arguments.threads.max(1)).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            worker.join().map_err(|_| anyhow::anyhow!("a thread panicked"))??;
        }
        anyhow::Ok(())
    })?;
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable();
    Ok(found)
}

/// Returns the story of a simulation if it was kept, how much happened, and the violations.
fn report(scenario: &Scenario, outcome: &Outcome) -> String {
    let mut report = String::new();
    let mut ids = ShortIds::default();
    if let Some(trace) = &outcome.trace {
        report.push_str(&ids.shorten(trace));
        report.push('\n');
    }
    let Outcome { audited, lines, digest, .. } = outcome;
    report.push_str(&format!("seed {}: {audited:?}, {lines} lines, digest {digest:016x}\n", scenario.seed));
    for violation in &outcome.violations {
        // Without the story, the numbers would say nothing.
        let violation = if outcome.trace.is_some() { ids.shorten(violation) } else { violation.clone() };
        report.push_str(&format!("  {violation}\n"));
    }
    report
}

/// Looks for a smaller simulation that fails too, and prints its story.
fn shrink(simulator: &Simulator, scenario: Scenario) -> Result<()> {
    let mut smallest = scenario;
    'smaller: loop {
        for scenario in smallest.smaller() {
            if !simulator.run(&scenario, None, &Story::Dropped)?.violations.is_empty() {
                smallest = scenario;
                continue 'smaller;
            }
        }
        break;
    }
    let outcome = simulator.run(&smallest, None, &Story::Kept)?;
    let report = report(&smallest, &outcome);
    print(&format!("the smallest simulation of seed {} that fails: {smallest:?}\n{report}", smallest.seed))
}

/// Looks for planted faults. Returns false if one is not found.
fn find_planted(simulator: &Simulator, arguments: &Arguments, name: &str) -> Result<bool> {
    let known = PlantedFault::ALL.iter().copied();
    let faults: Vec<_> = known.filter(|fault| name == "all" || fault.name() == name).collect();
    if faults.is_empty() {
        let names: Vec<_> = PlantedFault::ALL.iter().map(|fault| fault.name()).collect();
        bail!("no planted fault has the name {name}; there are {}", names.join(", "));
    }
    let mut are_found = true;
    for fault in faults {
        let found = find(simulator, arguments, fault)?;
        are_found &= found.is_some();
        print(&match found {
            Some((seed, violation)) => format!("{}: found by seed {seed}: {violation}\n", fault.name()),
            None => format!("{}: NOT FOUND by {} seeds\n", fault.name(), arguments.seeds().count()),
        })?;
    }
    Ok(are_found)
}

/// Returns the first seed that finds a planted fault, with the first violation.
fn find(simulator: &Simulator, arguments: &Arguments, fault: PlantedFault) -> Result<Option<(u64, String)>> {
    let found: Mutex<Option<(u64, String)>> = Mutex::new(None);
    let first = || found.lock().unwrap_or_else(PoisonError::into_inner);
    in_parallel(arguments, |seed| {
        if first().as_ref().is_some_and(|(earlier, _)| *earlier < seed) {
            return Ok(false);
        }
        let outcome = simulator.run(&arguments.scenario(seed), Some(fault), &Story::Dropped)?;
        if let Some(violation) = outcome.violations.into_iter().next() {
            let mut first = first();
            if first.as_ref().is_none_or(|(earlier, _)| seed < *earlier) {
                *first = Some((seed, violation));
            }
        }
        Ok(false)
    })?;
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}
