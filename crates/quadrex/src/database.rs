//! `quadrex database`: commands with which the owner of a PostgreSQL database prepares it for
//! servers.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use quadrex_server::archive::{RecomputedPairs, recompute_pairs};
use quadrex_server::telemetry;
use quadrex_store::{ErasedNames, Location, Recomputation, Recomputed, Store, StoreError};

use crate::migrations;
use crate::settings::Settings;

/// The task.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Migrates the schema and grants a role exactly what a server needs. Run it again after each
    /// update.
    Grant(Grant),
    /// Computes all ratings again from the archive, and compares them with those in the database.
    Ratings(Ratings),
    /// Computes what players have done to each other in rated matches of four again from the logs,
    /// and compares it with the database.
    Pairs(Ratings),
    /// Replaces the names of deleted users in the logs of their matches.
    EraseNames(EraseNames),
}

/// The role and its database. It is the database that a server with these settings opens.
#[derive(Debug, Args)]
struct Grant {
    #[command(flatten)]
    settings: Settings,
    /// Role that servers connect as.
    #[arg(long, value_name = "NAME")]
    role: String,
    /// File with the role's password: creates the role if it is missing, and sets its password.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

/// The database, and what happens if its content differs. Servers may run meanwhile.
#[derive(Debug, Args)]
struct Ratings {
    #[command(flatten)]
    settings: Settings,
    /// Replace what differs, instead of reporting an error.
    #[arg(long)]
    replace: bool,
}

/// The database, opened as the owner of its tables. Servers may run meanwhile.
#[derive(Debug, Args)]
struct EraseNames {
    #[command(flatten)]
    settings: Settings,
}

/// Executes the task.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        Command::Grant(arguments) => grant(arguments),
        Command::Ratings(arguments) => recompute_ratings(arguments),
        Command::Pairs(arguments) => recompute_acts(arguments),
        Command::EraseNames(arguments) => erase_names(arguments),
    }
}

/// Returns the location of the database with these settings. Fails if it is a file that does not
/// exist, because opening the database would create the file.
fn existing_database(settings: &Settings) -> Result<Location> {
    let config = settings.load(None)?;
    telemetry::init(&config.log)?;
    let location = config.location()?;
    if let Some(file) = location.sqlite_file() {
        ensure!(file.try_exists()?, "{location} does not exist");
    }
    Ok(location)
}

/// Executes a task with the database.
fn with_store<T>(location: &Location, task: impl AsyncFnOnce(&Store) -> Result<T, StoreError>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = Store::connect(location, 1).await?;
        let result = task(&store).await;
        store.close().await;
        Ok(result?)
    })
}

/// Replaces the names of deleted users and prints the number of changes.
fn erase_names(arguments: &EraseNames) -> Result<()> {
    let location = existing_database(&arguments.settings)?;
    let erased = with_store(&location, async |store| store.erase_names().await)?;
    let ErasedNames { events, archived } = erased;
    println!("{location}: replaced names in {events} events and {archived} entries of the archive");
    Ok(())
}

/// Computes the ratings again and prints the result.
fn recompute_ratings(arguments: &Ratings) -> Result<()> {
    let location = existing_database(&arguments.settings)?;
    let mode = if arguments.replace { Recomputation::Replace } else { Recomputation::Check };
    let Recomputed { matches, different_changes, different_ratings } =
        with_store(&location, async |store| store.recompute_ratings(mode).await)?;
    if different_changes + different_ratings == 0 {
        println!("{location}: all ratings agree with the {matches} rated matches in the archive");
        return Ok(());
    }
    let found = format!("{different_ratings} ratings and {different_changes} changes of ratings");
    ensure!(
        arguments.replace,
        "{location}: {found} differ from those of {matches} rated matches: --replace writes the computed ones"
    );
    println!("{location}: replaced {found}, computed from {matches} rated matches");
    Ok(())
}

/// Computes the acts of players against each other again and prints the result.
fn recompute_acts(arguments: &Ratings) -> Result<()> {
    let location = existing_database(&arguments.settings)?;
    let mode = if arguments.replace { Recomputation::Replace } else { Recomputation::Check };
    let RecomputedPairs { matches, different } =
        with_store(&location, async |store| recompute_pairs(store, mode).await)?;
    if different == 0 {
        println!("{location}: the statistics of pairs agree with the logs of {matches} matches");
        return Ok(());
    }
    ensure!(
        arguments.replace,
        "{location}: the statistics of {different} matches differ from their logs: --replace writes the \
         computed ones"
    );
    println!("{location}: replaced the statistics of {different} of {matches} matches");
    Ok(())
}

/// Connects as the owner, grants the privileges and prints a confirmation.
fn grant(grant: &Grant) -> Result<()> {
    let config = grant.settings.load(None)?;
    telemetry::init(&config.log)?;
    let location = config.location()?;
    let password = grant.password_file.as_deref().map(read_password).transpose()?;
    let role = &grant.role;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(migrations::with_progress(quadrex_store::grant(
        &location,
        role,
        password.as_deref(),
    )))?;
    println!("{location}: role {role} may serve; it can add to the log and cannot change it");
    Ok(())
}

/// Reads a password from a file, which must have exactly one line.
fn read_password(file: &Path) -> Result<String> {
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let password = text.trim_end_matches(['\r', '\n']);
    ensure!(
        !password.is_empty() && !password.contains(char::is_control),
        "{} has no password: expected one line",
        file.display()
    );
    Ok(password.to_owned())
}
