//! Commits whose outcome the server does not learn.

use anyhow::{Result, ensure};
use quadrex_tests::fault_injection;

use crate::{is_whole, plan};

#[tokio::test]
async fn a_commit_of_unknown_outcome_loses_and_duplicates_no_command() -> Result<()> {
    let plan = plan(40, 400);
    let (report, cuts) = fault_injection::cut_commits(&plan).await?;
    ensure!(cuts.before_commit >= 10 && cuts.after_commit >= 10, "both kinds of breaks occurred: {cuts:?}");
    // The server retries twice. Only after the third break in a row does it leave the outcome of a
    // command open.
    ensure!(report.checked.faulted_but_logged <= cuts.all() / 10, "{report:?}");
    is_whole(&report, &plan)
}
