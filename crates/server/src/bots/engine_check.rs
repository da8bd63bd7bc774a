//! Trying out an engine of the settings: it is started, asked for all they say of it, and ended.

use std::time::Duration;

use quadrex_driver::{Engine, EngineError, Launch, OptionError};

use super::uci_engines::launch;
use crate::config::EngineConfig;

/// How long an engine may take for each answer. No table waits for it: at the lowest priority, on a machine with all
/// processors busy, Stockfish was seen to need 22 s to be ready, more than it has at a table.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why an engine cannot play as the settings say.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// It does something wrong, or does not know a game it is to play.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// It lacks an option, or the option cannot have that value.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Finds out whether an engine starts, has the options that are to be set and the strengths it is to be limited to, and
/// knows the games it is to play. Gives back what it calls itself, if it says so.
///
/// # Errors
/// [`Unfit`], the first that is wrong.
pub async fn try_out(config: &EngineConfig) -> Result<Option<String>, Unfit> {
    let mut engine = Engine::start(&Launch { reply_timeout: PATIENCE, ..launch(config) }).await?;
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
