//! The check of migrations: a running server of the previous version must still work after an
//! `add_` migration (`migrations/README.md`).

use std::collections::BTreeSet;

use anyhow::Result;

use super::tree::Tree;

/// The migration folders, one for each database.
const FOLDERS: [&str; 2] = ["migrations/postgres/", "migrations/sqlite/"];

/// The source file with the privileges of a server's role in each Postgres table.
const ROLES: &str = "crates/store/src/postgres/roles.rs";

/// The number of the last migration that is not checked, because the rule is newer.
const LAST_UNCHECKED: usize = 4;

/// The first line of a migration that Postgres runs outside of a transaction.
const NO_TRANSACTION: &str = "-- no-transaction\n";

pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let names = FOLDERS.map(|folder| {
        let names = tree.texts_in(folder, ".sql").map(|(path, _)| path.trim_start_matches(folder));
        names.collect::<BTreeSet<_>>()
    });
    let unpaired = names[0].symmetric_difference(&names[1]);
    faults.extend(unpaired.map(|name| format!("migrations/: {name} is there for one database alone")));
    for folder in FOLDERS {
        for (number, (path, text)) in (1..).zip(tree.texts_in(folder, ".sql")) {
            let is_postgres = folder == FOLDERS[0];
            let name = path.trim_start_matches(folder);
            let found = match name.strip_prefix(&format!("{number:04}_")) {
                None => vec![format!("is not called {number:04}_what_it_does.sql")],
                Some(_) if number <= LAST_UNCHECKED => Vec::new(),
                Some(name) if name.starts_with("add_") => additions(text, is_postgres),
                Some(name) if name.starts_with("break_") => Vec::new(),
                Some(_) => vec!["is called neither add_ nor break_ what it does".to_owned()],
            };
            faults.extend(found.into_iter().map(|fault| format!("{path}: {fault}")));
        }
    }
    faults.extend(without_privileges(tree)?);
    Ok(faults)
}

/// Returns the Postgres tables in which a server's role has no privileges, so the server could not
/// use them.
fn without_privileges(tree: &Tree) -> Result<Vec<String>> {
    let roles = tree.text(ROLES)?;
    let mut faults = Vec::new();
    for (path, text) in tree.texts_in(FOLDERS[0], ".sql") {
        let statements = statements(text);
        let missing = statements
            .iter()
            .filter_map(|words| table_made(words))
            .filter(|table| !roles.contains(&format!("(\"{table}\", &[")));
        faults.extend(
            missing
                .map(|table| format!("{path}: {ROLES} does not say what a server's role may do in {table}")),
        );
    }
    Ok(faults)
}

/// Returns the statements of an additive migration that are not additions.
fn additions(text: &str, is_postgres: bool) -> Vec<String> {
    let statements = statements(text);
    let made: BTreeSet<&str> = statements.iter().filter_map(|words| table_made(words)).collect();
    let altered: BTreeSet<&str> = statements.iter().filter_map(|words| table_altered(words)).collect();
    let mut faults = Vec::new();
    if is_postgres && altered.difference(&made).count() > 1 {
        faults.push(
            "alters several tables that were there: two locks at once can wait for each other".to_owned(),
        );
    }
    for statement in &statements {
        let words: Vec<&str> = statement.iter().map(String::as_str).collect();
        let fault = match words.as_slice() {
            ["create", "table", ..] => None,
            ["alter", "table", _, "add", "column", _, definition @ ..] => column_fault(definition),
            ["create", "unique", "index", _, "on", table, ..] if !made.contains(table) => {
                Some(format!("{table} was there before: an older server may write what is not unique"))
            }
            ["create", "unique", "index", _, "on", ..] => None,
            ["create", "index", "concurrently", _, "on", ..] => {
                let is_alone = statements.len() == 1 && text.starts_with(NO_TRANSACTION);
                (!is_alone)
                    .then(|| format!("an index is made concurrently only alone and after {NO_TRANSACTION:?}"))
            }
            ["create", "index", _, "on", table, ..] if is_postgres && !made.contains(table) => Some(format!(
                "an index on {table}, which was there before, is made concurrently: nobody could write there"
            )),
            ["create", "index", _, "on", ..] => None,
            words => Some(format!(
                "{:?} is no addition",
                words.iter().take(4).copied().collect::<Vec<_>>().join(" ")
            )),
        };
        faults.extend(fault);
    }
    faults
}

/// Returns the reason why adding a column would break a server that does not know the column.
fn column_fault(definition: &[&str]) -> Option<String> {
    let has = |wanted: &[&str]| definition.windows(wanted.len()).any(|words| words == wanted);
    let default = definition.iter().position(|word| *word == "default").map(|at| definition.get(at + 1));
    let is_literal = |word: &&str| {
        word.starts_with(|first: char| first == '\'' || first == '-' || first.is_ascii_digit())
            || ["true", "false", "null"].contains(word)
    };
    if has(&["not", "null"]) && default.is_none() {
        Some("a column that is not null needs a default: an older server does not name it".to_owned())
    } else if default.is_some_and(|value| !value.is_some_and(is_literal)) {
        Some("a default is a literal: anything else writes every row anew".to_owned())
    } else if has(&["unique"]) || has(&["primary", "key"]) {
        Some("a new column is not unique: every row has the same at first".to_owned())
    } else {
        None
    }
}

