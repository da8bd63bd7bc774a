//! The steps of `cargo xtask test` in order, with quick steps first.

use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::Command;
use std::thread::available_parallelism;

use anyhow::{Context as _, Result, bail};

use super::advisories;
use super::memory::MemoryFolder;
use super::no_std;
use super::python;
use super::system::Requirement;
use super::tally::{self, Tally};
use super::tools;
use crate::{client, fuzz, node, process, program, simulate, tidy, workspace};

/// A step.
pub(crate) struct Step {
    /// The name with which the step is selected.
    pub name: &'static str,
    /// The description for the heading and the help.
    pub about: &'static str,
    /// The programs that the step needs.
    pub requirements: &'static [Requirement],
    /// Runs the step. An error counts as one failure.
    pub run: fn(&Environment) -> Result<Tally>,
}

/// The environment variables for test runners, in addition to the inherited ones.
pub(crate) struct Environment {
    pub variables: Vec<(&'static str, OsString)>,
    /// The folder for temporary files, if it is in memory.
    pub(super) _memory: Option<MemoryFolder>,
}

impl Environment {
    fn apply_to(&self, mut command: Command) -> Result<Command> {
        command.env("PATH", tools::path()?);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }

    /// Returns the path of a requirement.
    fn path_of(&self, requirement: Requirement) -> Result<PathBuf> {
        let found = self.variables.iter().find(|(name, _)| *name == requirement.variable());
        found
            .map(|(_, path)| path.into())
            .with_context(|| format!("{} was not looked for", requirement.variable()))
    }
}

/// The number of brief simulations of a test run.
const SEEDS: u32 = 200;

/// All steps.
pub(crate) const STEPS: [Step; 13] = [
    Step { name: "fmt", about: "Rust sources are formatted", requirements: &[], run: fmt },
    Step {
        name: "web",
        about: "the browser client: types, lint, unit tests, build",
        requirements: &[],
        run: web,
    },
    Step { name: "clippy", about: "lints of all targets, warnings refused", requirements: &[], run: clippy },
    Step {
        name: "deny",
        about: "licences, bans and sources of the dependencies, and advisories where there is a database of them",
        requirements: &[],
        run: deny,
    },
    Step { name: "build", about: "the program and the tests", requirements: &[], run: build },
    Step {
        name: "tidy",
        about: "edges, rules without tests, stale files, dead links",
        requirements: &[],
        run: run_tidy,
    },
    Step {
        name: "rust",
        about: "unit, property, database and WebSocket tests",
        requirements: &[
            Requirement::Postgres,
            Requirement::Python,
            Requirement::Stockfish,
            Requirement::Nats,
            Requirement::Haproxy,
            Requirement::Pebble,
            Requirement::Systemd,
            Requirement::Faketime,
        ],
        run: rust,
    },
    Step {
        name: "simulation",
        about: "servers and clients in virtual time, with faults that a seed determines",
        requirements: &[],
        run: simulation,
    },
    Step {
        name: "no_std",
        about: "the rules without the standard library, linked into a program of C",
        requirements: &[],
        run: no_std,
    },
    Step {
        name: "fuzz",
        about: "what is read from outside, tried with many thousand inputs",
        requirements: &[Requirement::Cxx],
        run: fuzz,
    },
    Step { name: "doctests", about: "the examples in the documentation", requirements: &[], run: doctests },
    Step { name: "docs", about: "the documentation builds, warnings refused", requirements: &[], run: docs },
    Step {
        name: "browser",
        about: "end to end with real browsers",
        requirements: &[
            Requirement::Chromium,
            Requirement::Postgres,
            Requirement::Nats,
            Requirement::Haproxy,
        ],
        run: browser,
    },
];

fn fmt(_: &Environment) -> Result<Tally> {
    process::run(workspace::cargo().args(["fmt", "--all", "--check"]))?;
    // cargo fmt does not find the modules that the macro for the list of variants declares.
    let variants = fs::read_dir(workspace::root().join(tidy::variants::FOLDER))?;
    let paths = variants.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    process::run(Command::new("rustfmt").args(["--check", "--edition", "2024"]).args(paths))?;
    Ok(Tally::default())
}

fn web(environment: &Environment) -> Result<Tally> {
    let package = workspace::web();
    node::install(&package)?;
    let mut check = node::npm(&package);
    check.args(["run", "--silent", "check"]);
    process::run(&mut check)?;
    client::ensure_built()?;
    let mut tests = node::npm(&package);
    tests.arg("test");
    counted(environment.apply_to(tests)?, tally::vitest)
}

fn clippy(_: &Environment) -> Result<Tally> {
    client::ensure_built()?;
    process::run(program::cargo_on_all(&["clippy"]).args(["--all-targets", "--", "--deny", "warnings"]))?;
    Ok(Tally::default())
}

fn deny(environment: &Environment) -> Result<Tally> {
    tools::DENY.ensure()?;
    let mut deny = workspace::cargo();
    deny.args(["deny", "--workspace", "--locked", "check", "licenses", "bans", "sources"]);
    process::run(&mut environment.apply_to(deny)?)?;
    check_advisories(environment)
}

/// Checks the dependencies with this machine's copy of the advisory database, and prints the age of
/// the copy. `deny.toml` explains why the repository has no copy.
fn check_advisories(environment: &Environment) -> Result<Tally> {
    let Some(database) = advisories::database()? else {
        println!(
            "advisories: NOT CHECKED, this machine has no copy of the RustSec database; \
             with a network: cargo deny fetch db, then this step again"
        );
        return Ok(Tally::default());
    };
    println!("advisories: by a database of {} days ago", database.age.as_secs() / (24 * 3600));
    let mut deny = workspace::cargo();
    deny.args(["deny", "--workspace", "--locked", "check", "--disable-fetch", "advisories"]);
    process::run(&mut environment.apply_to(deny)?)?;
    Ok(Tally::default())
}

fn build(_: &Environment) -> Result<Tally> {
    client::ensure_built()?;
    process::run(program::cargo_on_all(&["build"]).args(["--lib", "--bins", "--examples", "--tests"]))?;
    Ok(Tally::default())
}

fn run_tidy(_: &Environment) -> Result<Tally> {
    tidy::run()?;
    Ok(Tally::default())
}

fn rust(environment: &Environment) -> Result<Tally> {
    tools::NEXTEST.ensure()?;
    let mut tests = program::cargo_on_all(&["nextest", "run"]);
    tests.args(["--test-threads", &test_threads().to_string()]);
    tests.env("QUADREX_BIN", program::quadrex()?);
    let mut tests = environment.apply_to(tests)?;
    tests.env(
        Requirement::Python.variable(),
        python::with_packages(&environment.path_of(Requirement::Python)?)?,
    );
    counted(tests, tally::nextest)
}

/// Returns the number of tests that run at the same time. Many of them wait more than they compute.
fn test_threads() -> usize {
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    (3 * processors).div_ceil(2)
}

fn simulation(_: &Environment) -> Result<Tally> {
    Ok(Tally { passed: simulate::check(SEEDS)?, ..Tally::default() })
}

fn no_std(_: &Environment) -> Result<Tally> {
    no_std::run()?;
    Ok(Tally::default())
}

fn fuzz(environment: &Environment) -> Result<Tally> {
    Ok(Tally { passed: fuzz::check(&environment.variables)?, ..Tally::default() })
}

fn doctests(environment: &Environment) -> Result<Tally> {
    let tests = program::cargo_on_all(&["test", "--doc"]);
    counted(environment.apply_to(tests)?, tally::doc_tests)
}

fn docs(_: &Environment) -> Result<Tally> {
    let mut docs = program::cargo_on_all(&["doc"]);
    process::run(docs.args(["--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings"))?;
    Ok(Tally::default())
}

fn browser(environment: &Environment) -> Result<Tally> {
    let package = workspace::browser_tests();
    let screens = workspace::target().join("screens");
    fs::create_dir_all(&screens).with_context(|| format!("making {}", screens.display()))?;
    node::install(&package)?;
    let mut tests = node::npm(&package);
    tests.arg("test").env("QUADREX_BIN", program::quadrex()?).env("SCREENS_DIR", &screens);
    counted(environment.apply_to(tests)?, tally::vitest)
}

/// Runs a test runner and returns its counts. A missing summary or a skipped test is an error.
fn counted(tests: Command, count: fn(&str) -> Option<Tally>) -> Result<Tally> {
    let line = process::line(&tests);
    let output = process::run_printed(tests)?;
    judge(output.status.success(), count(&output.text)).with_context(|| line)
}

fn judge(succeeded: bool, tally: Option<Tally>) -> Result<Tally> {
    match tally {
        Some(tally) if tally.skipped > 0 => {
            bail!("{} tests were skipped; every test must run", tally.skipped)
        }
        Some(tally) if succeeded || tally.failed > 0 => Ok(tally),
        Some(_) => bail!("it ended badly although no test failed"),
        None => bail!("it ended without the summary of its tests"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(passed: u32, failed: u32, skipped: u32) -> Option<Tally> {
        Some(Tally { passed, failed, skipped })
    }

    #[test]
    fn passed_and_failed_tests_are_counted() {
        assert_eq!(judge(true, tally(3, 0, 0)).ok(), tally(3, 0, 0));
        assert_eq!(judge(false, tally(3, 1, 0)).ok(), tally(3, 1, 0));
    }

    #[test]
    fn skipped_tests_a_bad_status_and_a_missing_summary_are_failures() {
        assert_eq!(
            judge(true, tally(3, 0, 2)).unwrap_err().to_string(),
            "2 tests were skipped; every test must run"
        );
        assert!(judge(false, tally(3, 0, 0)).is_err());
        assert!(judge(true, None).is_err());
    }

    #[test]
    fn step_names_are_unique() {
        for step in &STEPS {
            assert_eq!(STEPS.iter().filter(|other| other.name == step.name).count(), 1, "{}", step.name);
        }
    }
}
