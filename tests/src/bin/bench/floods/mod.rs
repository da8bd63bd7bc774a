//! Floods that one visitor can cause, measured by their effect on everybody else.
//!
//! Every scenario speaks plain JSON, so that it also runs against older servers (`QUADREX_BIN` names the program).

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

/// Size of each flood.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Tables of four bots of the highest level that nobody watches
    #[arg(long, default_value_t = 55)]
    bot_tables: usize,
    /// Moves of the match that is asked for as a film
    #[arg(long, default_value_t = 800)]
    film_plies: usize,
    /// Connections that ask for films without end
    #[arg(long, default_value_t = 50)]
    film_readers: usize,
    /// Connections that send half a request
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

/// The floods.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Flood {
    /// Tables of bots that nobody watches, beside a person who plays a bot
    Bots,
    /// Animations of a long match, beside a person who explores moves
    Animations,
    /// Connections that send half a request, beside a person who asks for a page
    Connections,
    /// Pings, beside a person who asks for a page
    Pings,
    /// Thousands of public tables, and what a visitor of the lobby is sent
    Lobby,
    /// Invites made without end
    Invites,
    /// Spectators who fill the chat, and what a newcomer is sent
    Chat,
}

/// Duration of a flood without a natural end.
const FLOOD: Duration = Duration::from_secs(5);

/// Runs the floods.
///
/// # Errors
/// If one cannot be run. What the server made of it is no error.
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

/// A server with its usual settings; beyond those a scenario names, nothing is relaxed.
async fn start(settings: &[(&str, u64)]) -> Result<Server> {
    let launch = Launch::new(&Database::Sqlite)?.with_env("QUADREX_LOG__FILTER", "error");
    let launch = settings.iter().fold(launch, |launch, (key, value)| launch.with_env(key, value));
    launch.start().await
}

/// The time an operation takes, in milliseconds, and its result.
async fn timed<T>(operation: impl Future<Output = T>) -> (f64, T) {
    let since = swarm::now();
    let result = operation.await;
    (since.elapsed().as_secs_f64() * 1_000.0, result)
}

/// Adds the middle and the greatest of some times.
fn add_times(name: &str, mut times: Vec<f64>, figures: &mut Figures) {
    times.sort_unstable_by(f64::total_cmp);
    if let Some(longest) = times.last() {
        figures.add(&format!("{name}: median"), times[times.len() / 2], "ms");
        figures.add(&format!("{name}: longest"), *longest, "ms");
    }
}
