//! What the engine is worth, measured by the benchmark of its package.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::criterion::Build;
use crate::process;

/// Builds the benchmark as it would be released and runs it, all of it or the part that is named.
///
/// # Errors
/// When it does not build or run.
pub(super) fn run(rest: &[String], folder: &Path) -> Result<()> {
    let program = Build::Default.build("quadrex-engine", "engine")?;
    let path = folder.join(file_name(rest));
    process::run(Command::new(program).args(rest).arg("--figures").arg(&path))?;
    println!("kept in {}", path.display());
    Ok(())
}

/// Fits the weights of the evaluation to games and prints them.
///
/// # Errors
/// When it does not build or run.
pub(super) fn fit(rest: &[String]) -> Result<()> {
    let program = Build::Default.build("quadrex-engine", "fit")?;
    process::run(Command::new(program).args(rest))
}

/// A part's figures do not take the place of those of all.
fn file_name(rest: &[String]) -> String {
    match rest.first() {
        Some(part) if !part.starts_with('-') => format!("engine-{part}.json"),
        _ => "engine.json".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_a_file_of_its_own() {
        let name = |rest: &[&str]| file_name(&rest.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(name(&[]), "engine.json");
        assert_eq!(name(&["match", "--games", "2"]), "engine-match.json");
    }
}
