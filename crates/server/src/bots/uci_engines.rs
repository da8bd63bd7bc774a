//! The UCI engines that run as processes on the server's machine. An engine is started when it is
//! first needed.
//!
//! An engine makes one search at a time. If the engine crashes, hangs or violates the protocol, its
//! process is killed, and the next search starts a new process. The caller gets the error and uses
//! the built-in engine for this move. If an engine fails before its first move, it is not started
//! again for some time. Otherwise its tables would wait for a failing start at each move.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_driver::{BestMove, Engine, EngineError, Go, Launch};
use quadrex_rules::{Game, Timestamp};
use tokio::sync::Mutex;

use crate::config::EngineConfig;

/// The timeout for every reply other than `bestmove`. An engine with a large neural network needs
/// seconds to start on a busy machine.
const REPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// The time before an engine that gave no move is started again.
const RESTART_DELAY: Duration = Duration::from_secs(60);

/// The reason for which an engine gave no move.
#[derive(Debug, thiserror::Error)]
pub(super) enum UciEngineError {
    /// The settings have no engine of this name.
    #[error("the settings name no such engine")]
    Unknown,
    /// The engine failed a short time ago. It is not started again before the given time has
    /// passed.
    #[error("it failed when it was started last, and is not tried again for {} s", .0.as_secs_f32().ceil())]
    Resting(Duration),
    /// The engine failed or violated the protocol.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// All UCI engines of the settings.
#[derive(Debug)]
pub(super) struct UciEngines {
    by_name: BTreeMap<String, EngineEntry>,
    clock: Clock,
}

/// An engine of the settings with its state.
#[derive(Debug)]
struct EngineEntry {
    launch: Launch,
    state: Mutex<EngineState>,
}

/// The state of an engine between two searches.
#[derive(Debug)]
enum EngineState {
    /// The engine does not run. The next search starts it.
    Stopped,
    /// The engine runs as this process. A search takes the process out of the state, and puts it
    /// back only if the search succeeds. If the search fails or is cancelled, the process is
    /// dropped, which ends it.
    Ready(Box<Engine>),
    /// The engine failed before its first move. It is not started again before this time.
    Resting(Timestamp),
}

impl UciEngines {
    pub(super) fn new(configs: &BTreeMap<String, EngineConfig>, clock: Clock) -> Self {
        let entry = |config: &EngineConfig| EngineEntry {
            launch: launch(config),
            state: Mutex::new(EngineState::Stopped),
        };
        Self { by_name: configs.iter().map(|(name, config)| (name.clone(), entry(config))).collect(), clock }
    }

    /// Lets an engine choose a move within this time. If `elo` is given, the engine limits its
    /// strength to this rating; otherwise it plays at full strength.
    pub(super) async fn choose_move(
        &self,
        name: &str,
        elo: Option<u16>,
        game: &Game,
        time: Duration,
    ) -> Result<BestMove, UciEngineError> {
        let entry = self.by_name.get(name).ok_or(UciEngineError::Unknown)?;
        let mut state = entry.state.lock().await;
        let now = self.clock.now();
        match std::mem::replace(&mut *state, EngineState::Stopped) {
            EngineState::Resting(until) if now < until => {
                *state = EngineState::Resting(until);
                return Err(UciEngineError::Resting(until.since(now)));
            }
            EngineState::Ready(mut engine) => match search(&mut engine, elo, game, time).await {
                Ok(answer) => {
                    *state = EngineState::Ready(engine);
                    return Ok(answer);
                }
                // The process may have ended since its last search. A new process may succeed.
                Err(EngineError::Ended(_)) => {}
                Err(error) => return Err(error.into()),
            },
            EngineState::Stopped | EngineState::Resting(_) => {}
        }
        match start_and_search(&entry.launch, elo, game, time).await {
            Ok((engine, answer)) => {
                *state = EngineState::Ready(Box::new(engine));
                Ok(answer)
            }
            Err(error) => {
                *state = EngineState::Resting(self.clock.now() + RESTART_DELAY);
                Err(error.into())
            }
        }
    }
}

/// Returns the parameters with which an engine is started. The engine runs at the lowest priority,
/// so that it does not slow the tables down.
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

/// Searches for a move. Before each search the engine is prepared for a new game, because its
/// previous search may have been for another table.
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

    /// Returns an engine that answers `go` with a shell command, where `$n` is the number of the
    /// search. Each start of the engine adds a line to `starts`.
    fn engine(clock: &Clock, starts: &Path, go: &str) -> UciEngines {
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
        UciEngines::new(&BTreeMap::from([("shell".to_owned(), config)]), clock.clone())
    }

    async fn choose(engines: &UciEngines) -> Result<BestMove, UciEngineError> {
        let config = GameConfig {
            setup: Setup::start(Variant::Classic),
            draws: Default::default(),
            time: TimeControl::None,
        };
        let game = Game::new(config, Timestamp::from_millis(0)).unwrap();
        engines.choose_move("shell", None, &game, Duration::from_millis(10)).await
    }

    fn times(starts: &Path) -> usize {
        std::fs::read_to_string(starts).unwrap().lines().count()
    }

    #[tokio::test]
    async fn an_engine_that_fails_at_startup_is_not_restarted_for_a_while() {
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
