//! The system's time is set to another.

use anyhow::{Result, ensure};
use quadrex_protocol::settings::TimeSetting;
use quadrex_tests::{Database, ordeal};

use crate::{is_whole, ordeal};

#[tokio::test]
async fn an_hour_forwards_or_backwards_flags_nobody() -> Result<()> {
    let time = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 2_000 };
    let ordeal = ordeal::Ordeal { time: Some(time), ..ordeal(4, 400) };
    let survived = ordeal::stepped_clock(&Database::Sqlite, &ordeal).await?;
    ensure!(survived.checked.flags == 0, "somebody paid for another's clock: {survived:?}");
    is_whole(&survived, &ordeal)
}
