//! The server under load and under injected faults. Many tables play at once, and no acknowledged
//! command may be lost, duplicated or reordered.

mod checker_self_test;
mod clock_steps;
mod commits;
mod connection_pool;
mod connections;
mod disk;
mod kills;
mod stalls;
mod turn_time;

use anyhow::{Result, ensure};
use quadrex_rules::Variant;
use quadrex_tests::fault_injection::{FaultPlan, FaultReport};

/// The number of tables of each plan.
const TABLES: u64 = 4;

/// The number of connections of the swarm: four players and two watchers per table.
pub(crate) const LINES: u64 = TABLES * 6;

/// Returns the usual plan of these tests.
pub(crate) fn plan(injections: u64, commands: u64) -> FaultPlan {
    FaultPlan {
        tables: TABLES as usize,
        variant: Variant::Dilkel,
        time: None,
        watchers: 2,
        injections,
        commands,
        seed: 1,
    }
}

/// Checks that the run did and checked as much as the plan requires.
pub(crate) fn is_whole(report: &FaultReport, plan: &FaultPlan) -> Result<()> {
    eprintln!("{report:?}");
    ensure!(report.injections >= plan.injections, "{report:?}");
    ensure!(report.checked.acknowledged >= plan.commands, "{report:?}");
    let known = report.checked.received + report.checked.superseded;
    ensure!(known == report.checked.events, "every event was received: {report:?}");
    Ok(())
}
