//! Comparison of a database's schema with the schema of this program, and migrations.

use std::collections::BTreeSet;
use std::fmt;

use sqlx::migrate::{Migrate, MigrateError, Migration, Migrator};

use super::error::ConnectError;
use super::location::Location;
use crate::error_chain::chain;

/// The prefix of the names of migrations that only add to the schema. A program that does not know
/// such a migration works with the database nevertheless (`migrations/README.md`).
const ADDITIVE_PREFIX: &str = "add ";

/// The table in which sqlx records the migrations that were applied to a database.
const TABLE: &str = "_sqlx_migrations";

/// A migration that was applied to the database.
#[derive(sqlx::FromRow)]
pub(super) struct Applied {
    version: i64,
    /// The name of the migration, with spaces instead of underscores.
    description: String,
    /// False if the migration began and was not finished.
    success: bool,
    checksum: Vec<u8>,
}

/// The state of a database's schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The number of the newest applied migration; 0 if there is none.
    pub found: i64,
    /// The number of the newest migration that this program knows.
    pub known: i64,
    /// The file names of the migrations that this program would apply when it starts.
    pub pending: Vec<String>,
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { found, known, pending } = self;
        match pending.as_slice() {
            [] if found > known => write!(f, "{found}, newer than this program's {known} by additions alone"),
            [] => write!(f, "{found}, as this program knows it"),
            pending => write!(f, "{found}, a start brings it to {known}: {}", pending.join(", ")),
        }
    }
}

/// Returns the schema of a database without applied migrations.
pub(super) fn empty(migrator: &Migrator) -> Schema {
    let known = migrator.iter().map(|migration| migration.version).max().unwrap_or(0);
    Schema { found: 0, known, pending: migrator.iter().map(name).collect() }
}

/// Compares the applied migrations of a database with the migrations of this program.
///
/// # Errors
/// Returns [`ConnectError::Newer`] if an applied migration is unknown to this program and not
/// additive. Returns [`ConnectError::Migration`] if a migration was not finished, or differs from
/// this program's migration with the same number.
pub(super) fn compare(
    migrator: &Migrator,
    applied: &[Applied],
    location: &Location,
) -> Result<Schema, ConnectError> {
    let Schema { known, .. } = empty(migrator);
    let found = applied.iter().map(|applied| applied.version).max().unwrap_or(0);
    let refuse = |reason| Err(ConnectError::Migration { location: location.clone(), reason });
    for Applied { version, description, success, checksum } in applied {
        let ours = migrator.iter().find(|migration| migration.version == *version);
        match ours {
            None if *version > known && !description.starts_with(ADDITIVE_PREFIX) => {
                return Err(ConnectError::Newer { location: location.clone(), found, known });
            }
            _ if !success => return refuse(format!("its schema {version} was begun and not finished")),
            None if *version > known => {}
            None => return refuse(format!("this program knows no schema {version}")),
            Some(ours) if *ours.checksum != **checksum => {
                return refuse(format!("its schema {version} came from another program than this one"));
            }
            Some(_) => {}
        }
    }
    let run: BTreeSet<_> = applied.iter().map(|applied| applied.version).collect();
    let pending = migrator.iter().filter(|migration| !run.contains(&migration.version)).map(name).collect();
    Ok(Schema { found, known, pending })
}

/// A migration that is about to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationStep {
    /// The number of this migration among the pending migrations, counted from 1.
    pub number: usize,
    /// The number of pending migrations.
    pub of: usize,
    /// The name of the migration's file.
    pub name: String,
}

/// A function that is called before each migration, and with `None` after the last migration.
type Observer = Box<dyn Fn(Option<&MigrationStep>) + Send + Sync>;

tokio::task_local! {
    static OBSERVER: Observer;
}

/// Awaits a future and returns its output. Calls `observer` before each migration that the future
/// runs, and with `None` after the last migration.
pub async fn observe_migrations<F: Future>(
    observer: impl Fn(Option<&MigrationStep>) + Send + Sync + 'static,
    future: F,
) -> F::Output {
    OBSERVER.scope(Box::new(observer), future).await
}

fn notify(step: Option<&MigrationStep>) {
    // The error means that there is no observer.
    let _ = OBSERVER.try_with(|observer| observer(step));
}

/// Applies the pending migrations to a database.
///
/// # Errors
/// Returns [`ConnectError::Migration`] if a migration fails. The migrations before it stay applied.
pub(super) async fn migrate<C: Migrate>(
    migrator: &Migrator,
    connection: &mut C,
    schema: &Schema,
    location: &Location,
) -> Result<(), ConnectError> {
    if schema.found > schema.known {
        tracing::warn!("{location} has schema {schema}");
    }
    if schema.pending.is_empty() {
        return Ok(());
    }
    run(migrator, connection)
        .await
        .map_err(|error| ConnectError::Migration { location: location.clone(), reason: chain(&error) })
}

