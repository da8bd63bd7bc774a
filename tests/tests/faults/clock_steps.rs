//! The system time is changed by large steps.

use anyhow::{Result, ensure};
use quadrex_protocol::settings::TimeSetting;
use quadrex_tests::{Database, fault_injection};

use crate::{is_whole, plan};

#[tokio::test]
async fn a_step_of_the_system_clock_ends_no_player_s_time() -> Result<()> {
    let time = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 2_000 };
    let plan = fault_injection::FaultPlan { time: Some(time), ..plan(4, 400) };
    let report = fault_injection::stepped_clock(&Database::Sqlite, &plan).await?;
    ensure!(report.checked.flags == 0, "a flag fell because of the changed time: {report:?}");
    is_whole(&report, &plan)
}
