//! One table with many watchers at all nodes.

use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_tests::swarm::Spectators;
use quadrex_tests::{ClusterTap, Nodes};

use super::load::Place;
use super::played::PlayedMatch;
use super::{NODES, OWNER};
use crate::figures::Figures;
use crate::load::Usage;

/// The time in which all watchers must have received an event.
const DELIVERY_LIMIT: Duration = Duration::from_secs(30);

/// The pause between two moves.
const PAUSE: Duration = Duration::from_millis(500);

/// The moves that are not measured.
const WARM_UP: u64 = 3;

/// Measures the deliveries of a number of moves, and counts the messages between the nodes.
///
/// # Errors
/// If a watcher misses an event, or an event is sent to a node more than once.
pub(super) async fn measure(
    nodes: &Nodes,
    watchers: usize,
    moves: usize,
    figures: &mut Figures,
) -> Result<()> {
    let addresses = nodes.addresses();
    let (&owner, others) = addresses.split_first().context("there are nodes")?;
    let mut played =
        PlayedMatch::start(&Place { name: "", owner, players: others.to_vec(), refuges: others.to_vec() }, 1)
            .await?;
    let table = played.contest.table;
    let before = usages(nodes)?;
    let mut spectators = open(&addresses, watchers, &mut played).await?;
    let already = spectators.received();
    for (index, (before, after)) in before.iter().zip(usages(nodes)?).enumerate() {
        let resident = after.resident_kib.saturating_sub(before.resident_kib) as f64;
        figures.add(&format!("crowd: node {index}, resident"), after.resident_kib as f64 / 1024.0, "MiB");
        let each = resident / (watchers / NODES) as f64;
        figures.add(&format!("crowd: node {index}, resident for a watcher"), each, "KiB");
    }
    let tap = ClusterTap::start(nodes).await?;
    let mut events = 0;
    let (mut messages, mut used) = (tap.messages(), usages(nodes)?);
    for number in 0..WARM_UP + moves as u64 {
        if number == WARM_UP {
            (messages, used) = (tap.messages(), usages(nodes)?);
        }
        if number >= WARM_UP {
            spectators.begin();
        }
        played.make_move().await?;
        events += 1;
        let all = already + events * spectators.count() as u64;
        spectators.until_received(all, DELIVERY_LIMIT).await?;
        tokio::time::sleep(PAUSE).await;
    }
    let times = spectators.times();
    let millis = |time: Duration| time.as_secs_f64() * 1_000.0;
    figures.add("crowd: watchers", spectators.count() as f64, "");
    figures.add("crowd: move to watcher, p50", millis(times.p50), "ms");
    figures.add("crowd: move to watcher, p99", millis(times.p99), "ms");
    figures.add("crowd: move to watcher, max", millis(times.longest), "ms");
    for (index, (before, after)) in used.iter().zip(usages(nodes)?).enumerate() {
        let each = after.cpu_since(before) * 1_000.0 / moves as f64;
        figures.add(&format!("crowd: node {index}, processor time of a move"), each, "ms");
    }
    let copies = tap.copies(table)?;
    let most = copies.values().flat_map(|copies| copies.values()).max().copied().unwrap_or_default();
    let sent = copies.values().map(|copies| copies.values().sum::<u32>()).sum::<u32>();
    figures.add("crowd: copies of an event for a node, most", f64::from(most), "");
    figures.add("crowd: copies of an event, mean", f64::from(sent) / copies.len() as f64, "");
    let (count, bytes) = tap.messages();
    let each = (count - messages.0) as f64 / moves as f64;
    figures.add("crowd: messages of all kinds for a move", each, "");
    figures.add("crowd: bytes of a message", (bytes - messages.1) as f64 / (count - messages.0) as f64, "");
    ensure!(copies.len() as u64 == events, "{} of {events} events were sent", copies.len());
    ensure!(most == 1, "an event was sent {most} times to one node");
    drop(spectators);
    played.end().await
}

/// Opens the connections of the watchers. Meanwhile the players move, so that they stay present.
async fn open(addresses: &[SocketAddr], watchers: usize, played: &mut PlayedMatch) -> Result<Spectators> {
    let table = played.contest.table;
    let mut opening = pin!(Spectators::watch(addresses, watchers, table));
    let spectators = loop {
        tokio::select! {
            opened = &mut opening => break opened?,
            () = tokio::time::sleep(PAUSE) => { played.make_move().await?; }
        }
    };
    // The last moves may still arrive.
    let mut received = None;
    while received.replace(spectators.received()) != Some(spectators.received()) {
        tokio::time::sleep(PAUSE).await;
    }
    Ok(spectators)
}

/// Returns the resources of each node.
fn usages(nodes: &Nodes) -> Result<Vec<Usage>> {
    (OWNER..NODES).map(|index| Usage::of(nodes.server(index)?.process()?)).collect()
}
