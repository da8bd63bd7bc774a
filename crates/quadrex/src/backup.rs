//! `quadrex backup`: copies the whole database, even while the server runs.

use std::convert::Infallible;
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use quadrex_progress::Progress;
use quadrex_server::telemetry;
use quadrex_store::Location;

use crate::settings::Settings;

/// The database to copy, and the file to write.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    settings: Settings,
    /// File to write the backup to; it must not exist yet.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
}

/// Writes the backup. The file gets its name when all data is on the disk, so a file with this name
/// is always a complete backup.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let config = arguments.settings.load(None)?;
    telemetry::init(&config.log)?;
    let location = config.location()?;
    let to = &arguments.to;
    ensure!(!to.try_exists()?, "{} already exists", to.display());
    let folder = match to.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let context = || format!("creating a file in {}", folder.display());
    // Only its owner may read the file, because it contains the hashes of tokens.
    let part =
        tempfile::Builder::new().prefix(".quadrex-backup-").tempfile_in(folder).with_context(context)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let progress = Progress::of_bytes(size(&location), "backup");
    runtime.block_on(async {
        tokio::select! {
            never = follow(&progress, part.path()) => match never {},
            copied = quadrex_store::copy(&location, part.path()) => copied.map_err(anyhow::Error::from),
            interrupted = tokio::signal::ctrl_c() => {
                interrupted?;
                anyhow::bail!("interrupted: no backup was written")
            }
        }
    })?;
    drop(progress);
    part.as_file().sync_all().with_context(context)?;
    let file = part.persist_noclobber(to).with_context(|| to.display().to_string())?;
    File::open(folder).and_then(|folder| folder.sync_all()).with_context(context)?;
    println!("{location}: {} bytes in {}", file.metadata()?.len(), to.display());
    Ok(())
}

/// Shows the length of a file while it is written.
async fn follow(progress: &Progress, file: &Path) -> Infallible {
    let mut interval = tokio::time::interval(Progress::TICK);
    loop {
        interval.tick().await;
        if let Ok(metadata) = std::fs::metadata(file) {
            progress.set(metadata.len());
        }
    }
}

/// Returns the approximate size of the copy, if the database is a file.
fn size(location: &Location) -> Option<u64> {
    location.sqlite_file()?.metadata().ok().map(|metadata| metadata.len())
}
