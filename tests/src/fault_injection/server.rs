//! Faults: the server is killed or stalls.

use std::time::Duration;

use anyhow::{Context, Result};

use super::scenario::Scenario;
use super::{FaultPlan, FaultReport};
use crate::server::Launch;
use crate::{Database, swarm};

/// Kills the server repeatedly and starts it with the same data at the same address.
///
/// # Errors
/// If an acknowledged command is lost, duplicated or reordered, or if another check fails.
pub async fn killed_server(database: &Database, plan: &FaultPlan) -> Result<FaultReport> {
    let mut scenario = Scenario::start(Launch::new(database)?, plan).await?;
    for injection in 1..=plan.injections {
        scenario.wait_for_injection(injection).await?;
        let since = swarm::now();
        scenario.restart().await.with_context(|| format!("starting after kill {injection}"))?;
        scenario.took += since.elapsed();
    }
    scenario.finish().await
}

/// Stops the server's process with SIGSTOP for this time, repeatedly.
///
/// # Errors
/// As [`killed_server`].
pub async fn stalled_server(
    database: &Database,
    plan: &FaultPlan,
    for_time: Duration,
) -> Result<FaultReport> {
    let mut scenario = Scenario::start(Launch::new(database)?, plan).await?;
    for injection in 1..=plan.injections {
        scenario.wait_for_injection(injection).await?;
        let since = swarm::now();
        scenario.server.freeze(for_time).await?;
        scenario.until_served().await;
        scenario.took += since.elapsed();
    }
    scenario.finish().await
}
