//! Nodes that are cut off from Postgres or NATS, stand still, or are lost with their machine, while
//! matches are played.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_tests::Nodes;
use quadrex_tests::http::Http;
use quadrex_tests::nodes::Links;
use quadrex_tests::proxy::Cut;
use tokio::task::block_in_place;

use super::checked::{self, Checked};
use super::load::{Load, Place};
use super::{OWNER, played};
use crate::figures::Figures;

/// The time for which the matches are played before a fault.
const WARM_UP: Duration = Duration::from_secs(2);

/// The time for which a connection is cut. It is longer than the takeover of a node's matches.
const CUT_TIME: Duration = Duration::from_secs(14);

/// The time for which NATS is away.
const NATS_OUTAGE: Duration = Duration::from_secs(60);

/// The maximum time of a node until it has stopped.
const EXIT_LIMIT: Duration = Duration::from_secs(90);

/// The maximum time from the end of a fault until every match has accepted a move.
const RECOVERY_LIMIT: Duration = Duration::from_secs(60);

/// The size of the run.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    /// The number of matches at each place.
    pub(super) matches: usize,
    pub(super) pause: Duration,
    /// The number of times that each fault is injected.
    pub(super) rounds: usize,
}

/// A fault of one node or of NATS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Fault {
    /// The node is killed
    Killed,
    /// The node is asked to stop, and hands its matches over
    Drained,
    /// The node is cut off from Postgres
    Postgres,
    /// The node's statements do not reach Postgres
    ToPostgres,
    /// The answers of Postgres do not reach the node
    FromPostgres,
    /// The node is cut off from NATS
    Nats,
    /// The node's messages do not reach NATS
    ToNats,
    /// No messages reach the node
    FromNats,
    /// The node is cut off from Postgres and NATS
    Both,
    /// The node stands still for 3 s
    Stopped3,
    /// The node stands still for 6 s
    Stopped6,
    /// The node stands still for 20 s
    Stopped20,
    /// The node's machine is lost: nobody closes its connections
    Machine,
    /// NATS is restarted
    NatsRestart,
    /// NATS is away for a minute
    NatsGone,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Killed => "killed",
            Self::Drained => "drained",
            Self::Postgres => "cut from Postgres",
            Self::ToPostgres => "cut to Postgres, one way",
            Self::FromPostgres => "cut from Postgres, one way",
            Self::Nats => "cut from NATS",
            Self::ToNats => "cut to NATS, one way",
            Self::FromNats => "cut from NATS, one way",
            Self::Both => "cut from both",
            Self::Stopped3 => "stopped for 3 s",
            Self::Stopped6 => "stopped for 6 s",
            Self::Stopped20 => "stopped for 20 s",
            Self::Machine => "machine lost",
            Self::NatsRestart => "NATS restarted",
            Self::NatsGone => "NATS away for 60 s",
        })
    }
}

/// Injects each fault repeatedly, and reports the results of all its rounds together.
///
/// # Errors
/// If the matches do not start, a fault cannot be injected, or a guarantee is violated.
pub(super) async fn measure(
    nodes: &mut Nodes,
    plan: Plan,
    faults: &[Fault],
    figures: &mut Figures,
) -> Result<()> {
    let mut findings = 0;
    for &fault in faults {
        println!("{} matches at each place, {} times: {fault}", plan.matches, plan.rounds);
        let mut results: Vec<(&str, Vec<Checked>)> = Vec::new();
        let mut failed = 0;
        for round in 1..=plan.rounds {
            let (checked, errors) =
                run_round(nodes, plan, fault).await.with_context(|| format!("{fault}, round {round}"))?;
            for (place, checked) in checked {
                match results.iter_mut().find(|(known, _)| *known == place) {
                    Some((_, all)) => all.extend(checked),
                    None => results.push((place, checked)),
                }
            }
            failed += errors;
        }
        for (place, checked) in &results {
            checked::report(&format!("{fault}, {place}"), checked, 0, figures);
            findings += checked::findings(checked);
        }
        figures.add(&format!("{fault}: matches that failed"), failed as f64, "");
        findings += failed;
    }
    figures.add("findings of all cuts", findings as f64, "");
    ensure!(findings == 0, "{findings} guarantees were violated");
    Ok(())
}

