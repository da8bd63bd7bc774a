//! `cargo xtask test`: runs all checks and tests, one step after another.

mod advisories;
mod debian;
mod games;
mod memory;
mod no_std;
mod python;
pub(crate) mod steps;
pub(crate) mod system;
mod tally;
pub(crate) mod tools;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::builder::PossibleValuesParser;

use memory::MemoryFolder;
use steps::{Environment, STEPS, Step};
use tally::Tally;

/// The arguments of `cargo xtask test`.
#[derive(clap::Args)]
#[command(after_help = steps_help())]
pub(crate) struct Args {
    /// Step to run; may be repeated [default: all]
    #[arg(value_name = "STEP", hide_possible_values = true, value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    steps: Vec<String>,
    /// Folder of recorded games (*.pgn, *.pgn4) to replay as well; may be repeated
    #[arg(long, value_name = "DIR")]
    games: Vec<PathBuf>,
}

fn steps_help() -> String {
    let lines = STEPS.iter().map(|step| format!("  {:<10} {}", step.name, step.about));
    format!("Steps:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

/// Runs the steps until one fails. The last line of output has the counts of all test runners. A
/// failed step without a failed test counts as one failure.
pub(crate) fn run(args: &Args) -> ExitCode {
    let steps: Vec<&Step> = STEPS.iter().filter(|step| args.includes(step)).collect();
    let mut sum = Tally::default();
    match args.environment(&steps) {
        Ok(environment) => run_steps(args, &steps, &environment, &mut sum),
        Err(error) => {
            eprintln!("error: {error:#}");
            sum.failed += 1;
        }
    }
    println!("{} passed, {} failed", sum.passed, sum.failed);
    if sum.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_steps(args: &Args, steps: &[&Step], environment: &Environment, sum: &mut Tally) {
    let begin = now();
    let mut times = Vec::new();
    for step in steps {
        println!("\n=== {}: {}", step.name, step.about);
        let start = now();
        let tally = (step.run)(environment).unwrap_or_else(|error| {
            eprintln!("error: {error:#}");
            Tally { failed: 1, ..Tally::default() }
        });
        times.push((step.name, start.elapsed()));
        println!("=== {}: {}", step.name, seconds(start.elapsed()));
        *sum += tally;
        if tally.failed > 0 {
            println!("\n{} failed; run it again with: {}", step.name, args.again(step));
            break;
        }
    }
    print!("\n{}", table(&times, begin.elapsed()));
}

impl Args {
    fn includes(&self, step: &Step) -> bool {
        self.steps.is_empty() || self.steps.iter().any(|name| name == step.name)
    }

    /// Finds the requirements of all steps before the first step runs.
    fn environment(&self, steps: &[&Step]) -> Result<Environment> {
        let mut requirements = Vec::new();
        for requirement in steps.iter().flat_map(|step| step.requirements) {
            if !requirements.contains(requirement) {
                requirements.push(*requirement);
            }
        }
        let found = system::provide(&requirements)?;
        let mut variables: Vec<_> =
            found.into_iter().map(|(name, path)| (name, path.into_os_string())).collect();
        println!("{}", games::announcement(&self.games));
        variables.extend(games::joined(&self.games)?.map(|folders| (games::VARIABLE, folders)));
        let memory = MemoryFolder::create()?;
        if let Some(folder) = &memory {
            println!("temporary files: {}", folder.path().display());
            variables.push((memory::VARIABLE, folder.path().into()));
        }
        Ok(Environment { variables, _memory: memory })
    }

    fn again(&self, step: &Step) -> String {
        let mut line = format!("cargo xtask test {}", step.name);
        for folder in &self.games {
            let _ = write!(line, " --games {}", folder.display());
        }
        line
    }
}

fn table(times: &[(&str, Duration)], total: Duration) -> String {
    let mut table = String::new();
    for (name, time) in times.iter().chain([&("in all", total)]) {
        let _ = writeln!(table, "{name:<10} {:>9}", seconds(*time));
    }
    table
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[expect(clippy::disallowed_methods, reason = "steps are timed for the person who waits")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(steps: &[&str], games: &[&str]) -> Args {
        Args {
            steps: steps.iter().map(ToString::to_string).collect(),
            games: games.iter().map(PathBuf::from).collect(),
        }
    }

    fn step(run: fn(&Environment) -> Result<Tally>) -> Step {
        Step { name: "rust", about: "", requirements: &[], run }
    }

    #[test]
    fn named_steps_run_alone_and_without_names_all_run() {
        assert!(args(&["rust", "web"], &[]).includes(&step(|_| Ok(Tally::default()))));
        assert!(!args(&["web"], &[]).includes(&step(|_| Ok(Tally::default()))));
        assert!(args(&[], &[]).includes(&step(|_| Ok(Tally::default()))));
    }

    #[test]
    fn the_first_failure_stops_the_run_and_counts() {
        let passing = step(|_| Ok(Tally { passed: 3, ..Tally::default() }));
        let broken = step(|_| anyhow::bail!("does not compile"));
        let mut sum = Tally::default();
        let environment = Environment { variables: vec![], _memory: None };
        run_steps(&args(&[], &[]), &[&passing, &broken, &passing], &environment, &mut sum);
        assert_eq!(sum, Tally { passed: 3, failed: 1, skipped: 0 });
    }

    #[test]
    fn the_command_that_repeats_a_failed_step_contains_the_games() {
        let line = args(&[], &["../games", "more"]).again(&step(|_| Ok(Tally::default())));
        assert_eq!(line, "cargo xtask test rust --games ../games --games more");
    }

    #[test]
    fn the_table_ends_with_the_total_time() {
        let times = [("fmt", Duration::from_millis(840)), ("rust", Duration::from_secs(75))];
        let expected = "fmt            0.8 s\nrust          75.0 s\nin all        75.8 s\n";
        assert_eq!(table(&times, Duration::from_millis(75_840)), expected);
    }
}
