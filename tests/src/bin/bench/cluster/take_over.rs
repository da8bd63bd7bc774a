//! Matches whose owner is lost while they are played, and which other nodes take over.

use std::fmt;
use std::time::Duration;

use anyhow::{Result, ensure};
use quadrex_tests::Nodes;
use quadrex_tests::http::Http;
use quadrex_tests::swarm::now;

use super::load::{Load, Place};
use super::{OWNER, Times, checked, played};
use crate::figures::Figures;

/// The time for which the matches are played before the owner is lost.
const WARM_UP: Duration = Duration::from_secs(3);

/// The maximum time of a node until it has stopped.
const EXIT_LIMIT: Duration = Duration::from_secs(90);

/// The maximum time until every match has accepted a move after the loss of its owner.
const RECOVERY_LIMIT: Duration = Duration::from_secs(60);

/// The size of a round.
pub(super) struct Plan {
    pub(super) matches: usize,
    pub(super) pause: Duration,
}

/// The way in which the owner is lost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// The owner is killed with SIGKILL.
    Killed,
    /// The owner is stopped with SIGTERM, and hands its matches over.
    Stopped,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Killed => "death",
            Self::Stopped => "drain",
        })
    }
}

/// Plays matches whose players are connected to the other nodes, and loses their owner.
///
/// # Errors
/// If the matches do not start, or the owner does not stop.
pub(super) async fn measure(
    nodes: &mut Nodes,
    plan: &Plan,
    loss: Loss,
    name: &str,
    figures: &mut Figures,
) -> Result<()> {
    let owner = nodes.server(OWNER)?.address();
    let others: Vec<_> = nodes.addresses().into_iter().filter(|address| *address != owner).collect();
    let place = Place { name: "", owner, players: others.clone(), refuges: others.clone() };
    let load = Load::start(&[place], plan.matches, plan.pause).await?;
    tokio::time::sleep(WARM_UP.max(plan.pause * 2)).await;
    let lost_at = load.begin_fault();
    match loss {
        Loss::Killed => nodes.kill(OWNER).await?,
        Loss::Stopped => {
            let mut stopped = nodes.take(OWNER)?;
            stopped.terminate().await?;
            let ended = stopped.ended_within(EXIT_LIMIT).await?;
            ensure!(ended.status.success(), "the node failed: {}", ended.stderr);
            figures.add(&format!("{name}: exit of the node"), lost_at.elapsed().as_secs_f64(), "s");
        }
    }
    let lost_after = now();
    // All matches are played for a while without their former owner.
    tokio::time::sleep(plan.pause * 2).await;
    let (played, errors) = load.finish(RECOVERY_LIMIT).await;
    checked::print_errors(&errors);
    let checked = checked::check_all(&Http::new(others[0]), &nodes.store().await?, &played, lost_at).await?;
    checked::report(name, &checked, errors.len(), figures);
    let moves = played.iter().flat_map(|played| &played.moves);
    let before = moves.filter(|mv| mv.accepted < lost_at).map(|mv| mv.latency()).collect();
    Times::new(before).report(&format!("{name}: latency before"), figures);
    let moves = played.iter().flat_map(|played| &played.moves).filter(|mv| mv.accepted >= lost_at);
    let deliveries = moves.map(|mv| mv.received.saturating_duration_since(mv.accepted)).collect();
    Times::new(deliveries).report(&format!("{name}: acknowledgement to the next player"), figures);
    let after = played.iter().flat_map(|played| &played.moves).filter(|mv| mv.sent > lost_after);
    figures.add(&format!("{name}: moves after the exit"), after.count() as f64, "");
    played::end_all(played).await
}
