//! The settings of the server, with a struct for each section. They are read and validated once,
//! when the program starts.
//!
//! A setting can come from four layers: the built-in defaults from `config/default.toml`, a file,
//! the environment (`QUADREX_<SECTION>__<KEY>`, and `DATABASE_URL`), and the flags. A later layer
//! overrides an earlier layer. `config/default.toml` contains every key. All other keys are refused
//! as unknown.

mod effective;
mod layers;
mod public_url;
mod ranges;
mod sections;
mod values;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;

use quadrex_store::{ConnectError, Location};
use serde::Deserialize;

pub use effective::EffectiveSetting;
pub use layers::{ADMIN_TOKEN_VARIABLE, ConfigError, Origin, TOKEN_VARIABLE};
pub use public_url::PublicUrl;
pub use sections::{
    AccountsConfig, AcmeConfig, AnalysisConfig, BotsConfig, ClocksConfig, ClusterConfig,
    CorrespondenceConfig, DatabaseConfig, EngineConfig, FairPlayConfig, LimitsConfig, LinksConfig, LogConfig,
    LogFormat, MailConfig, MetricsConfig, NotificationsConfig, OperatorsConfig, OutgoingConfig,
    ProviderConfig, ProviderKind, RetentionConfig, ReviewsConfig, ServerConfig, SessionsConfig, TablesConfig,
    TlsConfig,
};

/// The longest name of an engine, in characters. A bot's name is the engine's name followed by its
/// strength, and must not be longer than a user's name may be.
const MAX_ENGINE_NAME: usize = 18;

/// The longest name of a provider in the settings, in characters.
const MAX_PROVIDER_ID: usize = 20;

/// The longest title of a provider, in characters.
const MAX_PROVIDER_TITLE: usize = 30;

/// All settings of a server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The settings of the server's addresses and its data folder.
    pub server: ServerConfig,
    /// The settings of TLS.
    pub tls: TlsConfig,
    /// The settings of a certificate that the server requests itself.
    pub acme: AcmeConfig,
    /// The settings of the metrics for Prometheus.
    pub metrics: MetricsConfig,
    /// The settings of the database.
    pub database: DatabaseConfig,
    /// The settings of the cluster to which the server belongs.
    pub cluster: ClusterConfig,
    /// The settings of sessions and their tokens.
    pub sessions: SessionsConfig,
    /// The settings of accounts.
    pub accounts: AccountsConfig,
    /// The settings of the providers with whose accounts users sign in, by the providers' ids.
    pub providers: BTreeMap<String, ProviderConfig>,
    /// The settings of operators.
    pub operators: OperatorsConfig,
    /// The settings of invites and watch links.
    pub links: LinksConfig,
    /// The settings of tables.
    pub tables: TablesConfig,
    /// The settings of correspondence matches.
    pub correspondence: CorrespondenceConfig,
    /// The settings of fair play in rated matches.
    pub fair_play: FairPlayConfig,
    /// The settings of the removal of old data.
    pub retention: RetentionConfig,
    /// The settings of notifications.
    pub notifications: NotificationsConfig,
    /// The settings of mail.
    pub mail: MailConfig,
    /// The settings of requests to other servers.
    pub outgoing: OutgoingConfig,
    /// The settings of the bots that the server runs.
    pub bots: BotsConfig,
    /// The settings of analyses, which the bots' threads make.
    pub analysis: AnalysisConfig,
    /// The settings of reviews of past matches.
    pub reviews: ReviewsConfig,
    /// The settings of UCI engines on this machine, by the engines' names.
    pub engines: BTreeMap<String, EngineConfig>,
    /// The limits on what clients may do.
    pub limits: LimitsConfig,
    /// The settings of the players' clocks.
    pub clocks: ClocksConfig,
    /// The settings of the log.
    pub log: LogConfig,
}

/// The settings from the command line. They override all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The value of `--bind`.
    pub bind: Option<String>,
    /// The value of `--data`.
    pub data: Option<String>,
}

impl Config {
    /// Reads and validates the settings. `environment` has the environment variables.
    ///
    /// # Errors
    /// Returns [`ConfigError`] if the settings cannot be used. Its text is one line that names the
    /// key and its source.
    pub fn load(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: &Flags,
    ) -> Result<Self, ConfigError> {
        let (config, _) = layers::read(file, environment, flags)?;
        config.validate()?;
        Ok(config)
    }

    /// Returns whether the server itself has TLS.
    #[must_use]
    pub fn has_tls(&self) -> bool {
        self.tls.has_file() || self.acme.enabled
    }

    /// Returns the location of the database. Reads the file with its password, if there is one.
    ///
    /// # Errors
    /// Returns [`ConnectError`] if the URL is invalid, or the file has no password.
    pub fn location(&self) -> Result<Location, ConnectError> {
        Location::parse(&self.database.url, &self.server.data)?
            .with_password_file(&self.database.password_file)
    }

    /// Reads and validates the settings like [`load`](Self::load). Returns each setting with its
    /// origin.
    ///
    /// # Errors
    /// Returns the errors of [`load`](Self::load).
    pub fn effective(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: &Flags,
    ) -> Result<Vec<EffectiveSetting>, ConfigError> {
        let (config, settings) = layers::read(file, environment, flags)?;
        config.validate()?;
        Ok(settings)
    }

