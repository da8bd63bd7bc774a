//! The server or its database stalls. Players are not charged for time in which they could not
//! move.

use std::time::Duration;

use anyhow::{Result, ensure};
use quadrex_protocol::settings::TimeSetting;
use quadrex_tests::fault_injection::FaultReport;
use quadrex_tests::{Database, fault_injection};

use crate::{is_whole, plan};

/// The time on the players' clocks. It is shorter than a stall, but much longer than a move takes.
const SHORT: TimeSetting = TimeSetting::Delay { base_ms: 1_000, delay_ms: 1_500 };

/// The length of a stall. It is longer than any player's clock.
const STALL: Duration = Duration::from_millis(3_500);

fn check_no_flag_fell(report: &FaultReport) -> Result<()> {
    ensure!(report.checked.flags == 0, "a flag fell because of the stall: {report:?}");
    Ok(())
}

#[tokio::test]
async fn a_stalled_server_ends_no_player_s_time_and_loses_no_command() -> Result<()> {
    let plan = fault_injection::FaultPlan { time: Some(SHORT), ..plan(1, 200) };
    let report = fault_injection::stalled_server(&Database::Sqlite, &plan, STALL).await?;
    check_no_flag_fell(&report)?;
    is_whole(&report, &plan)
}

#[tokio::test]
async fn a_stalled_database_ends_no_player_s_time_and_loses_no_command() -> Result<()> {
    let plan = fault_injection::FaultPlan { time: Some(SHORT), ..plan(1, 200) };
    let report = fault_injection::stalled_postgres(&plan, STALL).await?;
    check_no_flag_fell(&report)?;
    is_whole(&report, &plan)
}
