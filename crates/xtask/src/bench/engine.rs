//! Benchmarks of the engine with the programs of `crates/arena`.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::{process, workspace};

/// Runs all benchmarks of the engine, or the named one, in a release build.
///
/// # Errors
/// Returns an error if the program does not build or run.
pub(super) fn run(rest: &[String], folder: &Path) -> Result<()> {
    let program = workspace::release_build("quadrex-arena", "quadrex-arena")?;
    let path = folder.join(file_name(rest));
    process::run(Command::new(program).args(rest).arg("--figures").arg(&path))?;
    println!("written to {}", path.display());
    Ok(())
}

/// Fits the weights of the evaluation to games and prints them.
///
/// # Errors
/// Returns an error if the program does not build or run.
pub(super) fn fit(rest: &[String]) -> Result<()> {
    let program = workspace::release_build("quadrex-arena", "quadrex-fit")?;
    process::run(Command::new(program).args(rest))
}

/// Returns the name of the file with the figures. A single benchmark has its own file, so that it
/// does not replace the figures of all.
fn file_name(rest: &[String]) -> String {
    match rest.first() {
        Some(name) if !name.starts_with('-') => format!("engine-{name}.json"),
        _ => "engine.json".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_measurement_has_its_own_file() {
        let name = |rest: &[&str]| file_name(&rest.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(name(&[]), "engine.json");
        assert_eq!(name(&["match", "--games", "2"]), "engine-match.json");
    }
}
