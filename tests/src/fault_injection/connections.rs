//! Faults: connections of players and watchers break.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::view::Presence;
use tokio::time::{sleep, timeout};

use super::scenario::Scenario;
use super::{FaultPlan, FaultReport};
use crate::server::Launch;
use crate::{Database, PATIENCE, swarm};

/// The interval between two checks of a condition that no event announces.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Resets the connections of players and watchers repeatedly, each after a random number of bytes.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn reset_connections(database: &Database, plan: &FaultPlan) -> Result<FaultReport> {
    /// The range begins within the first snapshot and ends some dozens of events later.
    const LASTS: Range<usize> = 100..60_000;
    let mut scenario = Scenario::behind_proxy(Launch::new(database)?, Some(LASTS), plan).await?;
    let mut resets = 0;
    while resets < plan.injections {
        scenario.until_served().await;
        resets = scenario.proxy()?.resets();
    }
    scenario.injections = resets;
    scenario.finish().await
}

/// Stalls all connections repeatedly, without closing them.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn stalled_connections(
    database: &Database,
    plan: &FaultPlan,
    for_time: Duration,
) -> Result<FaultReport> {
    let mut scenario = Scenario::behind_proxy(Launch::new(database)?, None, plan).await?;
    for injection in 1..=plan.injections {
        scenario.wait_for_injection(injection).await?;
        let since = swarm::now();
        scenario.proxy()?.stall(for_time).await;
        scenario.took += since.elapsed();
    }
    scenario.finish().await
}

/// Leaves all connections half open repeatedly. The clients reconnect. The server receives nothing
/// more on the old connections, must close them by itself, and must then report the correct
/// presence.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn half_open_connections(database: &Database, plan: &FaultPlan) -> Result<FaultReport> {
    let launch = Launch::new(database)?
        .with_env("QUADREX_LIMITS__PING_SECONDS", 1)
        .with_env("QUADREX_LIMITS__DEAD_SECONDS", 3);
    let mut scenario = Scenario::behind_proxy(launch, None, plan).await?;
    let lines = (plan.tables * (plan.variant.colors().len() + plan.watchers)) as u64;
    for injection in 1..=plan.injections {
        scenario.wait_for_injection(injection).await?;
        scenario.swarm.tally().until_up(lines).await;
        let since = swarm::now();
        let proxy = scenario.proxy()?;
        proxy.abandon_all();
        let gave_up = async {
            while proxy.closed_by_server() < lines * injection {
                sleep(POLL_INTERVAL).await;
            }
        };
        timeout(PATIENCE, gave_up)
            .await
            .with_context(|| format!("{} lines given up", proxy.closed_by_server()))?;
        ensure!(proxy.half_open() == lines * injection, "{} lines were lost", proxy.half_open());
        scenario.swarm.tally().until_up(lines).await;
        timeout(PATIENCE, scenario.all_are_there(plan)).await.context("waiting for the right presence")??;
        scenario.took += since.elapsed();
    }
    scenario.finish().await
}

impl Scenario {
    /// Waits until each table reports all its players as connected and exactly this number of
    /// spectators.
    async fn all_are_there(&self, plan: &FaultPlan) -> Result<()> {
        let tables = self.server.http().public_tables().await?;
        ensure!(!tables.is_empty(), "no table is listed");
        for table in tables.into_iter().map(|listed| listed.table) {
            loop {
                let mut visitor = self.server.connect_as_nobody().await?;
                visitor.watch(table).await?;
                let view = visitor.table(table)?.view();
                let others = view.spectators as usize - 1;
                let are_here = view.players.iter().all(|player| player.presence == Presence::Connected);
                if are_here && others == plan.watchers {
                    break;
                }
                drop(visitor);
                sleep(POLL_INTERVAL).await;
            }
        }
        Ok(())
    }
}
