//! A long run in which nodes are killed, stopped and cut off at random while matches are played.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use quadrex_tests::Nodes;
use quadrex_tests::rng::Rng;
use quadrex_tests::swarm::now;
use tokio::time::sleep_until;

use super::checked;
use super::cuts::{self, Fault, Plan};
use super::{NODES, OWNER};
use crate::figures::Figures;
use crate::load::Usage;

/// The time from one fault to the next.
const INTERVAL: Duration = Duration::from_secs(60);

/// The number of faults after which the memory of the nodes is first measured.
const WARM_UP: usize = 2;

/// Injects a random fault each minute, and checks all matches after each.
///
/// # Errors
/// If a guarantee is violated.
pub(super) async fn measure(
    nodes: &mut Nodes,
    plan: Plan,
    minutes: u64,
    seed: u64,
    figures: &mut Figures,
) -> Result<()> {
    let (mut rng, began) = (Rng::new(seed), now());
    let (mut findings, mut counts) = (0, BTreeMap::<String, u32>::new());
    let mut first = None;
    let mut faults = 0;
    while began.elapsed() < INTERVAL * u32::try_from(minutes)? {
        let due = now() + INTERVAL;
        let fault = *rng.pick(Fault::value_variants()).context("there are faults")?;
        println!("minute {}: {fault}", began.elapsed().as_secs() / 60 + 1);
        let (results, failed) =
            cuts::run_round(nodes, plan, fault).await.with_context(|| fault.to_string())?;
        let found = results.iter().map(|(_, checked)| checked::findings(checked)).sum::<usize>() + failed;
        if found > 0 {
            println!("  {found} findings");
        }
        findings += found;
        faults += 1;
        *counts.entry(fault.to_string()).or_default() += 1;
        if faults == WARM_UP {
            first = Some((now(), resident_kib(nodes)?));
        }
        sleep_until(due).await;
    }
    for (fault, count) in counts {
        figures.add(&format!("soak: {fault}"), f64::from(count), "times");
    }
    if let Some((since, before)) = first {
        let hours = since.elapsed().as_secs_f64() / 3_600.0;
        for (index, (before, after)) in before.iter().zip(resident_kib(nodes)?).enumerate() {
            let name = format!("soak: node {}", OWNER + 1 + index);
            figures.add(&format!("{name}, resident"), after as f64 / 1024.0, "MiB");
            let growth = (after as f64 - *before as f64) / 1024.0 / hours;
            figures.add(&format!("{name}, growth"), growth, "MiB an hour");
        }
    }
    figures.add("soak: findings", findings as f64, "");
    ensure!(findings == 0, "{findings} guarantees were violated");
    Ok(())
}

/// Returns the memory of the nodes that are never lost themselves.
fn resident_kib(nodes: &Nodes) -> Result<Vec<u64>> {
    (OWNER + 1..NODES).map(|index| Ok(Usage::of(nodes.server(index)?.process()?)?.resident_kib)).collect()
}
