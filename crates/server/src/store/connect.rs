//! Bringing a database to this program's schema.

use sqlx::migrate::{Migrate, MigrateError, Migrator};

use super::error::ConnectError;
use super::location::Location;

/// Runs the migrations that have not run yet.
pub(super) async fn migrate<C: Migrate>(
    migrator: &Migrator,
    connection: &mut C,
    location: &Location,
) -> Result<(), ConnectError> {
    let known = migrator.iter().map(|migration| migration.version).max().unwrap_or(0);
    migrator.run_direct(None, connection, false).await.map_err(|error| match error {
        MigrateError::VersionMissing(found) if found > known => {
            ConnectError::Newer { location: location.clone(), found, known }
        }
        MigrateError::VersionMismatch(version) => ConnectError::Migration {
            location: location.clone(),
            reason: format!("its schema {version} came from another program than this one"),
        },
        other => ConnectError::Migration { location: location.clone(), reason: one_line(&other) },
    })
}

/// What the database said, or what was wrong with the line to it.
pub(super) fn reason(error: &sqlx::Error) -> String {
    error.as_database_error().map_or_else(|| one_line(error), |database| database.message().to_owned())
}

/// An error and its sources on one line, each said once.
fn one_line(error: &dyn std::error::Error) -> String {
    let mut line = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        if !line.contains(&text) {
            line = format!("{line}: {text}");
        }
        source = cause.source();
    }
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
