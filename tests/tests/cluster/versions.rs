//! Nodes of two versions side by side, while matches are played.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::later_schema;
use quadrex_tests::rolling::{Balancer, Plan, Play, stop};
use quadrex_tests::{Launch, Nodes, RawSql};

/// The variable with which a node sends the messages of a later version (`quadrex-cluster`,
/// `later_version`).
const LATER_MESSAGES: &str = "QUADREX_LATER_MESSAGES";

const PLAN: Plan = Plan { matches: 4, pause: Duration::from_millis(200) };

fn quick(launch: Launch) -> Launch {
    without_rate_limits(launch)
        .with_env("QUADREX_SERVER__LEAVE_SECONDS", 1)
        .with_env("QUADREX_CLUSTER__MOVE_SECONDS", 1)
}

/// All nodes are replaced by nodes of a later version, one after the other, and then by nodes of the
/// first version again. The later version has applied an additive migration, and its messages have
/// fields and kinds that the first version does not know. No move is refused or lost.
#[tokio::test]
async fn nodes_are_upgraded_and_downgraded_while_matches_are_played() -> Result<()> {
    let mut nodes = Nodes::start_with(3, quick).await?;
    let balancer = Balancer::start(&nodes.addresses()).await?;
    let play = Play::start(balancer.address(), PLAN).await?;
    let raw = RawSql::of(nodes.launch(0)?)?;
    for addition in later_schema::additions(&nodes.database) {
        raw.run(&addition).await.with_context(|| addition)?;
    }
    for version in ["1", "0"] {
        for index in 0..3 {
            stop(&mut nodes, index).await?;
            nodes.change(index, |launch| launch.with_env(LATER_MESSAGES, version))?;
            nodes.start_node(index).await?;
        }
    }
    let report = play.finish().await?;
    ensure!(report.errors.is_empty(), "{:?}", report.errors);
    ensure!(report.refused.is_empty() && report.postponed == 0, "{report:?}");
    ensure!(report.broken == 0 && report.absences == 0 && report.snapshots == 0, "{report:?}");
    ensure!(report.different == 0 && report.moves > 10 * PLAN.matches, "{report:?}");
    for index in 0..3 {
        let log = nodes.log(index);
        // Each node was of the first version while another one was of the later version, and the
        // other way round.
        ensure!(log.contains("a message of a kind that this node does not know"), "node {index}: {log}");
        ensure!(log.contains("another node does not know a kind of message"), "node {index}: {log}");
        ensure!(!log.contains("a message from another node is ignored"), "node {index}: {log}");
    }
    Ok(())
}
