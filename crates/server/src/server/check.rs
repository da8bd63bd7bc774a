//! Whether a server could start, without starting one.

use std::fmt;

use super::StartError;
use crate::config::Config;
use crate::fault::chain;
use crate::store::{Location, Schema, Store};
use crate::table::replay;

/// What a server would find. `Display` gives it as lines for people.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Where the data is.
    pub location: Location,
    /// What is there; nothing if it is a file that is yet to be made.
    pub found: Option<Found>,
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
        let Some(Found { schema, unfinished }) = &self.found else {
            return write!(f, "database: {}, not there yet: a start makes it", self.location);
        };
        writeln!(f, "database: {}", self.location)?;
        writeln!(f, "schema: {schema}")?;
        match unfinished {
            Some(count) => write!(f, "unfinished matches: {count}, all can be read"),
            None => write!(f, "unfinished matches: not looked at, the schema comes first"),
        }
    }
}

/// See [`Server::check`](super::Server::check).
pub(super) async fn check(config: &Config) -> Result<Checked, StartError> {
    let location = Location::parse(&config.database.url, &config.server.data)?;
    let Some((store, schema)) = Store::look(&location).await? else {
        return Ok(Checked { location, found: None });
    };
    let unfinished = if schema.pending.is_empty() {
        let count = read_all(&store).await;
        Some(count.map_err(|reason| StartError::Recover { location: location.clone(), reason })?)
    } else {
        None
    };
    store.close().await;
    Ok(Checked { location, found: Some(Found { schema, unfinished }) })
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
