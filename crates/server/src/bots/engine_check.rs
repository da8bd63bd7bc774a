//! The check of an engine of the settings: it is started, asked for everything that the settings
//! claim, and stopped.

use std::time::Duration;

use quadrex_driver::{Engine, EngineError, Launch, OptionError};

use super::uci_engines::launch;
use crate::config::EngineConfig;

/// The timeout of each answer. No table waits for it: at the lowest priority, on a machine with all
/// processors busy, Stockfish was seen to need 22 s to be ready, more than it has at a table.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// The reason why an engine cannot play as configured.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// It violates the protocol, or does not know a variant that it shall play.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// It lacks an option, or the option cannot have that value.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Checks that an engine starts, has the configured options and strengths, and knows the configured
/// variants. Returns its own name, if it has one.
///
/// # Errors
/// [`Unfit`], the first problem.
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
