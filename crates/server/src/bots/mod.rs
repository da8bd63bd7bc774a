//! The server's own bots: they play at tables like people and send the same commands, without a connection.
//!
//! A table notifies the runner of its bots' tasks ([`BotTask`]); a task beside the table, the
//! `bot_driver`, answers with a command. Moves are searched by a few threads of the lowest priority (`pool`), never by the
//! tasks that serve tables. The same threads analyse positions for people while no table needs them (`analyses`).

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
pub use analyses::{AnalysisError, Closeness};
pub use engine_check::{Unfit, try_out};
use pool::Pool;
pub use registry::UnknownBot;
use uci_engines::Engines;

/// The server's bots. Cheap to clone; all clones share the threads, which end with the last of them.
#[derive(Clone, Debug)]
pub struct Bots(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    config: BotsConfig,
    /// What the settings say of other engines.
    offers: BTreeMap<String, EngineConfig>,
    engines: Engines,
    pool: Pool,
    analyses: Analyses,
    store: Store,
    clock: Clock,
    entropy: Entropy,
}

/// Why a bot cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// There is none like that.
    #[error(transparent)]
    Unknown(#[from] UnknownBot),
    /// The store could not keep it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Bots {
    /// Starts the threads. Other engines start when they are first wanted.
    #[must_use]
    pub fn start(
        config: BotsConfig,
        analysis: AnalysisConfig,
        offers: BTreeMap<String, EngineConfig>,
        store: Store,
        clock: Clock,
        entropy: Entropy,
    ) -> Self {
        let pool = Pool::start(&config, &clock);
        let engines = Engines::new(&offers, clock.clone());
        let analyses = Analyses::new(analysis);
        Self(Arc::new(Shared { config, offers, engines, pool, analyses, store, clock, entropy }))
    }

    /// Keeps the bots that any table may need.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot.
    pub async fn settle_in(&self) -> Result<(), StoreError> {
        for bot in registry::built_in_users() {
            self.0.store.add_user_if_absent(&bot).await?;
        }
        Ok(())
    }

    /// Tries out the engines of the settings, and tells the log of those that cannot play. Nothing waits for it.
    pub fn try_engines(&self) {
        let offers = self.0.offers.clone();
        tokio::spawn(async move {
            for (engine, config) in &offers {
                match try_out(config).await {
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

    /// Which bots there are.
    #[must_use]
    pub fn list(&self) -> BotList {
        registry::list(&self.0.offers)
    }

    /// The bot of this choice for a table of a variant.
    ///
    /// # Errors
    /// [`BotError`] if there is none, or it cannot be kept.
    pub async fn find(&self, choice: &BotChoice, variant: Variant) -> Result<UserView, BotError> {
        let bot = registry::find(&self.0.offers, choice, variant)?;
        // The built-in ones are there since the start.
        if let Some(BotView::Engine { .. }) = bot.bot {
            self.0.store.add_user_if_absent(&registry::user(bot.clone(), self.0.clock.now())).await?;
        }
        Ok(bot)
    }
}

impl Bots {
    /// What the engine thinks of the position a game has come to, asked by a user. Bots at tables come first; dropped, it is
    /// given up.
    ///
    /// # Errors
    /// [`AnalysisError`]
    pub async fn analyse(
        &self,
        game: &Game,
        closeness: Closeness,
        by: UserId,
    ) -> Result<Arc<Analysis>, AnalysisError> {
        self.0.analyses.of(&self.0.pool, game, closeness, by).await
    }
}

impl BotRunner for Bots {
    fn drive(&self, table: TableHandle, tasks: watch::Receiver<Option<Arc<BotTask>>>) {
        let span = tracing::info_span!("bots", table.id = %table.table());
        tokio::spawn(bot_driver::drive(self.clone(), table, tasks).instrument(span));
    }
}

/// The settings as they are if nothing is set.
#[cfg(test)]
fn usual() -> BotsConfig {
    crate::config::Config::load(None, [], &crate::config::Flags::default())
        .expect("the defaults are good")
        .bots
}
