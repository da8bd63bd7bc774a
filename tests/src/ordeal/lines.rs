//! The lines of players and watchers break.

use std::ops::Range;
use std::time::Duration;

use anyhow::Result;

use super::scene::Scene;
use super::{Ordeal, Survived};
use crate::server::Launch;
use crate::{Database, swarm};

/// The lines of players and watchers are reset, each after any number of bytes, again and again.
///
/// # Errors
/// As [`killed_server`].
pub async fn reset_lines(database: &Database, ordeal: &Ordeal) -> Result<Survived> {
    /// From within the first snapshot to some dozens of events later.
    const LASTS: Range<usize> = 100..60_000;
    let mut scene = Scene::behind_proxy(Launch::new(database)?, Some(LASTS), ordeal).await?;
    let mut resets = 0;
    while resets < ordeal.blows {
        scene.until_served().await;
        resets = scene.proxy()?.resets();
    }
    scene.blows = resets;
    scene.end().await
}

/// All lines go silent for a while, again and again, without being closed.
///
/// # Errors
/// As [`killed_server`].
pub async fn silent_lines(database: &Database, ordeal: &Ordeal, for_time: Duration) -> Result<Survived> {
    let mut scene = Scene::behind_proxy(Launch::new(database)?, None, ordeal).await?;
    for blow in 1..=ordeal.blows {
        scene.wait_for(blow).await?;
        let since = swarm::now();
        scene.proxy()?.be_silent(for_time).await;
        scene.took += since.elapsed();
    }
    scene.end().await
}
