//! The server dies again and again under a swarm.

use anyhow::{Result, ensure};
use quadrex_rules::Variant;
use quadrex_tests::contest::unhurried;
use quadrex_tests::ordeal::{self, Ordeal};
use quadrex_tests::{Database, Launch};

async fn killed_under_a_swarm(database: &Database) -> Result<()> {
    let ordeal =
        Ordeal { tables: 4, variant: Variant::Dilkel, watchers: 2, kills: 5, commands: 400, seed: 1 };
    let survived = ordeal::kill_again_and_again(&unhurried(Launch::new(database)?), &ordeal).await?;
    ensure!(survived.kills == 5 && survived.checked.acknowledged >= 400, "{survived:?}");
    ensure!(survived.broken >= 5 * 4 * 6, "every line broke at every kill: {survived:?}");
    ensure!(survived.checked.told > 0, "{survived:?}");
    Ok(())
}

#[tokio::test]
async fn a_server_on_sqlite_that_is_killed_loses_nothing() -> Result<()> {
    killed_under_a_swarm(&Database::Sqlite).await
}

#[tokio::test]
async fn a_server_on_postgres_that_is_killed_loses_nothing() -> Result<()> {
    killed_under_a_swarm(&Database::postgres().await?).await
}
