//! UCI engines on this machine, each started when it is first needed.
//!
//! An engine serves one search at a time. One that crashes, hangs or violates the protocol is
//! killed, and restarted for the next search; the caller gets the error and uses the server's own
//! engine. One that fails before its first move is not restarted for a while, so that its tables do
//! not wait for it in vain at each move.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_driver::{BestMove, Engine, EngineError, Go, Launch};
use quadrex_rules::{Game, Timestamp};
use tokio::sync::Mutex;

use crate::config::EngineConfig;

/// The timeout of every reply other than `bestmove`. To start, an engine with a large network takes
/// seconds on a busy machine.
const REPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// The time before an engine that gave no move is started again.
const RESTART_DELAY: Duration = Duration::from_secs(60);

/// The reason why an engine gave no move.
#[derive(Debug, thiserror::Error)]
pub(super) enum UciEngineError {
    /// The settings have no such engine any more.
    #[error("the settings name no such engine")]
    Unknown,
    /// It failed a short while ago.
    #[error("it failed when it was started last, and is not tried again for {} s", .0.as_secs_f32().ceil())]
    Resting(Duration),
    /// It failed or violated the protocol.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// All engines of the settings.
#[derive(Debug)]
pub(super) struct Engines {
    slots: BTreeMap<String, Slot>,
    clock: Clock,
}

/// An engine with its state between searches.
#[derive(Debug)]
struct Slot {
    launch: Launch,
    state: Mutex<State>,
}

/// The state of an engine between two searches.
#[derive(Debug)]
enum State {
    /// Not started: the next search starts it.
    Stopped,
    /// The process. A search takes it out: one that is cancelled or fails does not put it back.
    Ready(Box<Engine>),
    /// It failed before its first move, and is not started before this time.
    Resting(Timestamp),
}

impl Engines {
    pub(super) fn new(configs: &BTreeMap<String, EngineConfig>, clock: Clock) -> Self {
        let slot = |config: &EngineConfig| Slot { launch: launch(config), state: Mutex::new(State::Stopped) };
        Self { slots: configs.iter().map(|(name, config)| (name.clone(), slot(config))).collect(), clock }
    }

