//! The server under load and under fire: many tables at once, and whoever dies, nothing that was acknowledged is
//! lost, doubled or reordered.

mod commits;
mod disk;
mod kills;
mod lines;
mod planted;
mod pool;
mod standstills;
mod time;
mod turns;

use anyhow::{Result, ensure};
use quadrex_rules::Variant;
use quadrex_tests::ordeal::{Ordeal, Survived};

/// Tables of each ordeal.
const TABLES: u64 = 4;

/// All lines of the swarm: four players and two watchers a table.
pub(crate) const LINES: u64 = TABLES * 6;

/// Where some tables play.
pub(crate) fn ordeal(blows: u64, commands: u64) -> Ordeal {
    Ordeal {
        tables: TABLES as usize,
        variant: Variant::Dilkel,
        time: None,
        watchers: 2,
        blows,
        commands,
        seed: 1,
    }
}

/// Whether as much was done and checked as was wanted.
pub(crate) fn is_whole(survived: &Survived, ordeal: &Ordeal) -> Result<()> {
    eprintln!("{survived:?}");
    ensure!(survived.blows >= ordeal.blows, "{survived:?}");
    ensure!(survived.checked.acknowledged >= ordeal.commands, "{survived:?}");
    ensure!(survived.checked.told == survived.checked.events, "everything was told: {survived:?}");
    Ok(())
}