    /// Validates the conditions that the types of the settings do not guarantee.
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
        if self.metrics.address.is_some_and(|address| overlap(address, self.server.bind)) {
            return refuse("metrics.address", "it must not be the address and port of server.bind".into());
        }
        self.validate_tls()?;
        self.validate_mail()?;
        let contact = &self.notifications.contact;
        if !contact.is_empty() && !contact.starts_with("mailto:") && !contact.starts_with("https://") {
            return refuse("notifications.contact", "it must begin with mailto: or https://".into());
        }
        if self.bots.max_delay < self.bots.min_delay {
            return refuse("bots.max_delay_ms", "it must not be below bots.min_delay_ms".into());
        }
        if self.cluster.key_file.as_os_str().is_empty()
            != self.cluster.certificate_file.as_os_str().is_empty()
        {
            return refuse(
                "cluster.key_file",
                "it belongs to cluster.certificate_file: set both or none".into(),
            );
        }
        if !self.cluster.user.is_empty() && self.cluster.password_file.as_os_str().is_empty() {
            return refuse("cluster.password_file", "it is missing, but cluster.user is set".into());
        }
        self.validate_providers()?;
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

impl Config {
    fn validate_providers(&self) -> Result<(), ConfigError> {
        let refuse = |reason: String| Err(ConfigError::Value { key: "providers", reason });
        for (id, provider) in &self.providers {
            let letter =
                |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
            if !(1..=MAX_PROVIDER_ID).contains(&id.len()) || !id.chars().all(letter) {
                let most = MAX_PROVIDER_ID;
                return refuse(format!("a name is 1 to {most} of a-z, 0-9 and '-'; {id:?} is not"));
            }
            if !(1..=MAX_PROVIDER_TITLE).contains(&provider.title.trim().chars().count()) {
                return refuse(format!("{id}.title: it has 1 to {MAX_PROVIDER_TITLE} characters"));
            }
            if !provider.url.starts_with("https://") && !provider.url.starts_with("http://") {
                return refuse(format!("{id}.url: it must begin with https://"));
            }
            if provider.client_id.is_empty() {
                return refuse(format!("{id}.client_id: it must not be empty"));
            }
        }
        Ok(())
    }

    fn validate_mail(&self) -> Result<(), ConfigError> {
        let refuse = |key, reason: &str| Err(ConfigError::Value { key, reason: reason.to_owned() });
        if !self.mail.is_enabled() {
            return Ok(());
        }
        if !["smtp://", "smtps://"].iter().any(|scheme| self.mail.url.starts_with(scheme)) {
            return refuse("mail.url", "it must begin with smtp:// or smtps://");
        }
        if self.mail.from.is_empty() {
            return refuse("mail.from", "with mail.url, it must be the address of the sender");
        }
        if self.server.public_url.is_none() {
            return refuse(
                "server.public_url",
                "with mail.url, it must be the URL of the server, for links in mails",
            );
        }
        Ok(())
    }

    fn validate_tls(&self) -> Result<(), ConfigError> {
        let refuse = |key, reason: &str| Err(ConfigError::Value { key, reason: reason.to_owned() });
        if self.tls.has_file() == self.tls.key.as_os_str().is_empty() {
            return refuse("tls.key", "it belongs to tls.certificate: set both or none");
        }
        let https = self.server.public_url.as_ref().filter(|url| url.is_https());
        if self.tls.has_file() && https.is_none() {
            return refuse(
                "server.public_url",
                "with tls.certificate, it must be the https URL of the server",
            );
        }
        if self.acme.enabled {
            if https.and_then(PublicUrl::domain).is_none() {
                return refuse(
                    "server.public_url",
                    "with acme.enabled, it must be the https URL of the server, with the name of a domain",
                );
            }
            if self.tls.has_file() {
                return refuse("acme.enabled", "it replaces tls.certificate: set only one of them");
            }
            if self.cluster.is_enabled() {
                return refuse("acme.enabled", "a server of a cluster needs tls.certificate or a proxy");
            }
            if !self.acme.directory.starts_with("https://") {
                return refuse("acme.directory", "it must be an https URL");
            }
        }
        if let Some(redirect) = self.tls.redirect {
            if !self.has_tls() {
                return refuse("tls.redirect", "it needs tls.certificate or acme.enabled");
            }
            let others = [Some(self.server.bind), self.metrics.address];
            if others.into_iter().flatten().any(|other| overlap(redirect, other)) {
                return refuse("tls.redirect", "it must differ from server.bind and metrics.address");
            }
        }
        Ok(())
    }
}

/// Returns whether a process cannot listen on both addresses. Port 0 is a free port.
fn overlap(one: SocketAddr, other: SocketAddr) -> bool {
    let is_any = one.ip().is_unspecified() || other.ip().is_unspecified();
    one.port() == other.port() && one.port() != 0 && (is_any || one.ip() == other.ip())
}

#[cfg(test)]
mod tests;
