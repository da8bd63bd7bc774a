//! Many tables at once, played and watched over real sockets from one process: load, and witness of what the server
//! received everybody.

mod connection;
mod frames;
mod idle;
mod received;
mod table;
mod tally;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::{StreamExt, TryStreamExt};
use quadrex_protocol::TableId;
use quadrex_protocol::settings::TimeSetting;
use quadrex_rules::Variant;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

pub use connection::open;
pub use frames::{ReceivedEvent, digest_of};
pub use idle::Idle;
pub use received::ReceivedLog;
pub use tally::{LatencySummary, Tally};

use crate::ledger::Ledger;
use table::Table;

/// Tables that are being set up at the same time.
const SETTING_UP: usize = 16;

/// Configuration of a swarm.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Address of the server, also after a restart: tables are set up there.
    pub address: SocketAddr,
    /// Address that connections use: the server itself, or a proxy that breaks them.
    pub connections: SocketAddr,
    /// Number of tables.
    pub tables: usize,
    /// The variant played.
    pub variant: Variant,
    /// The players' clocks, if they have any.
    pub time: Option<TimeSetting>,
    /// Watchers without identity at each table.
    pub watchers: usize,
    /// Speed of each table.
    pub pace: Pace,
    /// Ledger in which answers are recorded before anything else is done.
    pub ledger: Option<Ledger>,
    /// That one command in so many is to resign, so that matches end and others follow them.
    pub resigns: Option<usize>,
    /// Seed of all random choices.
    pub seed: u64,
}

/// Time of a table's next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As soon as the one before is acknowledged and received.
    ClosedLoop,
    /// So long after the one before was due.
    Every(Duration),
}

/// A swarm at work.
pub struct Swarm {
    tally: Arc<Tally>,
    stop: watch::Sender<bool>,
    ids: Vec<TableId>,
    tables: JoinSet<Result<Played>>,
}

/// The moment it is: what a swarm measures is real time.
#[expect(clippy::disallowed_methods, reason = "the one place where a swarm reads a clock")]
pub fn now() -> Instant {
    Instant::now()
}

/// Result of a table.
#[derive(Debug)]
pub struct Played {
    /// Its matches, one after the other, as its connections received them.
    pub matches: Vec<ReceivedLog>,
    /// Violations of the protocol by the server.
    pub wrong: Vec<String>,
}

impl Swarm {
    /// Sets up all tables; each plays as soon as it stands.
    ///
    /// # Errors
    /// If a table cannot be set up.
    pub async fn start(plan: &Plan) -> Result<Self> {
        let (tally, stop) = (Arc::new(Tally::default()), watch::Sender::new(false));
        let starting = (0..plan.tables).map(|number| Table::start(plan, Arc::clone(&tally), number));
        let started = futures_util::stream::iter(starting).buffer_unordered(SETTING_UP);
        let add = |(mut ids, mut tables): (Vec<_>, JoinSet<_>), table: Table| {
            ids.push(table.id());
            tables.spawn(table.play(stop.subscribe()));
            std::future::ready(Ok((ids, tables)))
        };
        let none = (Vec::new(), JoinSet::new());
        let (ids, tables) = started.try_fold(none, add).await.context("setting up a table")?;
        Ok(Self { tally, stop, ids, tables })
    }

    /// Its tables, in no order.
    pub fn tables(&self) -> &[TableId] {
        &self.ids
    }

    /// Returns its counters.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Stops all tables once their last command is answered and every connection has received the same.
    ///
    /// # Errors
    /// If an answer or an event does not come.
    pub async fn finish(mut self) -> Result<Vec<Played>> {
        self.stop.send_replace(true);
        let mut played = Vec::new();
        while let Some(table) = self.tables.join_next().await {
            played.push(table.context("a table's task")??);
        }
        Ok(played)
    }
}
