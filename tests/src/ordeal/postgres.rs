//! Postgres dies, restarts, or stands still; the server lives on.

use std::time::Duration;

use anyhow::{Context, Result};

use super::scene::Scene;
use super::{Ordeal, Survived};
use crate::server::Launch;
use crate::{Database, Postgres, swarm};

/// Postgres is killed, again and again, and started on the same data.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn killed_postgres(ordeal: &Ordeal) -> Result<Survived> {
    struck(ordeal, |postgres| {
        postgres.kill9()?;
        postgres.restart()
    })
    .await
}

/// Postgres is stopped in good order, again and again, and started.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn restarted_postgres(ordeal: &Ordeal) -> Result<Survived> {
    struck(ordeal, Postgres::restart).await
}

/// All processes of Postgres stand still for so long, again and again.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn stopped_postgres(ordeal: &Ordeal, for_time: Duration) -> Result<Survived> {
    struck(ordeal, move |postgres| postgres.stand_still(for_time)).await
}

/// The same blow again and again, each until somebody is served again.
async fn struck<F>(ordeal: &Ordeal, strike: F) -> Result<Survived>
where
    F: Fn(&mut Postgres) -> Result<()> + Copy + Send + 'static,
{
    let mut postgres = Postgres::start()?;
    let mut scene = Scene::begin(Launch::new(&Database::At(postgres.url()))?, ordeal).await?;
    for blow in 1..=ordeal.blows {
        scene.wait_for(blow).await?;
        let since = swarm::now();
        let struck = tokio::task::spawn_blocking(move || {
            strike(&mut postgres)?;
            anyhow::Ok(postgres)
        });
        postgres = struck.await?.with_context(|| format!("blow {blow} to Postgres"))?;
        scene.until_served().await;
        scene.took += since.elapsed();
    }
    scene.end().await
}
