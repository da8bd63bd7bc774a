//! All connections to the database are busy.

use std::time::Duration;

use anyhow::{Result, ensure};
use quadrex_tests::fault_injection;

use crate::{is_whole, plan};

#[tokio::test]
async fn moves_wait_while_all_database_connections_are_busy() -> Result<()> {
    let plan = plan(2, 200);
    let report = fault_injection::exhausted_pool(&plan, Duration::from_secs(2)).await?;
    ensure!(report.checked.refused == 0, "commands wait and are not refused: {report:?}");
    is_whole(&report, &plan)
}
