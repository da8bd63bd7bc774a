//! The auditor finds faults that are planted in the servers. This test has faults of each kind that few
//! seeds find; `cargo xtask simulate --planted all` looks for all of them.

use anyhow::{Result, ensure};
use quadrex_simulation::{PlantedFault, Scenario, Simulator, Story};

/// The number of seeds within which each fault must be found.
const SEEDS: u64 = 8;

/// The faults that are looked for.
const FAULTS: [PlantedFault; 10] = [
    PlantedFault::BroadcastBeforeCommit,
    PlantedFault::ForgottenCommandId,
    PlantedFault::EventPublishedTwice,
    PlantedFault::MissedEventsNotSent,
    PlantedFault::PrivateTableListed,
    PlantedFault::WatchWithoutLink,
    PlantedFault::LostLobbyUpdate,
    PlantedFault::OwnTableNotRemoved,
    PlantedFault::ProxyKeepsSnapshot,
    PlantedFault::DoubleRematch,
];

#[test]
fn planted_faults_are_found() -> Result<()> {
    let simulator = Simulator::new(env!("CARGO_BIN_EXE_quadrex-simulate").into());
    let finds = |fault, seed| -> Result<bool> {
        let scenario = Scenario::of_seed(seed).brief();
        Ok(!simulator.run(&scenario, Some(fault), &Story::Dropped)?.violations.is_empty())
    };
    for fault in FAULTS {
        let mut seeds = 0..SEEDS;
        let is_found = loop {
            match seeds.next() {
                Some(seed) if finds(fault, seed)? => break true,
                Some(_) => {}
                None => break false,
            }
        };
        ensure!(is_found, "{} is not found by {SEEDS} seeds", fault.name());
    }
    Ok(())
}
