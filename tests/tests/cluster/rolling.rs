//! Nodes that are restarted one after the other while matches are played.

use std::time::Duration;

use anyhow::{Result, ensure};
use quadrex_protocol::ServerFrame;
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::rolling::{Balancer, Plan, Play, Report, stop};
use quadrex_tests::{Launch, Nodes};

const PLAN: Plan = Plan { matches: 8, pause: Duration::from_millis(200) };

/// The longest time for which a match may stand still at the end.
const MAX_IDLE: Duration = Duration::from_secs(5);

/// Returns settings with which a restart takes seconds.
fn quick(launch: Launch) -> Launch {
    without_rate_limits(launch)
        .with_env("QUADREX_SERVER__LEAVE_SECONDS", 1)
        .with_env("QUADREX_CLUSTER__MOVE_SECONDS", 3)
}

/// Returns an error if the restarts have had an effect on a player.
fn check(report: &Report, plan: Plan) -> Result<()> {
    let Report { errors, refused, postponed, absences, snapshots, broken, moved, moves, different, .. } =
        report;
    ensure!(errors.is_empty(), "{errors:?}");
    ensure!(refused.is_empty() && *postponed == 0, "{postponed} temporary refusals, and {refused:?}");
    ensure!(*broken == 0, "{broken} connections broke");
    ensure!(*absences == 0, "{absences} frames said that a player was away");
    ensure!(*snapshots == 0, "{snapshots} clients could not continue after their last events");
    ensure!(*different == 0, "{different} moves differ from the records");
    ensure!(*moved >= 2 * plan.matches, "only {moved} connections have moved");
    ensure!(*moves > 10 * plan.matches, "only {moves} moves were made");
    ensure!(report.longest_idle < MAX_IDLE, "a match stood still for {:?}", report.longest_idle);
    ensure!(report.charged < Duration::from_millis(1_500), "a move was charged {:?}", report.charged);
    Ok(())
}

/// All nodes are restarted while matches are played through a load balancer. No move is refused, no
/// event is missed, nobody counts as away, and no connection ends before the next one is open.
#[tokio::test]
async fn players_notice_nothing_while_all_nodes_are_restarted() -> Result<()> {
    let mut nodes = Nodes::start_with(3, quick).await?;
    let balancer = Balancer::start(&nodes.addresses()).await?;
    let play = Play::start(balancer.address(), PLAN).await?;
    for index in 0..3 {
        stop(&mut nodes, index).await?;
        nodes.start_node(index).await?;
    }
    check(&play.finish().await?, PLAN)
}

/// A node that stops asks its clients to connect to other nodes. Until they have, it serves them, and
/// also new ones.
#[tokio::test]
async fn a_node_that_stops_serves_its_clients_until_they_have_left() -> Result<()> {
    let mut nodes = Nodes::start_with(2, quick).await?;
    let address = nodes.server(0)?.address();
    let mut contest = Contest::start_at(address, &plain(Variant::Classic)).await?;
    contest.play("e2e4".parse()?).await?;
    let mut stopping = nodes.take(0)?;
    stopping.terminate().await?;
    let open_for = |frame| match frame {
        ServerFrame::Closing { retry_after_ms, open_for_ms } => Some((retry_after_ms, open_for_ms)),
        _ => None,
    };
    for player in contest.players.values_mut() {
        let (retry_after, open_for) = player.find("the request to move", open_for).await?;
        ensure!((1_000..=3_000).contains(&retry_after), "{retry_after}");
        ensure!(open_for.is_some_and(|time| (30_000..=60_000).contains(&time)), "{open_for:?}");
    }
    stopping.http().until_status("/readyz", 503).await?;
    for mv in ["e7e5", "g1f3"] {
        contest.play(mv.parse()?).await?;
    }
    let mut late = Contest::start_at(address, &plain(Variant::Classic)).await?;
    late.play("d2d4".parse()?).await?;
    let mut newcomer = stopping.connect_as_nobody().await?;
    newcomer.find("the request to move", open_for).await?;
    for mv in ["b8c6", "f1b5"] {
        contest.play(mv.parse()?).await?;
    }
    // When the last client has left, the node ends at once.
    drop((contest, late, newcomer));
    let ended = stopping.ended_within(Duration::from_secs(15)).await?;
    ensure!(ended.status.success(), "{ended:?}");
    Ok(())
}