    /// Has an engine choose a move within this time, at this strength if one is given.
    pub(super) async fn choose(
        &self,
        name: &str,
        elo: Option<u16>,
        game: &Game,
        time: Duration,
    ) -> Result<BestMove, UciEngineError> {
        let slot = self.slots.get(name).ok_or(UciEngineError::Unknown)?;
        let mut state = slot.state.lock().await;
        let now = self.clock.now();
        match std::mem::replace(&mut *state, State::Stopped) {
            State::Resting(until) if now < until => {
                *state = State::Resting(until);
                return Err(UciEngineError::Resting(until.since(now)));
            }
            State::Ready(mut engine) => match search(&mut engine, elo, game, time).await {
                Ok(answer) => {
                    *state = State::Ready(engine);
                    return Ok(answer);
                }
                // It may have ended since its last search: a new process may succeed.
                Err(EngineError::Ended(_)) => {}
                Err(error) => return Err(error.into()),
            },
            State::Stopped | State::Resting(_) => {}
        }
        match start_and_search(&slot.launch, elo, game, time).await {
            Ok((engine, answer)) => {
                *state = State::Ready(Box::new(engine));
                Ok(answer)
            }
            Err(error) => {
                *state = State::Resting(self.clock.now() + RESTART_DELAY);
                Err(error.into())
            }
        }
    }
}

/// Returns the launch of an engine, at the lowest priority: tables have precedence.
pub(super) fn launch(config: &EngineConfig) -> Launch {
    Launch {
        command: config.command.clone(),
        arguments: config.arguments.clone(),
        options: config.options.clone(),
        reply_timeout: REPLY_TIMEOUT,
        nice: Some(super::pool::NICE),
        inherit_stderr: false,
    }
}

/// Starts an engine and makes its first search.
async fn start_and_search(
    launch: &Launch,
    elo: Option<u16>,
    game: &Game,
    time: Duration,
) -> Result<(Engine, BestMove), EngineError> {
    let mut engine = Engine::start(launch).await?;
    let answer = search(&mut engine, elo, game, time).await?;
    Ok((engine, answer))
}

/// Searches for one table: the previous search was for another one.
async fn search(
    engine: &mut Engine,
    elo: Option<u16>,
    game: &Game,
    time: Duration,
) -> Result<BestMove, EngineError> {
    engine.set("UCI_LimitStrength", if elo.is_some() { "true" } else { "false" }).await?;
    if let Some(elo) = elo {
        engine.set("UCI_Elo", &elo.to_string()).await?;
    }
    engine.begin(game.position().variant()).await?;
    engine.search(game, &Go::within(time), std::future::pending()).await
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use quadrex_rules::{GameConfig, Setup, TimeControl, Variant};

    use super::*;

    /// Returns an engine of shell commands for `go`, where `$n` is the number of the search; each
    /// start adds a line to `starts`.
    fn engine(clock: &Clock, starts: &Path, go: &str) -> Engines {
        let script = format!(
            "echo once >> {starts:?}; n=0; read x; echo uciok; while read x; do case \"$x\" in isready) echo readyok;; \
             go*) n=$((n+1)); {go};; esac; done"
        );
        let config = EngineConfig {
            command: "/bin/sh".into(),
            arguments: vec!["-c".to_owned(), script],
            options: BTreeMap::new(),
            variants: vec![Variant::Classic],
            elo: None,
        };
        Engines::new(&BTreeMap::from([("shell".to_owned(), config)]), clock.clone())
    }

    async fn choose(engines: &Engines) -> Result<BestMove, UciEngineError> {
        let config = GameConfig {
            setup: Setup::start(Variant::Classic),
            draws: Default::default(),
            time: TimeControl::None,
        };
        let game = Game::new(config, Timestamp::from_millis(0)).unwrap();
        engines.choose("shell", None, &game, Duration::from_millis(10)).await
    }

    fn times(starts: &Path) -> usize {
        std::fs::read_to_string(starts).unwrap().lines().count()
    }

    #[tokio::test]
    async fn an_engine_that_fails_at_its_start_is_not_restarted_for_a_while() {
        let folder = tempfile::tempdir().unwrap();
        let (clock, starts) = (Clock::manual(Timestamp::from_millis(1_000)), folder.path().join("starts"));
        let engines = engine(&clock, &starts, "exit");
        assert!(matches!(choose(&engines).await, Err(UciEngineError::Engine(EngineError::Ended(_)))));
        clock.advance(RESTART_DELAY - Duration::from_millis(1));
        let resting = choose(&engines).await.unwrap_err();
        assert_eq!(resting.to_string(), "it failed when it was started last, and is not tried again for 1 s");
        assert_eq!(times(&starts), 1);
        clock.advance(Duration::from_millis(1));
        assert!(matches!(choose(&engines).await, Err(UciEngineError::Engine(EngineError::Ended(_)))));
        assert_eq!(times(&starts), 2);
    }

    #[tokio::test]
    async fn an_engine_that_fails_after_a_move_is_restarted() {
        let folder = tempfile::tempdir().unwrap();
        let (clock, starts) = (Clock::manual(Timestamp::from_millis(1_000)), folder.path().join("starts"));
        let engines = engine(&clock, &starts, "[ $n = 1 ] && echo bestmove e2e4 || echo bestmove a1a8");
        assert!(choose(&engines).await.is_ok());
        assert!(matches!(choose(&engines).await, Err(UciEngineError::Engine(EngineError::IllegalMove(_)))));
        assert!(choose(&engines).await.is_ok(), "the next one is another process");
        assert_eq!(times(&starts), 2);
        let engines = engine(&clock, &starts, "[ $n = 1 ] && echo bestmove e2e4 || exit");
        assert!(
            choose(&engines).await.is_ok() && choose(&engines).await.is_ok(),
            "an end is hidden by a restart"
        );
        assert_eq!(times(&starts), 4);
    }
}
