//! The auditor finds each fault that is planted in the servers.

use anyhow::{Result, ensure};
use quadrex_simulation::{PlantedFault, Scenario, Simulator};

/// The number of seeds within which each fault must be found. It is far below the number that a long run
/// may need, so that the test is quick.
const SEEDS: u64 = 40;

#[test]
fn every_planted_fault_is_found() -> Result<()> {
    let simulator = Simulator::new(env!("CARGO_BIN_EXE_quadrex-simulate").into());
    let mut unknown = Vec::new();
    for fault in PlantedFault::ALL.iter().copied() {
        let finds = |seed| -> Result<bool> {
            Ok(!simulator.run(&Scenario::of_seed(seed), Some(fault), false)?.violations.is_empty())
        };
        let mut is_found = false;
        for seed in 0..SEEDS {
            if finds(seed)? {
                println!("{}: found by seed {seed}", fault.name());
                is_found = true;
                break;
            }
        }
        if !is_found {
            unknown.push(fault.name());
        }
    }
    ensure!(unknown.is_empty(), "not found by {SEEDS} seeds: {}", unknown.join(", "));
    Ok(())
}
