//! The tasks of the project: `cargo xtask run | cluster | test | simulate | fuzz | gen | tidy | bench`.
//!
//! It has few dependencies on purpose, because a new machine compiles it first, and because it must
//! compile when the rest does not. Of the workspace it depends only on the progress bar.

mod bench;
mod client;
mod cluster;
mod fuzz;
mod generate;
mod licences;
mod node;
mod process;
mod program;
mod run;
#[cfg(test)]
mod scratch;
mod simulate;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tasks of the project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Builds what is missing or outdated, and starts the server
    Run(run::Args),
    /// Starts several servers on this machine that share the matches of a database
    Cluster(cluster::Args),
    /// Runs all checks and tests, or some of their steps
    Test(test::Args),
    /// Runs deterministic simulations of servers, clients, networks and databases in virtual time
    Simulate(simulate::Args),
    /// Runs the fuzz targets with millions of inputs
    Fuzz(fuzz::Args),
    /// Generates the TypeScript types, JSON schemas and licence lists
    Gen,
    /// Checks what the compiler cannot: crate edges, rules without tests, outdated files, dead
    /// links
    Tidy,
    /// Runs a benchmark, and writes its figures to target/bench
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Run(args) => run::run(&args),
        Task::Cluster(args) => cluster::run(&args),
        Task::Test(args) => return test::run(&args),
        Task::Simulate(args) => simulate::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Gen => generate::write(),
        Task::Tidy => tidy::run(),
        Task::Bench(args) => bench::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
