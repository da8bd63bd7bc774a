//! Whether a server could start, without starting one.

use std::collections::BTreeMap;
use std::fmt;

use super::StartError;
use crate::bots::try_out;
use crate::config::{Config, EngineConfig};
use crate::table::replay;
use quadrex_store::error_chain::chain;
use quadrex_store::{Location, Schema, Store};

/// What a server would find. `Display` gives it as lines for people.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Where the data is.
    pub location: Location,
    /// What is there; nothing if it is a file that is yet to be made.
    pub found: Option<Found>,
    /// The engines of the settings, all of which can play, each with what it calls itself.
    pub engines: Vec<(String, Option<String>)>,
}

/// What a database holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// How far its schema is.
    pub schema: Schema,
    /// Matches that would go on, all of which can be read; nothing if the schema must be brought up to date before.
    pub unfinished: Option<usize>,
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "database: {}", self.location)?;
        match &self.found {
            None => write!(f, ", not there yet: a start makes it")?,
            Some(Found { schema, unfinished: Some(count) }) => {
                write!(f, "\nschema: {schema}\nunfinished matches: {count}, all can be read")?;
            }
            Some(Found { schema, unfinished: None }) => {
                write!(f, "\nschema: {schema}\nunfinished matches: not looked at, the schema comes first")?;
            }
        }
        for (engine, name) in &self.engines {
            write!(f, "\nengine {engine}: {}", name.as_deref().unwrap_or("of no name"))?;
        }
        Ok(())
    }
}

/// See [`Server::check`](super::Server::check).
pub(super) async fn check(config: &Config) -> Result<Checked, StartError> {
    let location = Location::parse(&config.database.url, &config.server.data)?;
    let location = location.with_password_file(&config.database.password_file)?;
    let found = find(&location).await?;
    Ok(Checked { location, found, engines: try_all(&config.engines).await? })
}

/// Looks at the database, if there is one.
async fn find(location: &Location) -> Result<Option<Found>, StartError> {
    let Some((store, schema)) = Store::open_read_only(location).await? else {
        return Ok(None);
    };
    let unfinished = if schema.pending.is_empty() {
        let count = read_all(&store).await;
        Some(count.map_err(|reason| StartError::Recover { location: location.clone(), reason })?)
    } else {
        None
    };
    store.close().await;
    Ok(Some(Found { schema, unfinished }))
}

/// Tries out every engine of the settings.
async fn try_all(
    configs: &BTreeMap<String, EngineConfig>,
) -> Result<Vec<(String, Option<String>)>, StartError> {
    let (mut fit, mut unfit) = (Vec::new(), Vec::new());
    for (engine, config) in configs {
        match try_out(config).await {
            Ok(name) => fit.push((engine.clone(), name)),
            Err(error) => unfit.push((format!("engines.{engine} ({})", config.command.display()), error)),
        }
    }
    if unfit.is_empty() { Ok(fit) } else { Err(StartError::Engines(unfit)) }
}

/// Reads every unfinished match; gives back how many there are, or what is wrong with those that cannot be read.
async fn read_all(store: &Store) -> Result<usize, String> {
    let rows = store.unfinished().await.map_err(|error| chain(&error))?;
    let mut wrong = Vec::new();
    for row in &rows {
        if let Err(error) = replay(store, row.table, row.match_id).await {
            wrong.push(format!("{}: {}", row.match_id, chain(&error)));
        }
    }
    if wrong.is_empty() { Ok(rows.len()) } else { Err(wrong.join("; ")) }
}
