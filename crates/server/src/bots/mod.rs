//! The bots that the server runs itself. They play at tables with the same commands as people, but
//! without a connection.
//!
//! A table's actor sends each [`BotTask`] to the table's `bot_driver`, which answers with a
//! command. The threads of the `pool` search for moves. There are few of them, and they have the
//! lowest priority, because a search must not delay the tasks that serve tables. While no table
//! needs these threads, they analyse positions for people (`analyses`). While neither tables nor
//! analyses need them, they review past matches.

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
use quadrex_engine::{Level, Limits};
use quadrex_protocol::UserId;
use quadrex_protocol::analysis::{Analysis, AnalysisLine};
use quadrex_protocol::bot::{BotChoice, BotList, BotView};
use quadrex_protocol::user::UserView;
use quadrex_rules::{Game, Move, Variant};
use tokio::sync::watch;
use tracing::Instrument;

use crate::actor::{BotRunner, TableHandle};
use crate::config::{AnalysisConfig, BotsConfig, EngineConfig};
use quadrex_store::{Store, StoreError};
use quadrex_table::BotTask;

use analyses::Analyses;
pub use analyses::{AnalysisError, Effort};
pub use engine_check::{Unfit, check_engine};
use pool::{Pool, Search, Urgency};
pub use registry::UnknownBot;
use uci_engines::UciEngines;

/// The server's bots. Clones share the search threads. The threads end when the last clone is
/// dropped. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Bots {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    config: BotsConfig,
    /// The UCI engines of the settings, by name.
    engine_configs: BTreeMap<String, EngineConfig>,
    engines: UciEngines,
    pool: Pool,
    analyses: Analyses,
    store: Store,
    clock: Clock,
    entropy: Entropy,
}

/// The error of a search for a bot.
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
    /// Starts the search threads. The UCI engines of the settings start when they are first needed.
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
        let engines = UciEngines::new(&engine_configs, clock.clone());
        let analyses = Analyses::new(analysis);
        let shared = Shared { config, engine_configs, engines, pool, analyses, store, clock, entropy };
        Self { shared: Arc::new(shared) }
    }

    /// Stores the built-in bots as users.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn register_built_in(&self) -> Result<(), StoreError> {
        for bot in registry::built_in_users() {
            self.shared.store.add_user_if_absent(&bot).await?;
        }
        Ok(())
    }

    /// Starts a check of the UCI engines of the settings. The check runs in the background and logs
    /// its result.
    pub fn check_engines(&self) {
        let engine_configs = self.shared.engine_configs.clone();
        quadrex_runtime::spawn(async move {
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

    /// Returns the number of waiting searches of each urgency, with the name of the urgency.
    #[must_use]
    pub fn waiting_searches(&self) -> Vec<(&'static str, usize)> {
        self.shared.pool.waiting()
    }

    /// Returns the bots that a host can choose from.
    #[must_use]
    pub fn list(&self) -> BotList {
        registry::list(&self.shared.engine_configs)
    }

    /// Returns the bot that a host has chosen for a table of this variant.
    ///
    /// # Errors
    /// Returns [`BotError`] if there is no such bot, or if the store fails.
    pub async fn find(&self, choice: &BotChoice, variant: Variant) -> Result<UserView, BotError> {
        let bot = registry::find(&self.shared.engine_configs, choice, variant)?;
        // The built-in bots were stored at the start of the server.
        if let Some(BotView::Engine { .. }) = bot.bot {
            self.shared
                .store
                .add_user_if_absent(&registry::user(bot.clone(), self.shared.clock.now()))
                .await?;
        }
        Ok(bot)
    }
}

impl Bots {
    /// Analyses the position of a game for a user. The search waits while bots at tables need the
    /// threads. Dropping the future cancels the search.
    ///
    /// # Errors
    /// Returns [`AnalysisError`] if no analysis can be made.
    pub async fn analyse(
        &self,
        game: &Game,
        effort: Effort,
        by: UserId,
    ) -> Result<Arc<Analysis>, AnalysisError> {
        self.shared.analyses.of(&self.shared.pool, game, effort, by).await
    }
}

impl Bots {
    /// Returns the engine's best line for a game's position, for the review of a past match. If
    /// `only` is given, the line begins with this move. Returns `None` if the engine panicked,
    /// which is logged. All other searches come first. Dropping the future cancels the search.
    pub(crate) async fn review_line(
        &self,
        game: &Game,
        only: Option<Move>,
        nodes: u32,
    ) -> Option<AnalysisLine> {
        let searching = self.shared.pool.search(Search {
            position: game.position().clone(),
            earlier: game.earlier_keys().to_vec(),
            root_moves: only.into_iter().collect(),
            level: Level::FULL,
            seed: 0,
            limits: Limits { nodes: Some(nodes.into()), ..Limits::default() },
            lines: 1,
            urgency: Urgency::Review,
            requester: REVIEWER,
        });
        let report = searching.result().await?.report;
        report.lines.first().map(|line| analyses::view_of(line, game.position()))
    }
}

/// The requester of all reviews. One requester is enough, because reviews are made one after
/// another.
const REVIEWER: UserId = UserId(uuid::Uuid::nil());

impl BotRunner for Bots {
    fn run_bots(&self, table: TableHandle, tasks: watch::Receiver<Option<Arc<BotTask>>>) {
        let span = tracing::info_span!("bots", table.id = %table.table());
        quadrex_runtime::spawn(bot_driver::run_bots(self.clone(), table, tasks).instrument(span));
    }
}

/// Returns the default settings.
#[cfg(test)]
fn default_config() -> BotsConfig {
    crate::config::Config::load(None, [], &crate::config::Flags::default())
        .expect("the defaults are good")
        .bots
}
