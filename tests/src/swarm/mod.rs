//! A swarm: many tables that are played and watched from one process over real sockets. It creates
//! load and records what the server sends.

mod connection;
mod frames;
mod idle;
mod received;
mod spectators;
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
pub use spectators::Spectators;
pub use tally::{LatencySummary, Tally};

use crate::ledger::Ledger;
use table::Table;

/// The number of tables that are set up at the same time.
const SETTING_UP: usize = 16;

/// The configuration of a swarm.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The address of the server, which does not change at a restart. Tables are created there.
    pub address: SocketAddr,
    /// The address for connections: the server itself, or a proxy that breaks connections.
    pub connections: SocketAddr,
    /// The number of tables.
    pub tables: usize,
    /// The variant of the matches.
    pub variant: Variant,
    /// The initial time of the players' clocks; `None` for matches without clocks.
    pub time: Option<TimeSetting>,
    /// The number of watchers without a user at each table.
    pub watchers: usize,
    /// The pace of each table.
    pub pace: Pace,
    /// The ledger in which each answer is recorded before the swarm acts on it.
    pub ledger: Option<Ledger>,
    /// The number of commands of which one is to resign, so that matches end and rematches follow.
    pub resigns: Option<usize>,
    /// The seed of all random choices.
    pub seed: u64,
}

/// The time at which a table makes its next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As soon as the previous move was acknowledged and received by all connections.
    ClosedLoop,
    /// This time after the previous move was due.
    Every(Duration),
}

/// A running swarm.
pub struct Swarm {
    tally: Arc<Tally>,
    stop: watch::Sender<bool>,
    ids: Vec<TableId>,
    tables: JoinSet<Result<Played>>,
}

/// Returns the current time. A swarm measures real time.
#[expect(clippy::disallowed_methods, reason = "the one place where a swarm reads a clock")]
pub fn now() -> Instant {
    Instant::now()
}

/// The result of a table.
#[derive(Debug)]
pub struct Played {
    /// The table's matches in order, as its connections received them.
    pub matches: Vec<ReceivedLog>,
    /// Violations of the protocol by the server.
    pub wrong: Vec<String>,
}

impl Swarm {
    /// Sets up all tables. Each table starts to play as soon as it is set up.
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

    /// Returns the tables, in no particular order.
    pub fn tables(&self) -> &[TableId] {
        &self.ids
    }

    /// Returns the counters.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Stops all tables after their last command was answered and all connections have received the
    /// same events.
    ///
    /// # Errors
    /// If an answer or an event does not arrive.
    pub async fn finish(mut self) -> Result<Vec<Played>> {
        self.stop.send_replace(true);
        let mut played = Vec::new();
        while let Some(table) = self.tables.join_next().await {
            played.push(table.context("a table's task")??);
        }
        Ok(played)
    }
}
