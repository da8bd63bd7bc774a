//! The lines of players and watchers break.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::view::Presence;
use tokio::time::{sleep, timeout};

use super::scene::Scene;
use super::{Ordeal, Survived};
use crate::server::Launch;
use crate::{Database, PATIENCE, swarm};

/// How often something is looked at that nobody tells of.
const GLANCE: Duration = Duration::from_millis(50);

/// The lines of players and watchers are reset, each after any number of bytes, again and again.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
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
/// As [`killed_server`](super::killed_server).
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

/// All lines are left half open, again and again: their clients come back on others, and the server hears nothing more
/// of the old ones. It gives them up by itself, and then sees who is there.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn half_open_lines(database: &Database, ordeal: &Ordeal) -> Result<Survived> {
    let launch = Launch::new(database)?
        .with_env("QUADREX_LIMITS__PING_SECONDS", 1)
        .with_env("QUADREX_LIMITS__DEAD_SECONDS", 3);
    let mut scene = Scene::behind_proxy(launch, None, ordeal).await?;
    let lines = (ordeal.tables * (ordeal.variant.colors().len() + ordeal.watchers)) as u64;
    for blow in 1..=ordeal.blows {
        scene.wait_for(blow).await?;
        scene.swarm.tally().until_up(lines).await;
        let since = swarm::now();
        let proxy = scene.proxy()?;
        proxy.lose_all();
        let gave_up = async {
            while proxy.given_up() < lines * blow {
                sleep(GLANCE).await;
            }
        };
        timeout(PATIENCE, gave_up).await.with_context(|| format!("{} lines given up", proxy.given_up()))?;
        ensure!(proxy.half_open() == lines * blow, "{} lines were lost", proxy.half_open());
        scene.swarm.tally().until_up(lines).await;
        timeout(PATIENCE, scene.all_are_there(ordeal)).await.context("waiting for the right presence")??;
        scene.took += since.elapsed();
    }
    scene.end().await
}

impl Scene {
    /// Waits until each table says that all its players are there, and just so many others.
    async fn all_are_there(&self, ordeal: &Ordeal) -> Result<()> {
        let tables = self.server.http().public_tables().await?;
        ensure!(!tables.is_empty(), "no table is listed");
        for table in tables.into_iter().map(|listed| listed.table) {
            loop {
                let mut visitor = self.server.connect_as_nobody().await?;
                visitor.watch(table).await?;
                let view = visitor.table(table)?.view();
                let others = view.spectators as usize - 1;
                let are_here = view.players.iter().all(|player| player.presence == Presence::Connected);
                if are_here && others == ordeal.watchers {
                    break;
                }
                drop(visitor);
                sleep(GLANCE).await;
            }
        }
        Ok(())
    }
}
