//! A table with many watchers at all nodes.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::swarm::Spectators;
use quadrex_tests::{ClusterTap, Nodes, PATIENCE};

/// The number of watchers at three nodes.
const WATCHERS: usize = 300;

/// Each event reaches each of the other nodes in one message, however many watchers are there.
#[tokio::test]
async fn an_event_is_sent_once_to_each_node() -> Result<()> {
    const MOVES: [&str; 5] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"];
    let nodes = Nodes::start(3).await?;
    let addresses = nodes.addresses();
    let mut contest = Contest::start_from(addresses[0], &addresses[1..], &plain(Variant::Classic)).await?;
    let mut spectators = Spectators::watch(&addresses, WATCHERS, contest.table).await?;
    let tap = ClusterTap::start(&nodes).await?;
    let mut seqs = BTreeSet::new();
    for (index, mv) in MOVES.into_iter().enumerate() {
        seqs.insert(contest.play(mv.parse()?).await?);
        let received = (WATCHERS * (index + 1)) as u64;
        spectators.until_received(received, PATIENCE).await.context("waiting for the watchers")?;
    }
    let copies = tap.copies(contest.table)?;
    ensure!(copies.keys().copied().collect::<BTreeSet<_>>() == seqs, "{copies:?}");
    for (seq, copies) in copies {
        ensure!(copies.len() == 2 && copies.values().all(|count| *count == 1), "event {seq}: {copies:?}");
    }
    Ok(())
}
