//! The Quadrex program.

mod backup;
mod convert;
mod database;
mod play;
mod probe;
mod records;
mod serve;
mod settings;
mod verify;

use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};

/// A server makes and drops many small things, from all its threads: with the system's allocator a move told to twelve costs
/// about a seventh more processor time (measured with `cargo xtask bench server`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    /// Let an engine that speaks UCI play on a server as a bot.
    Play(Box<play::Arguments>),
    /// Copy all that a server has kept into a file, while it runs.
    Backup(backup::Arguments),
    /// Prepare a PostgreSQL for servers, as its owner.
    Database(database::Arguments),
    /// Ask a URL once; the exit status says whether the answer was 200. For health checks.
    Probe(probe::Arguments),
    /// Speak UCI on standard input and output.
    Uci,
    /// Convert games between PGN, PGN4 and records in JSON.
    Convert(convert::Arguments),
    /// Check records of matches: the lot, that everything was legal, and the result.
    Verify(verify::Arguments),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Serve(arguments) => serve::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Play(arguments) => play::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Backup(arguments) => backup::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Database(arguments) => database::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Probe(arguments) => probe::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Uci => uci().map(|()| ExitCode::SUCCESS).map_err(Into::into),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
    };
    match done {
        Ok(status) => status,
        Err(error) => {
            eprintln!("quadrex: {}", one_line(&error));
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "time enters here what the engine thinks in")]
fn uci() -> std::io::Result<()> {
    let start = Instant::now();
    quadrex_uci::run(std::io::stdin().lock(), std::io::stdout(), || start.elapsed())
}

/// What went wrong and where, with all causes that the text before them does not tell already.
fn one_line(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |line, cause| match cause.to_string() {
        cause if line.is_empty() => cause,
        cause if line.ends_with(&cause) => line,
        cause => format!("{line}: {cause}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_one_line_that_says_nothing_twice() {
        let error = anyhow::anyhow!("in use").context("cannot listen: in use").context("no server");
        assert_eq!(one_line(&error), "no server: cannot listen: in use");
    }
}
