//! The Quadrex program.

mod probe;
mod serve;
mod uci;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Four-player chess by the Dilkel rules, and classic chess: the server, and the rules as a program.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Host tables for browsers and programs.
    Serve(serve::Arguments),
    /// Ask a URL once; the exit status says whether the answer was 200. For health checks.
    Probe(probe::Arguments),
    /// Speak UCI on standard input and output.
    Uci,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Probe(arguments) => probe::run(&arguments),
        Command::Uci => uci::run(std::io::stdin().lock(), std::io::stdout().lock()).map_err(Into::into),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One line: what, where, and all causes.
            eprintln!("quadrex: {error:#}");
            ExitCode::FAILURE
        }
    }
}