/// Injects a fault once. Returns the results by place, and the number of matches that failed.
pub(super) async fn run_round(
    nodes: &mut Nodes,
    plan: Plan,
    fault: Fault,
) -> Result<(Vec<(&'static str, Vec<Checked>)>, usize)> {
    let addresses = nodes.addresses();
    let (&owner, others) = addresses.split_first().context("there are nodes")?;
    let place = |name, owner, players| Place { name, owner, players, refuges: others.to_vec() };
    let places = [
        place("players elsewhere", owner, others.to_vec()),
        place("players at the owner", owner, vec![owner]),
        place("matches of others", others[0], vec![owner, others[1]]),
    ];
    let load = Load::start(&places, plan.matches, plan.pause).await?;
    tokio::time::sleep(WARM_UP.max(plan.pause * 2)).await;
    let fault_at = load.begin_fault();
    fault.inject(nodes).await?;
    // All matches are played for a while after the fault.
    tokio::time::sleep(plan.pause * 2).await;
    let (played, errors) = load.finish(RECOVERY_LIMIT).await;
    checked::print_errors(&errors);
    nodes.revive(OWNER).await?;
    let (http, store) = (Http::new(others[0]), nodes.store().await?);
    let mut results = Vec::new();
    let mut rest = played;
    for place in &places {
        let (here, others) = rest.into_iter().partition::<Vec<_>, _>(|played| played.place == place.name);
        results.push((place.name, checked::check_all(&http, &store, &here, fault_at).await?));
        played::end_all(here).await?;
        rest = others;
    }
    Ok((results, errors.len()))
}

impl Fault {
    /// Injects the fault, and ends it.
    async fn inject(self, nodes: &mut Nodes) -> Result<()> {
        match self {
            Self::Killed => nodes.kill(OWNER).await,
            Self::Drained => {
                let mut drained = nodes.take(OWNER)?;
                drained.terminate().await?;
                let ended = drained.ended_within(EXIT_LIMIT).await?;
                ensure!(ended.status.success(), "the node failed: {}", ended.stderr);
                Ok(())
            }
            Self::Postgres => cut(nodes, |links| links.postgres.cut(Cut::Both)).await,
            Self::ToPostgres => cut(nodes, |links| links.postgres.cut(Cut::ToServer)).await,
            Self::FromPostgres => cut(nodes, |links| links.postgres.cut(Cut::ToClients)).await,
            Self::Nats => cut(nodes, |links| links.nats.cut(Cut::Both)).await,
            Self::ToNats => cut(nodes, |links| links.nats.cut(Cut::ToServer)).await,
            Self::FromNats => cut(nodes, |links| links.nats.cut(Cut::ToClients)).await,
            Self::Both => cut(nodes, Links::cut_both).await,
            Self::Stopped3 => nodes.server(OWNER)?.freeze(Duration::from_secs(3)).await,
            Self::Stopped6 => nodes.server(OWNER)?.freeze(Duration::from_secs(6)).await,
            Self::Stopped20 => nodes.server(OWNER)?.freeze(Duration::from_secs(20)).await,
            Self::Machine => {
                nodes.links(OWNER)?.cut_both();
                nodes.kill(OWNER).await?;
                tokio::time::sleep(CUT_TIME).await;
                nodes.links(OWNER)?.heal();
                Ok(())
            }
            Self::NatsRestart => block_in_place(|| nodes.nats.restart()),
            Self::NatsGone => {
                nodes.nats.sigkill()?;
                tokio::time::sleep(NATS_OUTAGE).await;
                block_in_place(|| nodes.nats.restart())
            }
        }
    }
}

/// Cuts connections of the owner for a while.
async fn cut(nodes: &Nodes, cut: impl Fn(&Links)) -> Result<()> {
    let links = nodes.links(OWNER)?;
    cut(links);
    tokio::time::sleep(CUT_TIME).await;
    links.heal();
    Ok(())
}
