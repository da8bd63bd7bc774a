//! The server does not hear what became of a commit.

use anyhow::{Result, ensure};
use quadrex_tests::ordeal;

use crate::{is_whole, ordeal};

#[tokio::test]
async fn a_commit_of_unknown_outcome_loses_and_doubles_nothing() -> Result<()> {
    let ordeal = ordeal(40, 400);
    let (survived, cuts) = ordeal::cut_commits(&ordeal).await?;
    ensure!(cuts.undone >= 10 && cuts.unheard >= 10, "both ways happened: {cuts:?}");
    // Only after a third break in a row does the server give up and leave a command's outcome open.
    ensure!(survived.checked.unsure <= cuts.all() / 10, "{survived:?}");
    is_whole(&survived, &ordeal)
}
