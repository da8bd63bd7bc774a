//! Seeds whose simulations have found faults of the servers find none any more.
//!
//! Such a seed may have another simulation after the code has changed. Each of the faults therefore also
//! has a test of its own, or can be planted.

use anyhow::{Result, ensure};
use quadrex_simulation::{Scenario, Simulator, Story};

/// The seeds. All but the last two had found their faults before there were conditional moves and vacations.
const SEEDS: [u64; 13] = [
    235, 310, 392, 455, 6060, 11_001_419, 19_007_361, 25_000_141, 25_002_055, 26_000_379, 37_013_815, 42, 812,
];

#[test]
fn seeds_that_have_found_faults_find_none() -> Result<()> {
    let simulator = Simulator::new(env!("CARGO_BIN_EXE_quadrex-simulate").into());
    for seed in SEEDS {
        let outcome = simulator.run(&Scenario::of_seed(seed).brief(), None, &Story::Dropped)?;
        ensure!(outcome.violations.is_empty(), "seed {seed}: {:?}", outcome.violations);
    }
    Ok(())
}
