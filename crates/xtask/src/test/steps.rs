//! The steps of `cargo xtask test`, in the order they run: cheap ones first, each seeing to what it needs.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::advisories;
use super::no_std;
use super::python;
use super::system::Need;
use super::tally::{self, Tally};
use super::tools;
use crate::{client, fuzz, node, process, program, tidy, workspace};

/// One step.
pub(crate) struct Step {
    /// What one types to run it alone.
    pub name: &'static str,
    /// What it does, for the heading and the help.
    pub about: &'static str,
    /// What it needs from the system.
    pub needs: &'static [Need],
    /// Does it. An error is a failure that no test counted.
    pub run: fn(&Surroundings) -> Result<Tally>,
}

/// The environment that test runners get in addition to ours.
pub(crate) struct Surroundings {
    pub variables: Vec<(&'static str, OsString)>,
}

impl Surroundings {
    fn given_to(&self, mut command: Command) -> Result<Command> {
        command.env("PATH", tools::path()?);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }

    /// Where something is that the step needs.
    fn path_of(&self, need: Need) -> Result<PathBuf> {
        let found = self.variables.iter().find(|(name, _)| *name == need.variable());
        found.map(|(_, path)| path.into()).with_context(|| format!("{} was not looked for", need.variable()))
    }
}

/// All steps.
pub(crate) const STEPS: [Step; 12] = [
    Step { name: "fmt", about: "Rust sources are formatted", needs: &[], run: fmt },
    Step { name: "web", about: "the browser client: types, lint, unit tests, build", needs: &[], run: web },
    Step { name: "clippy", about: "lints of all targets, warnings refused", needs: &[], run: clippy },
    Step {
        name: "deny",
        about: "licences, bans and sources of the dependencies, and advisories where there is a database of them",
        needs: &[],
        run: deny,
    },
    Step { name: "build", about: "the program and the tests", needs: &[], run: build },
    Step {
        name: "tidy",
        about: "edges, rules without tests, stale files, dead links",
        needs: &[],
        run: run_tidy,
    },
    Step {
        name: "rust",
        about: "unit, property, database and WebSocket tests",
        needs: &[Need::Postgres, Need::Python, Need::Stockfish, Need::Faketime],
        run: rust,
    },
    Step {
        name: "no_std",
        about: "the rules without the standard library, linked into a program of C",
        needs: &[],
        run: no_std,
    },
    Step {
        name: "fuzz",
        about: "what is read from outside, tried with many thousand inputs",
        needs: &[Need::Cxx],
        run: fuzz,
    },
    Step { name: "doctests", about: "the examples in the documentation", needs: &[], run: doctests },
    Step { name: "docs", about: "the documentation builds, warnings refused", needs: &[], run: docs },
    Step { name: "browser", about: "end to end with real browsers", needs: &[Need::Chromium], run: browser },
];

fn fmt(_: &Surroundings) -> Result<Tally> {
    process::run(workspace::cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Tally::default())
}

fn web(surroundings: &Surroundings) -> Result<Tally> {
    let package = workspace::web();
    node::install(&package)?;
    let mut check = node::npm(&package);
    check.args(["run", "--silent", "check"]);
    process::run(&mut check)?;
    client::ensure_built()?;
    let mut tests = node::npm(&package);
    tests.arg("test");
    counted(surroundings.given_to(tests)?, tally::vitest)
}

fn clippy(_: &Surroundings) -> Result<Tally> {
    client::ensure_built()?;
    process::run(program::cargo_on_all(&["clippy"]).args(["--all-targets", "--", "--deny", "warnings"]))?;
    Ok(Tally::default())
}

fn deny(surroundings: &Surroundings) -> Result<Tally> {
    tools::DENY.ensure()?;
    let mut deny = workspace::cargo();
    deny.args(["deny", "--workspace", "--locked", "check", "licenses", "bans", "sources"]);
    process::run(&mut surroundings.given_to(deny)?)?;
    check_advisories(surroundings)
}

/// Advisories are checked against the copy of their database that the machine has, whose age is said. Why the repository
/// holds none is told in deny.toml.
fn check_advisories(surroundings: &Surroundings) -> Result<Tally> {
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
    process::run(&mut surroundings.given_to(deny)?)?;
    Ok(Tally::default())
}

fn build(_: &Surroundings) -> Result<Tally> {
    client::ensure_built()?;
    process::run(program::cargo_on_all(&["build"]).args(["--lib", "--bins", "--examples", "--tests"]))?;
    Ok(Tally::default())
}

fn run_tidy(_: &Surroundings) -> Result<Tally> {
    tidy::run()?;
    Ok(Tally::default())
}

fn rust(surroundings: &Surroundings) -> Result<Tally> {
    tools::NEXTEST.ensure()?;
    let mut tests = program::cargo_on_all(&["nextest", "run"]);
    tests.env("QUADREX_BIN", program::quadrex()?);
    let mut tests = surroundings.given_to(tests)?;
    tests.env(Need::Python.variable(), python::with_packages(&surroundings.path_of(Need::Python)?)?);
    counted(tests, tally::nextest)
}

fn no_std(_: &Surroundings) -> Result<Tally> {
    no_std::run()?;
    Ok(Tally::default())
}

fn fuzz(surroundings: &Surroundings) -> Result<Tally> {
    Ok(Tally { passed: fuzz::check(&surroundings.variables)?, ..Tally::default() })
}

fn doctests(surroundings: &Surroundings) -> Result<Tally> {
    let tests = program::cargo_on_all(&["test", "--doc"]);
    counted(surroundings.given_to(tests)?, tally::doc_tests)
}

fn docs(_: &Surroundings) -> Result<Tally> {
    let mut docs = program::cargo_on_all(&["doc"]);
    process::run(docs.args(["--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings"))?;
    Ok(Tally::default())
}

fn browser(surroundings: &Surroundings) -> Result<Tally> {
    let package = workspace::browser_tests();
    let screens = workspace::target().join("screens");
    std::fs::create_dir_all(&screens).with_context(|| format!("making {}", screens.display()))?;
    node::install(&package)?;
    let mut tests = node::npm(&package);
    tests.arg("test").env("QUADREX_BIN", program::quadrex()?).env("SCREENS_DIR", &screens);
    counted(surroundings.given_to(tests)?, tally::vitest)
}

/// Runs a test runner and counts by its own summary. What it did not say, and tests it left out, are failures.
fn counted(tests: Command, count: fn(&str) -> Option<Tally>) -> Result<Tally> {
    let line = process::line(&tests);
    let told = process::tell(tests)?;
    judged(told.status.success(), count(&told.text)).with_context(|| line)
}

fn judged(succeeded: bool, tally: Option<Tally>) -> Result<Tally> {
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
        assert_eq!(judged(true, tally(3, 0, 0)).ok(), tally(3, 0, 0));
        assert_eq!(judged(false, tally(3, 1, 0)).ok(), tally(3, 1, 0));
    }

    #[test]
    fn skipped_tests_a_bad_status_and_a_missing_summary_are_failures() {
        assert_eq!(
            judged(true, tally(3, 0, 2)).unwrap_err().to_string(),
            "2 tests were skipped; every test must run"
        );
        assert!(judged(false, tally(3, 0, 0)).is_err());
        assert!(judged(true, None).is_err());
    }

    #[test]
    fn every_step_has_a_name_of_its_own() {
        for step in &STEPS {
            assert_eq!(STEPS.iter().filter(|other| other.name == step.name).count(), 1, "{}", step.name);
        }
    }
}
