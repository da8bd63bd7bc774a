//! Fault: commits whose outcome the server cannot know.

use anyhow::{Result, bail};

use super::scenario::Scenario;
use super::{FaultPlan, FaultReport};
use crate::Database;
use crate::commit_proxy::{CommitProxy, Cuts};
use crate::server::Launch;

/// Breaks connections to Postgres at commits repeatedly, either before Postgres receives the commit
/// or after it has committed.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn cut_commits(plan: &FaultPlan) -> Result<(FaultReport, Cuts)> {
    /// The number of commits of which one breaks, in phases with many and with few broken commits.
    const ONE_IN: usize = 6;
    let Database::Postgres(postgres) = Database::postgres().await? else { bail!("it is a Postgres server") };
    let line = CommitProxy::to(postgres.port(), plan.seed).await?;
    let launch = Launch::new(&Database::At(line.url(&postgres.url())?))?;
    let mut scenario = Scenario::start(launch, plan).await?;
    line.cut_one_in(ONE_IN);
    let mut cuts = line.cuts();
    while cuts.all() < plan.injections || scenario.swarm.tally().done() < plan.commands {
        scenario.until_served().await;
        cuts = line.cuts();
    }
    line.stop_cutting();
    scenario.injections = line.cuts().all();
    Ok((scenario.finish().await?, line.cuts()))
}
