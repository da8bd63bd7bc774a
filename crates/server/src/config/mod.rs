//! The settings: one struct per concern, read and validated once at the start.
//!
//! Four layers, each over the one before: the defaults built in from `config/default.toml`, a file,
//! the environment (`QUADREX_<SECTION>__<KEY>`, and `DATABASE_URL`), the flags.
//! `config/default.toml` has every key: any other key is unknown, whatever its source.

mod effective;
mod layers;
mod ranges;
mod sections;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

pub use effective::EffectiveSetting;
pub use layers::{ConfigError, Origin, TOKEN_VARIABLE};
pub use sections::{
    AnalysisConfig, BotsConfig, ClocksConfig, DatabaseConfig, EngineConfig, LimitsConfig, LinksConfig,
    LogConfig, LogFormat, PublicUrl, ServerConfig, SessionsConfig, TablesConfig,
};

/// The longest name of an engine, in characters: with its strength appended, it is a user's name.
const MAX_ENGINE_NAME: usize = 18;

/// All settings of a server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Its address, and its data.
    pub server: ServerConfig,
    /// The database.
    pub database: DatabaseConfig,
    /// Tokens.
    pub sessions: SessionsConfig,
    /// Invites and watch links.
    pub links: LinksConfig,
    /// Tables.
    pub tables: TablesConfig,
    /// The server's own bots.
    pub bots: BotsConfig,
    /// Analyses, made by the bots' threads.
    pub analysis: AnalysisConfig,
    /// Other engines on this machine, by their names.
    pub engines: BTreeMap<String, EngineConfig>,
    /// Limits on what clients may do.
    pub limits: LimitsConfig,
    /// The players' clocks.
    pub clocks: ClocksConfig,
    /// The log.
    pub log: LogConfig,
}

/// The settings from the command line, over all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--bind`.
    pub bind: Option<String>,
    /// `--data`.
    pub data: Option<String>,
}

impl Config {
    /// Reads and validates the settings. `environment` is the process's, or a test's.
    ///
    /// # Errors
    /// [`ConfigError`], one line that names the key and its source.
    pub fn load(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: &Flags,
    ) -> Result<Self, ConfigError> {
        let (config, _) = layers::read(file, environment, flags)?;
        config.validate()?;
        Ok(config)
    }

    /// Reads and validates the settings like [`load`](Self::load), and returns each of them with
    /// its origin.
    ///
    /// # Errors
    /// Those of [`load`](Self::load).
    pub fn effective(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: &Flags,
    ) -> Result<Vec<EffectiveSetting>, ConfigError> {
        let (config, settings) = layers::read(file, environment, flags)?;
        config.validate()?;
        Ok(settings)
    }

    /// Validates what the types do not.
    fn validate(&self) -> Result<(), ConfigError> {
        let refuse = |key, reason: String| Err(ConfigError::Value { key, reason });
        let limits = &self.limits;
        if let Some((key, _, range)) =
            self.numbers().into_iter().find(|(_, number, range)| !range.contains(number))
        {
            return refuse(key, format!("it must be {} to {}", range.start(), range.end()));
        }
        if limits.frame_close_bytes < limits.frame_bytes {
            return refuse("limits.frame_close_bytes", "it must not be below limits.frame_bytes".into());
        }
        if self.bots.pace_most < self.bots.pace_least {
            return refuse("bots.pace_most_ms", "it must not be below bots.pace_least_ms".into());
        }
        let fits = |name: &str| {
            let letter = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
            (1..=MAX_ENGINE_NAME).contains(&name.len()) && name.chars().all(letter)
        };
        if let Some(name) = self.engines.keys().find(|name| !fits(name)) {
            let most = MAX_ENGINE_NAME;
            let reason =
                format!("a name is 1 to {most} of letters, digits, '-', '_' and '.'; {name:?} is not");
            return refuse("engines", reason);
        }
        if let Some((name, _)) = self.engines.iter().find(|(_, engine)| engine.variants.is_empty()) {
            return refuse("engines", format!("{name} has no variants that it plays"));
        }
        if limits.dead <= limits.ping {
            return refuse("limits.dead_seconds", "it must be above limits.ping_seconds".into());
        }
        crate::telemetry::filter(&self.log.filter)
            .map(drop)
            .or_else(|error| refuse("log.filter", error.to_string()))
    }
}

#[cfg(test)]
mod tests;
