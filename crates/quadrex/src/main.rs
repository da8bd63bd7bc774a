//! The Quadrex program.

mod admin;
mod backup;
mod completions;
mod config;
mod convert;
mod database;
mod man;
mod migrations;
mod output;
mod play;
mod probe;
mod records;
mod render;
mod serve;
mod settings;
mod values;
mod verify;

use std::process::ExitCode;
use std::time::Instant;

use clap::{CommandFactory, Parser, Subcommand};
use quadrex_store::error_chain::chain;

/// The allocator. The system's allocator is not used, because a server allocates many small objects
/// in all its threads: with the system's allocator, sending a move to twelve spectators takes about
/// a seventh more processor time (measured with `cargo xtask bench server`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A server for four-player chess by the Dilkel rules and for classic chess, with a UCI engine,
/// bots and tools for games.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs the server: tables, matches and the browser client.
    Serve(serve::Arguments),
    /// Connects a UCI engine to a server, where it plays as a bot.
    Play(Box<play::Arguments>),
    /// Searches for users of a server and acts on them, as an operator.
    Admin(Box<admin::Arguments>),
    /// Copies the whole database into a file while the server runs.
    Backup(backup::Arguments),
    /// Prepares a PostgreSQL database for servers, as its owner.
    Database(database::Arguments),
    /// Requests a URL once, for health checks: exits with 0 if the status is 200, with 1 otherwise.
    Probe(probe::Arguments),
    /// Runs the engine with the UCI protocol on standard input and output.
    Uci,
    /// Converts games between PGN, PGN4 and JSON match records.
    Convert(convert::Arguments),
    /// Verifies match records: the draw of the first player, the legality of every move, and the
    /// result.
    Verify(verify::Arguments),
    /// Draws a position or a game as SVG, PNG or GIF.
    Render(render::Arguments),
    /// Prints the effective settings of a server with the origin of each, in TOML, with passwords
    /// hidden.
    Config(config::Arguments),
    /// Prints a completion script for a shell.
    Completions(completions::Arguments),
    /// Prints the manual page, or writes the pages of all commands into a folder.
    Man(man::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Serve(arguments) => serve::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Play(arguments) => play::run(*arguments).map(|()| ExitCode::SUCCESS),
        Command::Admin(arguments) => admin::run(*arguments).map(|()| ExitCode::SUCCESS),
        Command::Backup(arguments) => backup::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Database(arguments) => database::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Probe(arguments) => probe::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Uci => uci().map(|()| ExitCode::SUCCESS).map_err(Into::into),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Render(arguments) => render::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Config(arguments) => config::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Completions(arguments) => {
            completions::run(&arguments, &mut Arguments::command()).map(|()| ExitCode::SUCCESS)
        }
        Command::Man(arguments) => man::run(&arguments, Arguments::command()).map(|()| ExitCode::SUCCESS),
    };
    match result {
        Ok(status) => status,
        Err(error) => {
            eprintln!("quadrex: {}", chain(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}

/// Runs the engine on standard input and output.
#[expect(clippy::disallowed_methods, reason = "the engine's clock starts here")]
fn uci() -> std::io::Result<()> {
    let start = Instant::now();
    quadrex_uci::run(std::io::stdin().lock(), std::io::stdout(), || start.elapsed())
}
