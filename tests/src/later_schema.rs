//! The additive migration of a later release, which servers of this version do not know.

use crate::database::Database;

/// All tables of the database.
const TABLES: [&str; 14] = [
    "users",
    "sessions",
    "tables",
    "table_requests",
    "turn_absences",
    "links",
    "matches",
    "match_event",
    "server_life",
    "nodes",
    "handovers",
    "archived_matches",
    "archived_seats",
    "archived_names",
];

/// Returns statements like those of a later release: new columns and an index in every table, and a
/// new table. Each statement is one change, as `migrations/README.md` requires.
pub fn additions(database: &Database) -> Vec<String> {
    let concurrently = if matches!(database, Database::Sqlite) { "" } else { "concurrently " };
    let mut additions: Vec<String> = TABLES
        .iter()
        .flat_map(|table| {
            [
                format!("alter table {table} add column later_note text"),
                format!("alter table {table} add column later_kind text not null default 'old'"),
                format!("create index {concurrently}later_{table} on {table} (later_kind)"),
            ]
        })
        .collect();
    additions.push("create table later (id integer primary key, note text not null)".to_owned());
    additions.push(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
         values (9999, 'add later', true, '', 0)"
            .to_owned(),
    );
    additions
}
