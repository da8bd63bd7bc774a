//! The disk under a SQLite file is full.

use anyhow::{Result, ensure};
use quadrex_tests::ordeal;

use crate::{is_whole, ordeal};

#[tokio::test]
async fn a_full_disk_refuses_and_keeps_nothing_by_halves() -> Result<()> {
    let ordeal = ordeal(3, 400);
    let survived = ordeal::no_more_pages(&ordeal).await?;
    ensure!(survived.checked.unsure == 0, "what is refused for want of room is not there: {survived:?}");
    is_whole(&survived, &ordeal)
}