/// Applies the pending migrations like [`Migrator::run_direct`], under the same lock, and notifies
/// the observer.
async fn run<C: Migrate>(migrator: &Migrator, connection: &mut C) -> Result<(), MigrateError> {
    connection.lock().await?;
    connection.ensure_migrations_table(TABLE).await?;
    if let Some(version) = connection.dirty_version(TABLE).await? {
        return Err(MigrateError::Dirty(version));
    }
    // Another server may have applied some migrations after the schema was read.
    let applied = connection.list_applied_migrations(TABLE).await?;
    let mut pending = Vec::new();
    for migration in migrator.iter() {
        match applied.iter().find(|applied| applied.version == migration.version) {
            None => pending.push(migration),
            Some(applied) if applied.checksum == migration.checksum => {}
            Some(_) => return Err(MigrateError::VersionMismatch(migration.version)),
        }
    }
    for (number, migration) in (1..).zip(&pending) {
        notify(Some(&MigrationStep { number, of: pending.len(), name: name(migration) }));
        connection.apply(TABLE, migration).await?;
    }
    notify(None);
    connection.unlock().await
}

/// Returns the name of a migration's file.
fn name(migration: &Migration) -> String {
    format!("{:04}_{}", migration.version, migration.description.replace(' ', "_"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use std::sync::{Arc, Mutex};

    use sqlx::migrate::MigrationType;
    use sqlx::{Connection, SqlSafeStr};

    use super::*;

    fn known() -> Migrator {
        let migration = |(version, name): (i64, &'static str)| {
            let kind = MigrationType::Simple;
            Migration::new(version, name.into(), kind, "create table users (id)".into_sql_str(), false)
        };
        Migrator::with_migrations([(1, "first"), (2, "lot"), (3, "add ratings")].map(migration).into())
    }

    /// Returns the applied migrations of a database: the first `ours` migrations of this program,
    /// and then others.
    fn applied(ours: usize, others: &[(i64, &str, bool)]) -> Vec<Applied> {
        let ours = known()
            .iter()
            .take(ours)
            .map(|ours| Applied {
                version: ours.version,
                description: ours.description.to_string(),
                success: true,
                checksum: ours.checksum.to_vec(),
            })
            .collect::<Vec<_>>();
        let others = others.iter().map(|&(version, name, success)| Applied {
            version,
            description: name.to_owned(),
            success,
            checksum: vec![1],
        });
        ours.into_iter().chain(others).collect()
    }

    fn described(applied: &[Applied]) -> String {
        match compare(&known(), applied, &Location::Sqlite(PathBuf::from("q.db"))) {
            Ok(schema) => schema.to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// The observer is called before each pending migration and after the last one.
    #[tokio::test]
    async fn migrations_are_observed_one_by_one() {
        let migration = |(version, sql): (i64, &'static str)| {
            Migration::new(version, "add table".into(), MigrationType::Simple, sql.into_sql_str(), false)
        };
        let all = [(1, "create table a (id)"), (2, "create table b (id)"), (3, "create table c (id)")];
        let migrator = Migrator::with_migrations(all.map(migration).into());
        let location = Location::Sqlite(PathBuf::from("q.db"));
        let mut connection = sqlx::SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let first = Migrator::with_migrations(migrator.iter().take(1).cloned().collect());
        migrate(&first, &mut connection, &empty(&first), &location).await.unwrap();
        let pending = migrator.iter().skip(1).map(name).collect();
        let schema = Schema { found: 1, known: 3, pending };

        let seen = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&seen);
        let observer = move |step: Option<&MigrationStep>| record.lock().unwrap().push(step.cloned());
        observe_migrations(observer, migrate(&migrator, &mut connection, &schema, &location)).await.unwrap();
        let step = |number, name: &str| Some(MigrationStep { number, of: 2, name: name.to_owned() });
        assert_eq!(*seen.lock().unwrap(), [step(1, "0002_add_table"), step(2, "0003_add_table"), None]);
        sqlx::query("select a.id, b.id, c.id from a, b, c").execute(&mut connection).await.unwrap();
    }

    #[test]
    fn pending_migrations_are_listed_by_their_file_names() {
        assert_eq!(described(&applied(3, &[])), "3, as this program knows it");
        assert_eq!(described(&applied(1, &[])), "1, a start brings it to 3: 0002_lot, 0003_add_ratings");
        assert_eq!(
            empty(&known()).to_string(),
            "0, a start brings it to 3: 0001_first, 0002_lot, 0003_add_ratings"
        );
    }

    #[test]
    fn a_newer_schema_is_accepted_only_if_its_migrations_are_additive() {
        let added = [(4, "add bots", true), (5, "add more of them", true)];
        assert_eq!(described(&applied(3, &added)), "5, newer than this program's 3 by additions alone");
        let newer = "sqlite q.db has schema 5, this program knows schemas up to 3: use a newer quadrex";
        assert_eq!(described(&applied(3, &[(4, "add bots", true), (5, "break chat", true)])), newer);
        assert_eq!(described(&applied(3, &[(4, "break chat", true), (5, "add bots", true)])), newer);
    }

    #[test]
    fn foreign_and_unfinished_migrations_are_refused() {
        let refused = |what: &str| format!("sqlite q.db cannot be brought to this program's schema: {what}");
        let other = applied(0, &[(1, "first", true)]);
        assert_eq!(described(&other), refused("its schema 1 came from another program than this one"));
        assert_eq!(described(&applied(3, &[(0, "add", true)])), refused("this program knows no schema 0"));
        let half = applied(3, &[(4, "add bots", false)]);
        assert_eq!(described(&half), refused("its schema 4 was begun and not finished"));
    }
}
