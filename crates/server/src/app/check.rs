//! The check of whether a server could start with given settings. It does not start a server and
//! changes nothing.

use std::collections::BTreeMap;
use std::fmt;

use super::StartError;
use crate::actor::replay;
use crate::bots::check_engine;
use crate::config::{Config, EngineConfig};
use crate::http::Tls;
use crate::mail::Mailer;
use quadrex_store::error_chain::chain;
use quadrex_store::{Location, Schema, Store};

/// The result of the check. `Display` writes it as lines for people.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The location of the data.
    pub location: Location,
    /// The content of the database; `None` if its file does not exist yet.
    pub found: Option<DatabaseContent>,
    /// The certificate of the server; `None` if the server has no TLS.
    pub certificate: Option<CheckedCertificate>,
    /// The engines in the settings, each with the name that the engine announces. All of them can
    /// play.
    pub engines: Vec<(String, Option<String>)>,
}

/// A certificate that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedCertificate {
    /// There is one, which can be used with its key.
    Present,
    /// There is none yet. The server requests it when it starts.
    Requested,
}

/// The content of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseContent {
    /// The state of its schema.
    pub schema: Schema,
    /// The number of matches that a starting server would resume. All of them can be read. `None`
    /// if the matches cannot be checked before the schema is migrated.
    pub unfinished: Option<usize>,
    /// The number of hibernating matches, which a starting server does not read.
    pub hibernating: u64,
}

impl fmt::Display for CheckResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "database: {}", self.location)?;
        match &self.found {
            None => write!(f, ", not there yet: a start makes it")?,
            Some(DatabaseContent { schema, unfinished: Some(count), hibernating }) => {
                write!(f, "\nschema: {schema}\nunfinished matches: {count}, all can be read")?;
                if *hibernating > 0 {
                    write!(f, "\nhibernating matches: {hibernating}, read when somebody requests them")?;
                }
            }
            Some(DatabaseContent { schema, unfinished: None, .. }) => {
                write!(f, "\nschema: {schema}\nunfinished matches: not checked, the schema comes first")?;
            }
        }
        match self.certificate {
            None => {}
            Some(CheckedCertificate::Present) => write!(f, "\ncertificate: can be used with its key")?,
            Some(CheckedCertificate::Requested) => {
                write!(f, "\ncertificate: none yet, a start requests it")?;
            }
        }
        for (engine, name) in &self.engines {
            write!(f, "\nengine {engine}: {}", name.as_deref().unwrap_or("of no name"))?;
        }
        Ok(())
    }
}

/// See [`Server::check`](super::Server::check).
pub(super) async fn check(config: &Config) -> Result<CheckResult, StartError> {
    let location = config.location()?;
    Mailer::new(&config.mail, config.server.public_url.as_ref())?;
    let found = check_database(&location).await?;
    let certificate = Tls::load(config)?.map(|tls| {
        if tls.has_certificate() { CheckedCertificate::Present } else { CheckedCertificate::Requested }
    });
    Ok(CheckResult { location, found, certificate, engines: check_engines(&config.engines).await? })
}

/// Checks the database, if there is one.
async fn check_database(location: &Location) -> Result<Option<DatabaseContent>, StartError> {
    let Some((store, schema)) = Store::open_read_only(location).await? else {
        return Ok(None);
    };
    let (unfinished, hibernating) = if schema.pending.is_empty() {
        let failed = |reason| StartError::Database { location: location.clone(), reason };
        let count = check_matches(&store).await.map_err(failed)?;
        let hibernating = store.count_hibernating().await;
        (Some(count), hibernating.map_err(|error| failed(chain(&error)))?)
    } else {
        (None, 0)
    };
    store.close().await;
    Ok(Some(DatabaseContent { schema, unfinished, hibernating }))
}

/// Checks every engine of the settings.
async fn check_engines(
    configs: &BTreeMap<String, EngineConfig>,
) -> Result<Vec<(String, Option<String>)>, StartError> {
    let (mut fit, mut unfit) = (Vec::new(), Vec::new());
    for (engine, config) in configs {
        match check_engine(config).await {
            Ok(name) => fit.push((engine.clone(), name)),
            Err(error) => unfit.push((format!("engines.{engine} ({})", config.command.display()), error)),
        }
    }
    if unfit.is_empty() { Ok(fit) } else { Err(StartError::Engines(unfit)) }
}

/// Replays every unfinished match that does not hibernate. Returns their number, or the errors of
/// the matches that cannot be replayed.
async fn check_matches(store: &Store) -> Result<usize, String> {
    let rows = store.awake().await.map_err(|error| chain(&error))?;
    let mut errors = Vec::new();
    for row in &rows {
        if let Err(error) = replay(store, row.table, row.match_id).await {
            errors.push(format!("{}: {}", row.match_id, chain(&error)));
        }
    }
    if errors.is_empty() {
        return Ok(rows.len());
    }
    Err(format!("the unfinished matches cannot be read: {}", errors.join("; ")))
}
