//! The server's own bots: they play at tables like people and send the same commands, without a
//! connection.
//!
//! A table notifies the runner of its bots' tasks ([`BotTask`]); a task beside the table, the
//! `bot_driver`, answers with a command. A few threads of the lowest priority search for moves
//! (`pool`), never the tasks that serve tables. The same threads analyse positions for people while
//! no table needs them (`analyses`).

mod analyses;
mod analysis_cache;
mod analysis_permits;
mod answers;
mod bot_driver;
mod budget;
mod engine_check;
mod pool;
mod registry;
mod uci_engines;

use std::collections::BTreeMap;
use std::sync::Arc;

use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::UserId;
use quadrex_protocol::analysis::Analysis;
use quadrex_protocol::bot::{BotChoice, BotList, BotView};
use quadrex_protocol::user::UserView;
use quadrex_rules::{Game, Variant};
use tokio::sync::watch;
use tracing::Instrument;

use crate::actor::{BotRunner, TableHandle};
use crate::config::{AnalysisConfig, BotsConfig, EngineConfig};
use quadrex_store::{Store, StoreError};
use quadrex_table::BotTask;

use analyses::Analyses;
pub use analyses::{AnalysisError, Effort};
pub use engine_check::{Unfit, check_engine};
use pool::Pool;
pub use registry::UnknownBot;
use uci_engines::Engines;

/// The server's bots. Cheap to clone; all clones share the threads, which end with the last of
/// them.
#[derive(Clone, Debug)]
pub struct Bots(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    config: BotsConfig,
    /// The engines of the settings.
    engine_configs: BTreeMap<String, EngineConfig>,
    engines: Engines,
    pool: Pool,
    analyses: Analyses,
    store: Store,
    clock: Clock,
    entropy: Entropy,
}

/// The failure to find a bot.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// There is no such bot.
    #[error(transparent)]
    Unknown(#[from] UnknownBot),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Bots {
    /// Starts the threads. Engines of the settings start when they are first needed.
    #[must_use]
    pub fn start(
        config: BotsConfig,
        analysis: AnalysisConfig,
        engine_configs: BTreeMap<String, EngineConfig>,
        store: Store,
        clock: Clock,
        entropy: Entropy,
    ) -> Self {
        let pool = Pool::start(&config, &clock);
        let engines = Engines::new(&engine_configs, clock.clone());
        let analyses = Analyses::new(analysis);
        Self(Arc::new(Shared { config, engine_configs, engines, pool, analyses, store, clock, entropy }))
    }

    /// Stores the users of the built-in bots.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails.
    pub async fn register_built_in(&self) -> Result<(), StoreError> {
        for bot in registry::built_in_users() {
            self.0.store.add_user_if_absent(&bot).await?;
        }
        Ok(())
    }

    /// Checks the engines of the settings in the background, and logs those that cannot play.
    pub fn check_engines(&self) {
        let engine_configs = self.0.engine_configs.clone();
        tokio::spawn(async move {
            for (engine, config) in &engine_configs {
                match check_engine(config).await {
                    Ok(name) => tracing::info!(engine, name, "an engine of the settings can play"),
                    Err(error) => tracing::warn!(
                        engine,
                        command = %config.command.display(),
                        "an engine of the settings cannot play, the server's own will play for it: {error}"
                    ),
                }
            }
        });
    }

    /// Returns the bots to choose from.
    #[must_use]
    pub fn list(&self) -> BotList {
        registry::list(&self.0.engine_configs)
    }

    /// Returns the bot of a choice for a table of a variant.
    ///
    /// # Errors
    /// [`BotError`] if there is none, or the store fails.
    pub async fn find(&self, choice: &BotChoice, variant: Variant) -> Result<UserView, BotError> {
        let bot = registry::find(&self.0.engine_configs, choice, variant)?;
        // The built-in ones have been stored since the start.
        if let Some(BotView::Engine { .. }) = bot.bot {
            self.0.store.add_user_if_absent(&registry::user(bot.clone(), self.0.clock.now())).await?;
        }
        Ok(bot)
    }
}

impl Bots {
    /// Analyses the position of a game for a user. Bots at tables have priority; dropping the
    /// future cancels the search.
    ///
    /// # Errors
    /// [`AnalysisError`]
    pub async fn analyse(
        &self,
        game: &Game,
        effort: Effort,
        by: UserId,
    ) -> Result<Arc<Analysis>, AnalysisError> {
        self.0.analyses.of(&self.0.pool, game, effort, by).await
    }
}

impl BotRunner for Bots {
    fn drive(&self, table: TableHandle, tasks: watch::Receiver<Option<Arc<BotTask>>>) {
        let span = tracing::info_span!("bots", table.id = %table.table());
        tokio::spawn(bot_driver::drive(self.clone(), table, tasks).instrument(span));
    }
}

/// Returns the default settings.
#[cfg(test)]
fn default_config() -> BotsConfig {
    crate::config::Config::load(None, [], &crate::config::Flags::default())
        .expect("the defaults are good")
        .bots
}
