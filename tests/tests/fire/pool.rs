//! All connections to the database wait for somebody else.

use std::time::Duration;

use anyhow::{Result, ensure};
use quadrex_tests::ordeal;

use crate::{is_whole, ordeal};

#[tokio::test]
async fn moves_wait_while_all_connections_are_held_up() -> Result<()> {
    let ordeal = ordeal(2, 200);
    let survived = ordeal::exhausted_pool(&ordeal, Duration::from_secs(2)).await?;
    ensure!(survived.checked.refused == 0, "they wait, and none is refused: {survived:?}");
    is_whole(&survived, &ordeal)
}
