//! The server or its database stands still: nobody pays for time in which nobody could move.

use std::time::Duration;

use anyhow::{Result, ensure};
use quadrex_protocol::settings::TimeSetting;
use quadrex_tests::ordeal::Survived;
use quadrex_tests::{Database, ordeal};

use crate::{is_whole, ordeal};

/// Shorter than a standstill, and long beside what a move takes.
const SHORT: TimeSetting = TimeSetting::Delay { base_ms: 1_000, delay_ms: 1_500 };

/// Longer than anybody's clock may run.
const STANDSTILL: Duration = Duration::from_millis(3_500);

fn nobody_lost_time(survived: &Survived) -> Result<()> {
    ensure!(survived.checked.flags == 0, "somebody paid for the standstill: {survived:?}");
    Ok(())
}

#[tokio::test]
async fn a_server_that_stands_still_flags_nobody_and_loses_nothing() -> Result<()> {
    let ordeal = ordeal::Ordeal { time: Some(SHORT), ..ordeal(1, 200) };
    let survived = ordeal::stopped_server(&Database::Sqlite, &ordeal, STANDSTILL).await?;
    nobody_lost_time(&survived)?;
    is_whole(&survived, &ordeal)
}

#[tokio::test]
async fn a_database_that_stands_still_flags_nobody_and_loses_nothing() -> Result<()> {
    let ordeal = ordeal::Ordeal { time: Some(SHORT), ..ordeal(1, 200) };
    let survived = ordeal::stopped_postgres(&ordeal, STANDSTILL).await?;
    nobody_lost_time(&survived)?;
    is_whole(&survived, &ordeal)
}
