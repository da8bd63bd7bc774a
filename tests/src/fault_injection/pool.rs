//! Fault: all connections to Postgres wait for a lock.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::http::TableList;

use super::scenario::Scenario;
use super::{FaultPlan, FaultReport};
use crate::server::Launch;
use crate::{Database, PATIENCE, Postgres, swarm};

/// A query that counts the server's connections that wait for a lock.
const WAITING: &str = "select count(*) from pg_stat_activity
                       where application_name = 'quadrex' and wait_event_type = 'Lock'";

/// The interval between two queries.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Locks the table of events repeatedly. The server has one connection for appends and one for
/// everything else, and both must wait for the lock.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn exhausted_pool(plan: &FaultPlan, for_time: Duration) -> Result<FaultReport> {
    let database = Database::postgres().await?;
    let Database::Postgres(postgres) = &database else { bail!("it is a Postgres server") };
    let launch = Launch::new(&database)?
        .with_env("QUADREX_DATABASE__MAX_CONNECTIONS", 1)
        .with_env("QUADREX_DATABASE__APPEND_CONNECTIONS", 1);
    let mut scenario = Scenario::start(launch, plan).await?;
    let tables: TableList = scenario.server.http().get("/api/tables").await?.json(200)?;
    let table = tables.tables.first().context("tables are listed")?.table;
    let mut visitor = scenario.server.connect_as_nobody().await?;
    visitor.watch(table).await?;
    let match_id = visitor.table(table)?.match_id();
    drop(visitor);
    let lock = format!(
        "lock table match_event in access exclusive mode; select pg_sleep({})",
        for_time.as_secs_f64()
    );
    for injection in 1..=plan.injections {
        scenario.wait_for_injection(injection).await?;
        let since = swarm::now();
        let (holder, sql) = (postgres.clone(), lock.clone());
        let holding = tokio::task::spawn_blocking(move || holder.sql("postgres", &sql));
        until_waiting(postgres, 1).await?;
        // The archive waits for the lock too.
        let (http, url) = (scenario.server.http(), format!("/api/matches/{match_id}/record"));
        let reading = tokio::spawn(async move { http.get(&url).await });
        until_waiting(postgres, 2).await?;
        ensure!(!holding.is_finished(), "the lock was released before both connections waited");
        holding.await??;
        reading.await??.json::<serde_json::Value>(200)?;
        scenario.until_served().await;
        scenario.took += since.elapsed();
    }
    scenario.finish().await
}

/// Waits until at least this number of the server's connections wait for a lock. The archive may
/// already wait beside the moves.
async fn until_waiting(postgres: &Arc<Postgres>, count: u32) -> Result<()> {
    let counted = async {
        loop {
            let asked = Arc::clone(postgres);
            let waiting = tokio::task::spawn_blocking(move || asked.sql("postgres", WAITING)).await??;
            if waiting.trim().parse::<u32>()? >= count {
                return anyhow::Ok(());
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    };
    let counted = tokio::time::timeout(PATIENCE, counted).await;
    counted.with_context(|| format!("waiting for {count} connections to wait for a lock"))?
}
