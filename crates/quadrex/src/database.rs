//! `quadrex database`: commands with which the owner of a PostgreSQL database prepares it for
//! servers.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use quadrex_server::telemetry;
use quadrex_store::Location;

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

/// Connects as the owner, executes the task and prints a confirmation.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let Command::Grant(grant) = &arguments.command;
    let config = grant.settings.load(None)?;
    telemetry::init(&config.log)?;
    let location = Location::parse(&config.database.url, &config.server.data)?;
    let location = location.with_password_file(&config.database.password_file)?;
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
