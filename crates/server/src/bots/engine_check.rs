//! The check of a UCI engine that the settings name. The engine is started. Then the check compares
//! the engine with everything that the settings say about it, and stops it.

use std::time::Duration;

use quadrex_driver::{Engine, EngineError, Launch, OptionError};

use super::uci_engines::launch;
use crate::config::EngineConfig;

/// The timeout for each answer of the engine. It may be long, because no table waits for the check.
/// A measurement: at the lowest priority, on a machine with all processors busy, Stockfish needed
/// 22 s until it was ready. This is longer than the timeout at a table.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// The reason for which an engine cannot play as the settings say.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// The engine violates the protocol, or does not know a variant that the settings name for it.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine does not have an option, or the option cannot have the configured value.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Checks that an engine starts, has the configured options and strengths, and knows the configured
/// variants. Returns the name that the engine gives itself.
///
/// # Errors
/// Returns [`Unfit`] with the first problem that was found.
pub async fn check_engine(config: &EngineConfig) -> Result<Option<String>, Unfit> {
    let mut engine = Engine::start(&Launch { reply_timeout: REPLY_TIMEOUT, ..launch(config) }).await?;
    let description = engine.description();
    let name = description.name().map(str::to_owned);
    for (option, value) in &config.options {
        description.check(option, value)?;
    }
    if let Some(elos) = config.elo {
        description.check("UCI_LimitStrength", "true")?;
        for elo in elos {
            description.check("UCI_Elo", &elo.to_string())?;
        }
    }
    for &variant in &config.variants {
        engine.begin(variant).await?;
    }
    Ok(name)
}
