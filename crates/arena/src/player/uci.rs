//! A UCI engine in a process of its own, as a player.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_driver::{Engine, Go, Launch, Time};
use quadrex_engine::SearchControl as _;
use quadrex_rules::{Game, Move, Variant};
use tokio::runtime::{Builder, Runtime};

use crate::game::Player;
use crate::stopwatch::Stopwatch;

/// The time that an engine has for a reply, in addition to its time for a move.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// The time after which a search with a node limit is stopped.
const NODES_TIMEOUT: Duration = Duration::from_secs(600);

/// The option that makes draws automatic, so that they need no claim.
const DRAWS: (&str, &str) = ("Draws", "automatic");

/// The command line, options and search limit of a UCI engine.
#[derive(Clone, Debug)]
pub struct UciLaunch {
    command: String,
    launch: Launch,
    go: Go,
    /// The longest time that a process with this launch has used for a move, in microseconds.
    longest_us: Arc<AtomicU64>,
}

impl UciLaunch {
    /// Parses a command line, in which blanks separate the program and its arguments, and options
    /// of the form `NAME=VALUE`.
    ///
    /// # Errors
    /// Returns an error if the command is empty, or an option has no `=`.
    pub fn parse(command: &str, options: &[String], limit: Time) -> Result<Self> {
        let mut words = command.split_whitespace();
        let program = words.next().context("the command of an engine is empty")?;
        let pair = |option: &String| {
            let (name, value) =
                option.split_once('=').with_context(|| format!("{option:?} is not NAME=VALUE"))?;
            Ok((name.to_owned(), value.to_owned()))
        };
        let launch = Launch {
            command: PathBuf::from(program),
            arguments: words.map(str::to_owned).collect(),
            options: options.iter().map(pair).collect::<Result<BTreeMap<_, _>>>()?,
            reply_timeout: REPLY_TIMEOUT,
            nice: None,
            inherit_stderr: true,
        };
        let timeout = match limit {
            Time::Move(time) => time + REPLY_TIMEOUT,
            Time::Nodes(_) | Time::Clocks(_) => NODES_TIMEOUT,
        };
        let go = Go { time: limit, timeout };
        Ok(Self { command: command.to_owned(), launch, go, longest_us: Arc::default() })
    }

    /// Returns the command line.
    #[must_use]
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Returns the longest time that a process with this launch has used for a move.
    #[must_use]
    pub fn longest_move(&self) -> Duration {
        Duration::from_micros(self.longest_us.load(Ordering::Relaxed))
    }
}

/// A running UCI engine, which ends when it is dropped.
#[derive(Debug)]
pub struct UciPlayer {
    launch: UciLaunch,
    /// The engine is declared before the runtime so that it is dropped first, because its pipes
    /// need the runtime.
    engine: Engine,
    runtime: Runtime,
}

impl UciPlayer {
    /// Starts the engine and sets its options.
    ///
    /// # Errors
    /// Returns an error if the engine does not start, does not speak UCI, or does not accept an
    /// option.
    pub fn start(launch: &UciLaunch) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let engine = runtime.block_on(Engine::start(&launch.launch)).context(launch.command.clone())?;
        for (name, value) in &launch.launch.options {
            engine.description().check(name, value).context(launch.command.clone())?;
        }
        Ok(Self { launch: launch.clone(), engine, runtime })
    }
}

impl Player for UciPlayer {
    /// Starts a new game. UCI has no seed, so an engine with random choices plays other moves in
    /// each run.
    fn begin(&mut self, variant: Variant, _: u64) -> Result<()> {
        let Self { launch, engine, runtime } = self;
        let begin = async {
            if engine.description().check(DRAWS.0, DRAWS.1).is_ok() {
                engine.set(DRAWS.0, DRAWS.1).await?;
            }
            engine.begin(variant).await
        };
        runtime.block_on(begin).context(launch.command.clone())
    }

    fn choose(&mut self, game: &Game, _: usize) -> Result<Move> {
        let Self { launch, engine, runtime } = self;
        let stopwatch = Stopwatch::start();
        let search = engine.search(game, &launch.go, std::future::pending());
        let best = runtime.block_on(search).context(launch.command.clone())?;
        let used_us = u64::try_from(stopwatch.elapsed().as_micros()).unwrap_or(u64::MAX);
        launch.longest_us.fetch_max(used_us, Ordering::Relaxed);
        Ok(best.mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(command: &str, options: &[&str]) -> Result<UciLaunch> {
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        UciLaunch::parse(command, &options, Time::Nodes(1))
    }

    #[test]
    fn a_launch_has_the_arguments_and_options_of_its_command() {
        let launch = parse("stockfish bench  16", &["Skill Level=3", "Book=a=b"]).unwrap();
        assert_eq!(launch.launch.command, PathBuf::from("stockfish"));
        assert_eq!(launch.launch.arguments, ["bench", "16"]);
        let options: Vec<_> = launch.launch.options.iter().map(|(name, value)| (&**name, &**value)).collect();
        assert_eq!(options, [("Book", "a=b"), ("Skill Level", "3")]);
        assert_eq!(parse(" ", &[]).unwrap_err().to_string(), "the command of an engine is empty");
        assert_eq!(parse("x", &["Hash"]).unwrap_err().to_string(), "\"Hash\" is not NAME=VALUE");
    }

    #[test]
    fn an_engine_that_does_not_start_is_an_error_with_its_command() {
        let launch = parse("/nonexistent/engine --fast", &[]).unwrap();
        let error = format!("{:#}", UciPlayer::start(&launch).unwrap_err());
        assert!(error.starts_with("/nonexistent/engine --fast: it cannot be started: "), "{error}");
    }
}
