//! The arguments of all commands that need a server's settings.

use std::path::PathBuf;

use clap::Args;
use quadrex_server::config::{Config, ConfigError, EffectiveSetting, Flags};

/// The sources of a server's settings. Flags have priority over the environment, the environment
/// over the file, and the file over the defaults.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// Folder of the embedded database [default: data].
    #[arg(long, value_name = "DIR")]
    data: Option<String>,
    /// Settings file (TOML); config/default.toml in the source lists every setting.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Settings {
    /// Returns all settings, with the address of the command line if there is one.
    ///
    /// # Errors
    /// Returns the same errors as [`Config::load`].
    pub(crate) fn load(&self, bind: Option<&str>) -> Result<Config, ConfigError> {
        Config::load(self.config.as_deref(), environment(), &self.flags(bind))
    }

    /// Returns all settings with their origins, and with secrets hidden.
    ///
    /// # Errors
    /// Returns the same errors as [`Config::load`].
    pub(crate) fn effective(&self, bind: Option<&str>) -> Result<Vec<EffectiveSetting>, ConfigError> {
        Config::effective(self.config.as_deref(), environment(), &self.flags(bind))
    }

    fn flags(&self, bind: Option<&str>) -> Flags {
        Flags { bind: bind.map(str::to_owned), data: self.data.clone() }
    }
}

/// Returns the process's environment. Variables that are not Unicode are converted, because they
/// must not end the program. After the conversion they are no settings, or are refused as invalid
/// values.
fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
}
