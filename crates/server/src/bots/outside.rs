//! Other engines on this machine: programs that speak UCI, each started when it is first wanted.
//!
//! An engine serves one search at a time. One that crashes, hangs or says what makes no sense is killed, and started anew
//! for the next search; who asked hears why, and plays on with the server's own.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_driver::{Answer, Engine, EngineError, Go, Launch};
use quadrex_rules::Game;
use tokio::sync::Mutex;

use crate::config::EngineConfig;

/// How long an engine may take for what is no search. To start, one with a large network takes seconds where much else runs.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why an engine of the settings gave no move.
#[derive(Debug, thiserror::Error)]
pub(super) enum OutsideError {
    /// The settings have no such engine any more.
    #[error("the settings name no such engine")]
    Unknown,
    /// It did something wrong.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// All engines of the settings.
#[derive(Debug)]
pub(super) struct Engines(BTreeMap<String, Seat>);

/// Where an engine sits while it is not asked.
#[derive(Debug)]
struct Seat {
    launch: Launch,
    /// Its process between two searches. A search takes it out: one that is given up or fails does not bring it back.
    engine: Mutex<Option<Engine>>,
}

impl Engines {
    pub(super) fn new(configs: &BTreeMap<String, EngineConfig>) -> Self {
        let seat = |config: &EngineConfig| Seat { launch: launch(config), engine: Mutex::default() };
        Self(configs.iter().map(|(name, config)| (name.clone(), seat(config))).collect())
    }

    /// Has an engine choose a move within this time, limited to this strength if one is given.
    pub(super) async fn choose(
        &self,
        name: &str,
        elo: Option<u16>,
        game: &Game,
        time: Duration,
    ) -> Result<Answer, OutsideError> {
        let seat = self.0.get(name).ok_or(OutsideError::Unknown)?;
        let mut place = seat.engine.lock().await;
        if let Some(mut engine) = place.take() {
            match search(&mut engine, elo, game, time).await {
                Ok(answer) => {
                    *place = Some(engine);
                    return Ok(answer);
                }
                // It may have ended since it was asked last: another one may do better.
                Err(EngineError::Ended(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let mut engine = Engine::start(&seat.launch).await?;
        let answer = search(&mut engine, elo, game, time).await?;
        *place = Some(engine);
        Ok(answer)
    }
}

/// Tables come before it.
fn launch(config: &EngineConfig) -> Launch {
    Launch {
        command: config.command.clone(),
        arguments: config.arguments.clone(),
        options: config.options.clone(),
        patience: PATIENCE,
        nice: Some(super::pool::NICE),
        shows_errors: false,
    }
}

/// A search of its own: the one before was of another table.
async fn search(
    engine: &mut Engine,
    elo: Option<u16>,
    game: &Game,
    time: Duration,
) -> Result<Answer, EngineError> {
    engine.set("UCI_LimitStrength", if elo.is_some() { "true" } else { "false" }).await?;
    if let Some(elo) = elo {
        engine.set("UCI_Elo", &elo.to_string()).await?;
    }
    engine.begin(game.position().variant()).await?;
    engine.search(game, &Go::within(time), std::future::pending()).await
}
