//! Floods that a single visitor can cause, measured by their effect on everybody else.
//!
//! The scenarios send plain JSON, so that they also run against older servers. `QUADREX_BIN`
//! selects the program.

mod animations;
mod bots;
mod chat;
mod connections;
mod invites;
mod json_client;
mod lobby;

use std::time::Duration;

use anyhow::Result;
use quadrex_tests::{Database, Launch, Server, swarm};

use crate::figures::Figures;

/// The size of each flood.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Tables of four bots of the highest level without spectators
    #[arg(long, default_value_t = 55)]
    bot_tables: usize,
    /// Moves of the match whose animation is requested
    #[arg(long, default_value_t = 800)]
    film_plies: usize,
    /// Connections that request animations without a pause
    #[arg(long, default_value_t = 50)]
    film_readers: usize,
    /// Connections that send incomplete requests
    #[arg(long, default_value_t = 500)]
    half_requests: usize,
    /// Open public tables
    #[arg(long, default_value_t = 2_000)]
    tables: usize,
    /// Spectators that fill a match's chat
    #[arg(long, default_value_t = 200)]
    talkers: usize,
    /// Only these floods
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Flood>,
}

/// The kinds of floods.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Flood {
    /// Tables of bots without spectators, beside a person who plays against a bot
    Bots,
    /// Animations of a long match, beside a person who explores moves
    Animations,
    /// Connections that send incomplete requests, beside a person who requests a page
    Connections,
    /// Pings, beside a person who requests a page
    Pings,
    /// Thousands of public tables, and the data that a visitor of the lobby receives
    Lobby,
    /// Invites created without a pause
    Invites,
    /// Spectators who fill the chat, and the snapshot of a new spectator
    Chat,
}

/// The duration of a flood that has no natural end.
const FLOOD: Duration = Duration::from_secs(5);

/// Runs the floods.
///
/// # Errors
/// If a flood cannot be run. Slow answers of the server are not errors.
pub(crate) async fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let is_wanted = |flood| args.only.is_empty() || args.only.contains(&flood);
    if is_wanted(Flood::Bots) {
        println!("{} tables of four bots that nobody watches", args.bot_tables);
        bots::measure(args.bot_tables, figures).await?;
    }
    if is_wanted(Flood::Animations) {
        println!("a film of {} moves, asked for by {} connections", args.film_plies, args.film_readers);
        animations::measure(args.film_plies, args.film_readers, figures).await?;
    }
    if is_wanted(Flood::Connections) {
        println!("{} connections that send half a request", args.half_requests);
        connections::half_requests(args.half_requests, figures).await?;
    }
    if is_wanted(Flood::Pings) {
        println!("connections that send nothing but pings");
        connections::pings(figures).await?;
    }
    if is_wanted(Flood::Lobby) {
        println!("{} open public tables", args.tables);
        lobby::measure(args.tables, figures).await?;
    }
    if is_wanted(Flood::Invites) {
        println!("invites made for {FLOOD:?}");
        invites::measure(figures).await?;
    }
    if is_wanted(Flood::Chat) {
        println!("{} spectators who say all they may", args.talkers);
        chat::measure(args.talkers, figures).await?;
    }
    Ok(())
}

/// Starts a server with the default settings, except for the settings of a scenario.
async fn start(settings: &[(&str, u64)]) -> Result<Server> {
    let launch = Launch::new(&Database::Sqlite)?.with_env("QUADREX_LOG__FILTER", "error");
    let launch = settings.iter().fold(launch, |launch, (key, value)| launch.with_env(key, value));
    launch.start().await
}

/// Returns the time that an operation takes, in milliseconds, and its result.
async fn timed<T>(operation: impl Future<Output = T>) -> (f64, T) {
    let since = swarm::now();
    let result = operation.await;
    (since.elapsed().as_secs_f64() * 1_000.0, result)
}

/// Adds the median and the maximum of some times.
fn add_times(name: &str, mut times: Vec<f64>, figures: &mut Figures) {
    times.sort_unstable_by(f64::total_cmp);
    if let Some(longest) = times.last() {
        figures.add(&format!("{name}: median"), times[times.len() / 2], "ms");
        figures.add(&format!("{name}: longest"), *longest, "ms");
    }
}
