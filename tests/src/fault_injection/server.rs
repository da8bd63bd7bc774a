//! The server dies, or stands still.

use std::time::Duration;

use anyhow::{Context, Result};

use super::scenario::Scenario;
use super::{FaultPlan, FaultReport};
use crate::server::Launch;
use crate::{Database, swarm};

/// The server is killed, again and again, and started on the same data at the same address.
///
/// # Errors
/// If something acknowledged is lost, doubled or reordered, or anything else is not as it must be.
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

/// The server's process stands still for so long, again and again.
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
