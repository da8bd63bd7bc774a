//! Other engines on this machine: programs that speak UCI, each started when it is first wanted.
//!
//! An engine serves one search at a time. One that crashes, hangs or says what makes no sense is killed, and started anew
//! for the next search; who asked hears why, and plays on with the server's own. One that fails before it ever gave a move
//! is left alone for a while, lest each move at each of its tables waits for it in vain.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_driver::{BestMove, Engine, EngineError, Go, Launch};
use quadrex_rules::{Game, Timestamp};
use tokio::sync::Mutex;

use crate::config::EngineConfig;

/// How long an engine may take for what is no search. To start, one with a large network takes seconds where much else runs.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long an engine that was started and gave no move is not started again.
const REST: Duration = Duration::from_secs(60);

/// Why an engine of the settings gave no move.
#[derive(Debug, thiserror::Error)]
pub(super) enum UciEngineError {
    /// The settings have no such engine any more.
    #[error("the settings name no such engine")]
    Unknown,
    /// It failed a short while ago.
    #[error("it failed when it was started last, and is not tried again for {} s", .0.as_secs_f32().ceil())]
    Resting(Duration),
    /// It did something wrong.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// All engines of the settings.
#[derive(Debug)]
pub(super) struct Engines {
    seats: BTreeMap<String, Seat>,
    clock: Clock,
}

/// Where an engine sits while it is not asked.
#[derive(Debug)]
struct Seat {
    launch: Launch,
    state: Mutex<State>,
}

/// What there is of an engine between two searches.
#[derive(Debug)]
enum State {
    /// Nothing: it is started for the next search.
    Away,
    /// Its process. A search takes it out: one that is given up or fails does not bring it back.
    Ready(Box<Engine>),
    /// It failed before it gave a move, and is left alone until then.
    Resting(Timestamp),
}

impl Engines {
    pub(super) fn new(configs: &BTreeMap<String, EngineConfig>, clock: Clock) -> Self {
        let seat = |config: &EngineConfig| Seat { launch: launch(config), state: Mutex::new(State::Away) };
        Self { seats: configs.iter().map(|(name, config)| (name.clone(), seat(config))).collect(), clock }
    }

    /// Has an engine choose a move within this time, limited to this strength if one is given.
    pub(super) async fn choose(
        &self,
        name: &str,
        elo: Option<u16>,
        game: &Game,
        time: Duration,
    ) -> Result<BestMove, UciEngineError> {
        let seat = self.seats.get(name).ok_or(UciEngineError::Unknown)?;
        let mut state = seat.state.lock().await;
        let now = self.clock.now();
        match std::mem::replace(&mut *state, State::Away) {
            State::Resting(until) if now < until => {
                *state = State::Resting(until);
                return Err(UciEngineError::Resting(until.since(now)));
            }
            State::Ready(mut engine) => match search(&mut engine, elo, game, time).await {
                Ok(answer) => {
                    *state = State::Ready(engine);
                    return Ok(answer);
                }
                // It may have ended since it was asked last: another one may do better.
                Err(EngineError::Ended(_)) => {}
                Err(error) => return Err(error.into()),
            },
            State::Away | State::Resting(_) => {}
        }
        match start_and_search(&seat.launch, elo, game, time).await {
            Ok((engine, answer)) => {
                *state = State::Ready(Box::new(engine));
                Ok(answer)
            }
            Err(error) => {
                *state = State::Resting(self.clock.now() + REST);
                Err(error.into())
            }
        }
    }
}

/// Tables come before it.
pub(super) fn launch(config: &EngineConfig) -> Launch {
    Launch {
        command: config.command.clone(),
        arguments: config.arguments.clone(),
        options: config.options.clone(),
        reply_timeout: PATIENCE,
        nice: Some(super::pool::NICE),
        inherit_stderr: false,
    }
}

/// A new engine, and its first move.
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

/// A search of its own: the one before was of another table.
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

    /// An engine of shell commands for `go`, where `$n` is how often it was asked; each start adds a line to `starts`.
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
    async fn an_engine_that_fails_when_it_is_started_is_left_alone_for_a_while() {
        let folder = tempfile::tempdir().unwrap();
        let (clock, starts) = (Clock::manual(Timestamp::from_millis(1_000)), folder.path().join("starts"));
        let engines = engine(&clock, &starts, "exit");
        assert!(matches!(choose(&engines).await, Err(UciEngineError::Engine(EngineError::Ended(_)))));
        clock.advance(REST - Duration::from_millis(1));
        let resting = choose(&engines).await.unwrap_err();
        assert_eq!(resting.to_string(), "it failed when it was started last, and is not tried again for 1 s");
        assert_eq!(times(&starts), 1);
        clock.advance(Duration::from_millis(1));
        assert!(matches!(choose(&engines).await, Err(UciEngineError::Engine(EngineError::Ended(_)))));
        assert_eq!(times(&starts), 2);
    }

    #[tokio::test]
    async fn an_engine_that_fails_after_it_gave_a_move_is_started_anew() {
        let folder = tempfile::tempdir().unwrap();
        let (clock, starts) = (Clock::manual(Timestamp::from_millis(1_000)), folder.path().join("starts"));
        let engines = engine(&clock, &starts, "[ $n = 1 ] && echo bestmove e2e4 || echo bestmove a1a8");
        assert!(choose(&engines).await.is_ok());
        assert!(matches!(choose(&engines).await, Err(UciEngineError::Engine(EngineError::IllegalMove(_)))));
        assert!(choose(&engines).await.is_ok(), "the next one is another process");
        assert_eq!(times(&starts), 2);
        let engines = engine(&clock, &starts, "[ $n = 1 ] && echo bestmove e2e4 || exit");
        assert!(choose(&engines).await.is_ok() && choose(&engines).await.is_ok(), "an end is not told");
        assert_eq!(times(&starts), 4);
    }
}
