//! A seed determines everything that happens in a simulation.

use anyhow::{Context, Result, ensure};
use quadrex_simulation::{Outcome, Scenario, Simulator, Story};

/// Runs a simulation, and returns its outcome with its story.
fn simulate(scenario: &Scenario) -> Result<Outcome> {
    Simulator::new(env!("CARGO_BIN_EXE_quadrex-simulate").into()).run(scenario, None, &Story::Kept)
}

#[test]
fn two_runs_of_a_seed_are_equal() -> Result<()> {
    let whole = (1..=3).map(Scenario::of_seed);
    let brief = (4..=8).map(|seed| Scenario::of_seed(seed).brief());
    for scenario in whole.chain(brief) {
        let (first, second) = (simulate(&scenario)?, simulate(&scenario)?);
        ensure!(first.lines > 50, "almost nothing happens in seed {}", scenario.seed);
        ensure!(first == second, "the runs of seed {} differ", scenario.seed);
    }
    Ok(())
}

#[test]
fn another_seed_has_another_story() -> Result<()> {
    let scenario = Scenario::of_seed(1).brief();
    let other = Scenario { seed: 2, ..scenario.clone() };
    let [one, other] = [scenario, other].map(|scenario| simulate(&scenario));
    let (one, other) = (one?.trace.context("a trace")?, other?.trace.context("a trace")?);
    ensure!(one != other, "the seed decides nothing");
    Ok(())
}
