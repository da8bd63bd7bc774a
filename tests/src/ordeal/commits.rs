//! Commits whose outcome the server cannot know.

use anyhow::{Result, bail};

use super::scene::Scene;
use super::{Ordeal, Survived};
use crate::Database;
use crate::commit_line::{CommitLine, Cuts};
use crate::server::Launch;

/// The connection to Postgres breaks at a commit, again and again: before Postgres hears of it, or after it is done.
///
/// # Errors
/// As [`killed_server`](super::killed_server).
pub async fn cut_commits(ordeal: &Ordeal) -> Result<(Survived, Cuts)> {
    /// Some that break in a row, many that do not.
    const ONE_IN: usize = 6;
    let Database::Postgres(postgres) = Database::postgres().await? else { bail!("it is a Postgres server") };
    let line = CommitLine::to(postgres.port(), ordeal.seed).await?;
    let launch = Launch::new(&Database::At(line.url(&postgres.url())?))?;
    let mut scene = Scene::begin(launch, ordeal).await?;
    line.cut_one_in(ONE_IN);
    let mut cuts = line.cuts();
    while cuts.all() < ordeal.blows || scene.swarm.tally().done() < ordeal.commands {
        scene.until_served().await;
        cuts = line.cuts();
    }
    line.mend();
    scene.blows = line.cuts().all();
    Ok((scene.end().await?, line.cuts()))
}
