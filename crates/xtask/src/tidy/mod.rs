//! `cargo xtask tidy`: the checks that the compiler cannot make.

mod compose;
mod dockerfile;
mod edges;
mod foreign;
mod lengths;
mod links;
mod migrations;
mod modules;
mod protocol_doc;
mod routes;
mod rules;
mod rust;
mod seams;
mod source;
mod surface;
mod tree;
pub(crate) mod variants;
mod words;
mod workflow;

use anyhow::{Result, bail};

use crate::generate;
use surface::Surface;
use tree::Tree;

/// A check. It returns a line for each fault, which begins with the path of the file.
type Check = fn(&Tree) -> Result<Vec<String>>;

/// All checks and their subjects.
const CHECKS: [(&str, Check); 15] = [
    ("crate edges", edges::check),
    ("module edges", modules::check),
    ("seams of the simulation", seams::check),
    ("generated files", |_| generate::stale()),
    ("rules and their tests", rules::check),
    ("the protocol's document", protocol_doc::check),
    ("names of foreign places", foreign::check),
    ("file lengths", lengths::check),
    ("links", links::check),
    ("banned words", words::check_identifiers),
    ("openings of doc comments", words::check_openings),
    ("names of variants", variants::check),
    ("migrations", migrations::check),
    ("workflows", workflow::check),
    ("Dockerfile and compose files", check_deployment),
];

/// Runs all checks and prints every fault. A check that cannot run is a fault too.
///
/// # Errors
/// Returns an error if there is a fault, or the repository cannot be read.
pub(crate) fn run() -> Result<()> {
    let tree = Tree::of_repository()?;
    let mut count = 0;
    for (about, check) in CHECKS {
        let faults = check(&tree).unwrap_or_else(|error| vec![format!("{error:#}")]);
        println!("{about}: {}", if faults.is_empty() { "good" } else { "not good" });
        for fault in &faults {
            println!("  {fault}");
        }
        count += faults.len();
    }
    if count > 0 {
        bail!("{count} to be tidied");
    }
    Ok(())
}

fn check_deployment(tree: &Tree) -> Result<Vec<String>> {
    let surface = Surface::of_program(tree)?;
    let mut faults = dockerfile::faults(tree.text(dockerfile::PATH)?, tree, &surface);
    faults.extend(compose::single::faults(tree.text(compose::single::PATH)?, &surface)?);
    faults.extend(compose::cluster::faults(tree, &surface)?);
    Ok(faults)
}
