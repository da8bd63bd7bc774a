//! Matches that are played through a load balancer while all nodes are restarted in order.

use std::time::Duration;

use anyhow::Result;
use quadrex_tests::haproxy::PlainHttp;
use quadrex_tests::rolling::{Balancer, Plan, Play, stop};
use quadrex_tests::swarm::now;
use quadrex_tests::{HaProxy, Nodes};

use super::Times;
use crate::figures::Figures;

/// The time for which the matches are played before the first restart, and after the last one.
const SETTLING: Duration = Duration::from_secs(5);

/// The largest number of refusals and errors that are printed.
const PRINTED: usize = 5;

/// Plays matches while all nodes are restarted.
///
/// # Errors
/// If the matches do not start, or a node does not stop or start.
pub(super) async fn measure(nodes: &mut Nodes, plan: Plan, figures: &mut Figures) -> Result<()> {
    let addresses = nodes.addresses();
    let haproxy = {
        let addresses = addresses.clone();
        tokio::task::spawn_blocking(move || HaProxy::start(&addresses, PlainHttp::ServesAtFreePort)).await??
    };
    let balancer = Balancer::start(&addresses).await?;
    let front = haproxy.as_ref().map_or_else(|| balancer.address(), HaProxy::http);
    println!("  through {}", if haproxy.is_some() { "HAProxy" } else { "a list of addresses" });
    let play = Play::start(front, plan).await?;
    tokio::time::sleep(SETTLING).await;
    let started = now();
    for index in 0..addresses.len() {
        let took = stop(nodes, index).await?;
        figures.add(
            &format!("rolling: exit of node {index}, when all are elsewhere"),
            took.as_secs_f64(),
            "s",
        );
        nodes.start_node(index).await?;
        // HAProxy notices within a second that the node is ready.
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    figures.add("rolling: restart of all nodes", started.elapsed().as_secs_f64(), "s");
    tokio::time::sleep(SETTLING).await;
    let seconds = (started.elapsed() + SETTLING).as_secs_f64();
    let report = play.finish().await?;
    for text in report.errors.iter().chain(&report.refused).take(PRINTED) {
        println!("  {text}");
    }
    figures.add("rolling: moves per second", report.moves as f64 / seconds, "/s");
    let mut count = |what: &str, value: usize| figures.add(&format!("rolling: {what}"), value as f64, "");
    count("refused commands", report.refused.len());
    count("temporary refusals, repeated", usize::try_from(report.postponed)?);
    count("connections broken", report.broken);
    count("connections moved", report.moved);
    count("frames with an absent player", report.absences);
    count("clients that needed a snapshot", report.snapshots);
    count("moves that differ from the records", report.different);
    count("players that failed", report.errors.len());
    Times::new(report.latencies).report("rolling: move to acknowledgement", figures);
    let longest = report.longest_pause.saturating_sub(plan.pause).as_secs_f64() * 1_000.0;
    figures.add("rolling: longest pause of a match beyond thinking", longest, "ms");
    figures.add("rolling: time charged to a player, max", report.charged.as_secs_f64() * 1_000.0, "ms");
    Ok(())
}
