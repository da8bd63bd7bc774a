//! Faults: Postgres is killed, restarted or stopped while the server keeps running.

use std::time::Duration;

use anyhow::{Context, Result};

use super::scenario::Scenario;
use super::{FaultPlan, FaultReport};
use crate::server::Launch;
use crate::{Database, Postgres, swarm};

/// Kills Postgres repeatedly and starts it with the same data.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn killed_postgres(plan: &FaultPlan) -> Result<FaultReport> {
    inject(plan, |postgres| {
        postgres.sigkill()?;
        postgres.restart()
    })
    .await
}

/// Stops Postgres cleanly and starts it, repeatedly.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn restarted_postgres(plan: &FaultPlan) -> Result<FaultReport> {
    inject(plan, Postgres::restart).await
}

/// Stops all processes of Postgres with SIGSTOP for this time, repeatedly.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn stalled_postgres(plan: &FaultPlan, for_time: Duration) -> Result<FaultReport> {
    inject(plan, move |postgres| postgres.freeze(for_time)).await
}

/// Repeats an injection. Each waits until players were served again after the previous one.
async fn inject<F>(plan: &FaultPlan, fault: F) -> Result<FaultReport>
where
    F: Fn(&mut Postgres) -> Result<()> + Copy + Send + 'static,
{
    let mut postgres = Postgres::start()?;
    let mut scenario = Scenario::start(Launch::new(&Database::At(postgres.url()))?, plan).await?;
    for injection in 1..=plan.injections {
        scenario.wait_for_injection(injection).await?;
        let since = swarm::now();
        let inject = tokio::task::spawn_blocking(move || {
            fault(&mut postgres)?;
            anyhow::Ok(postgres)
        });
        postgres = inject.await?.with_context(|| format!("injection {injection} to Postgres"))?;
        scenario.until_served().await;
        scenario.took += since.elapsed();
    }
    scenario.finish().await
}
