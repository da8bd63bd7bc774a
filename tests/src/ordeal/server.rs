//! The server dies, or stands still.

use std::time::Duration;

use anyhow::{Context, Result};

use super::scene::Scene;
use super::{Ordeal, Survived};
use crate::server::Launch;
use crate::{Database, swarm};

/// The server is killed, again and again, and started on the same data at the same address.
///
/// # Errors
/// When something acknowledged is lost, doubled or reordered, or anything else is not as it must be.
pub async fn killed_server(database: &Database, ordeal: &Ordeal) -> Result<Survived> {
    let mut scene = Scene::begin(Launch::new(database)?, ordeal).await?;
    for blow in 1..=ordeal.blows {
        scene.wait_for(blow).await?;
        let since = swarm::now();
        scene.restart().await.with_context(|| format!("starting after kill {blow}"))?;
        scene.took += since.elapsed();
    }
    scene.end().await
}

/// The server's process stands still for so long, again and again.
///
/// # Errors
/// As [`killed_server`].
pub async fn stopped_server(database: &Database, ordeal: &Ordeal, for_time: Duration) -> Result<Survived> {
    let mut scene = Scene::begin(Launch::new(database)?, ordeal).await?;
    for blow in 1..=ordeal.blows {
        scene.wait_for(blow).await?;
        let since = swarm::now();
        scene.server.stand_still(for_time).await?;
        scene.until_served().await;
        scene.took += since.elapsed();
    }
    scene.end().await
}