/// Returns the table that a statement creates.
fn table_made(words: &[String]) -> Option<&str> {
    match words {
        [create, table, name, ..] if create == "create" && table == "table" => Some(name),
        _ => None,
    }
}

/// Returns the table that a statement alters.
fn table_altered(words: &[String]) -> Option<&str> {
    match words {
        [alter, table, name, ..] if alter == "alter" && table == "table" => Some(name),
        _ => None,
    }
}

/// Splits a script into statements of lower-case words. Brackets and commas are separate words. A
/// text with a semicolon is split, and neither part is accepted as an addition.
fn statements(text: &str) -> Vec<Vec<String>> {
    let code: String =
        text.lines().map(|line| line.split("--").next().unwrap_or(line).to_lowercase() + "\n").collect();
    let words = |statement: &str| {
        let apart = statement.replace('(', " ( ").replace(')', " ) ").replace(',', " , ");
        apart.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    code.split(';').map(words).filter(|words| !words.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the faults of migration 5 with this name and this Postgres script, and an empty
    /// SQLite script.
    fn faults(name: &str, text: &str) -> Vec<String> {
        let mut files: Vec<(String, &str)> = Vec::new();
        for folder in FOLDERS {
            files.extend((1..=4).map(|number| (format!("{folder}000{number}_old.sql"), "drop table x;")));
        }
        files.push((format!("{}{name}", FOLDERS[0]), text));
        files.push((format!("{}{name}", FOLDERS[1]), ""));
        files.push((ROLES.to_owned(), "(\"ratings\", &[\"select\"]), (\"if\", &[])"));
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let path = format!("{}{name}: ", FOLDERS[0]);
        check(&Tree::with_files(&files)).unwrap().iter().map(|fault| fault.replace(&path, "")).collect()
    }

    #[test]
    fn additive_statements_are_accepted() {
        let good = "-- drop nothing; a row is a rating
            create table ratings (user_id uuid primary key, stars integer not null);
            create index ratings_stars on ratings (stars);
            create unique index ratings_once on ratings (user_id, stars);
            alter table users add column bio text;
            ALTER TABLE users ADD COLUMN locale text NOT NULL DEFAULT 'en' check (locale <> '');
            alter table users add column born_at timestamptz references x (y);";
        assert_eq!(faults("0005_add_ratings.sql", good), [""; 0]);
        let index = "-- no-transaction\ncreate index concurrently a on users (name);";
        assert_eq!(faults("0005_add_index.sql", index), [""; 0]);
        assert_eq!(faults("0005_break_users.sql", "drop table users;"), [""; 0]);
    }

    #[test]
    fn other_statements_in_additive_migrations_are_faults() {
        for (statement, fault) in [
            ("drop table users;", "\"drop table users\" is no addition"),
            ("alter table users drop column name;", "\"alter table users drop\" is no addition"),
            ("alter table users rename to people;", "\"alter table users rename\" is no addition"),
            (
                "alter table users alter column name type varchar;",
                "\"alter table users alter\" is no addition",
            ),
            ("update users set name = 'x';", "\"update users set name\" is no addition"),
            ("create table if not exists a; delete from users;", "\"delete from users\" is no addition"),
            ("alter table users add constraint c check (true);", "\"alter table users add\" is no addition"),
            (
                "create index a on users (name);",
                "an index on users, which was there before, is made concurrently: nobody could write there",
            ),
            (
                "create index concurrently a on users (name);",
                "an index is made concurrently only alone and after \"-- no-transaction\\n\"",
            ),
            (
                "create unique index a on users (name);",
                "users was there before: an older server may write what is not unique",
            ),
            (
                "alter table users add column a text not null;",
                "a column that is not null needs a default: an older server does not name it",
            ),
            (
                "alter table users add column a uuid default gen_random_uuid();",
                "a default is a literal: anything else writes every row anew",
            ),
            (
                "alter table users add column a text; alter table links add column a text;",
                "alters several tables that were there: two locks at once can wait for each other",
            ),
            (
                "alter table users add column a text unique;",
                "a new column is not unique: every row has the same at first",
            ),
        ] {
            assert_eq!(faults("0005_add_it.sql", statement), [fault], "{statement}");
        }
    }

    #[test]
    fn a_table_without_grants_for_the_server_s_role_is_a_fault() {
        assert_eq!(
            faults("0005_add_it.sql", "create table badges (id uuid); create table ratings (id uuid);"),
            [format!("{ROLES} does not say what a server's role may do in badges")]
        );
    }

    #[test]
    fn migration_names_are_valid_and_equal_for_both_databases() {
        assert_eq!(
            faults("0005_ratings.sql", ""),
            [
                "is called neither add_ nor break_ what it does",
                "migrations/sqlite/0005_ratings.sql: is called neither add_ nor break_ what it does",
            ]
        );
        assert_eq!(faults("0006_add_it.sql", "").len(), 2);
        let alone = Tree::with_files(&[("migrations/sqlite/0001_first.sql", ""), (ROLES, "")]);
        assert_eq!(check(&alone).unwrap(), ["migrations/: 0001_first.sql is there for one database alone"]);
    }
}
