//! The check of dependencies between the server's modules, and of the modules that may use the
//! database library and the web framework.

use std::collections::BTreeSet;

use anyhow::Result;

use super::rust::{code_of, has_word, words};
use super::tree::Tree;

const SERVER: &str = "crates/server/src/";

/// Every module of the server with the modules that it may use.
const ALLOWED: [(&str, &[&str]); 21] = [
    ("ws", &["http", "limits", "actor", "auth", "bus", "lobby"]),
    (
        "http",
        &[
            "actor",
            "archive",
            "auth",
            "bots",
            "explore",
            "fair_play",
            "limits",
            "lobby",
            "mail",
            "moderation",
            "network",
            "notifications",
            "people",
            "picture",
            "providers",
            "reviews",
        ],
    ),
    ("reviews", &["bots", "lobby", "cluster"]),
    ("limits", &["actor", "cluster"]),
    ("bots", &["actor"]),
    ("fair_play", &[]),
    ("people", &[]),
    ("picture", &[]),
    ("network", &[]),
    ("notifications", &["actor", "lobby", "mail", "outgoing"]),
    ("mail", &["auth"]),
    ("outgoing", &[]),
    ("providers", &["auth", "outgoing"]),
    ("archive", &[]),
    ("moderation", &[]),
    ("lobby", &["actor", "bus", "cluster", "fair_play"]),
    ("actor", &["bus", "cluster", "fair_play"]),
    ("cluster", &["bus"]),
    ("auth", &["cluster"]),
    ("explore", &[]),
    ("bus", &[]),
];

/// The modules that every module may use. They use no other module.
const SHARED_MODULES: [&str; 5] = ["config", "telemetry", "fault", "lease", "stop"];

/// The module that assembles the server. It uses all modules, and no module uses it.
const ROOT: &str = "app";

/// The libraries that only some folders may use.
const RESTRICTED_LIBRARIES: [(&str, &[&str]); 4] = [
    ("lettre", &["crates/server/src/mail/"]),
    ("sqlx", &["crates/store/src/"]),
    ("axum", &["crates/server/src/http/", "crates/server/src/ws/", "crates/server/src/limits/"]),
    ("axum_extra", &["crates/server/src/http/"]),
];

pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (path, source) in tree.texts_in("crates/", ".rs") {
        let code = code_of(source);
        let own = path.strip_prefix(SERVER).map(module_path);
        let module = own.as_deref().and_then(|path| path.first().copied());
        for (library, homes) in RESTRICTED_LIBRARIES {
            if !homes.iter().any(|home| path.starts_with(home)) && has_word(&code, library) {
                faults.push(format!("{path}: {library} may be named only under {}", homes.join(", ")));
            }
        }
        if let (Some(own), Some(module)) = (&own, module) {
            faults.extend(
                forbidden(module, &used(&code, own.len()))
                    .into_iter()
                    .map(|fault| format!("{path}: {fault}")),
            );
        }
    }
    Ok(faults)
}

/// Returns the module path of a file. `actor/record.rs` is `actor::record`, and `lib.rs` is the
/// root of the crate.
fn module_path(file: &str) -> Vec<&str> {
    let names = file.trim_end_matches(".rs").split('/');
    names.filter(|name| !["lib", "mod"].contains(name)).collect()
}

/// Returns a fault for each module that `module` uses and must not use.
fn forbidden(module: &str, used: &BTreeSet<String>) -> Vec<String> {
    let allowed = match ALLOWED.iter().find(|(known, _)| *known == module) {
        Some((_, allowed)) => *allowed,
        None if SHARED_MODULES.contains(&module) => &[],
        None if module == ROOT => return Vec::new(),
        None => return vec![format!("{module} is not among the allowed edges")],
    };
    let bound = |other: &str| other == ROOT || ALLOWED.iter().any(|(known, _)| *known == other);
    let wrong = used
        .iter()
        .map(String::as_str)
        .filter(|other| bound(other) && *other != module && !allowed.contains(other));
    wrong.map(|other| format!("{module} must not use {other}")).collect()
}

/// Returns the modules that a file uses: the first names after `crate::`, also in groups
/// (`crate::{a::b, c}`), and after `super::` repeated up to the root. `depth` is the depth of the
/// file's module.
fn used(code: &str, depth: usize) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let mut supers = 0;
    for (start, word) in words(code) {
        let rest = &code[start + word.len()..];
        supers = if word == "super" { supers + 1 } else { 0 };
        if (word == "crate" || (word == "super" && supers >= depth)) && rest.trim_start().starts_with("::") {
            used.extend(first_names(rest.trim_start().trim_start_matches("::").trim_start()));
        }
    }
    used
}

/// Returns the first name of a path, or the first names of all paths in a group in braces.
fn first_names(path: &str) -> Vec<String> {
    let name = |path: &str| words(path).next().map(|(_, word)| word.to_owned());
    let Some(group) = path.strip_prefix('{') else { return name(path).into_iter().collect() };
    let mut names = Vec::new();
    let mut depth = 0_u32;
    let mut part = 0;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '}' | ',' if depth == 0 => {
                names.extend(name(&group[part..at]));
                part = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, source: &str) -> Vec<String> {
        check(&Tree::with_files(&[(path, source)])).unwrap()
    }

    #[test]
    fn a_forbidden_use_is_a_fault_in_every_syntax() {
        let expected = ["crates/server/src/actor/record.rs: actor must not use lobby"];
        for source in [
            "use crate::lobby::Lobby;",
            "fn f() { crate::lobby::open() }",
            "use crate::{bus::{Bus, Published}, lobby};",
            "use super::super::lobby::Lobby;",
        ] {
            assert_eq!(faults("crates/server/src/actor/record.rs", source), expected, "{source}");
        }
    }

    #[test]
    fn allowed_uses_shared_modules_and_comments_are_no_faults() {
        let source = "//! See [`crate::lobby`].\nuse crate::{bus::Bus, config::Clocks};\nuse super::state;\n";
        assert_eq!(faults("crates/server/src/actor/record.rs", source), [""; 0]);
        assert_eq!(faults("crates/server/src/lib.rs", "pub mod actor; use crate::http::serve;"), [""; 0]);
        assert_eq!(faults("crates/server/src/actor.rs", "mod record; use crate::bus::Bus;"), [""; 0]);
    }

    #[test]
    fn a_module_that_is_not_listed_is_a_fault() {
        assert_eq!(faults("crates/server/src/app/mod.rs", "use crate::{lobby::Lobby, http};"), [""; 0]);
        assert_eq!(
            faults("crates/server/src/http/state.rs", "use crate::app::Server;"),
            ["crates/server/src/http/state.rs: http must not use app"],
        );
        assert_eq!(
            faults("crates/server/src/config/mod.rs", "use crate::lobby::Lobby;"),
            ["crates/server/src/config/mod.rs: config must not use lobby"],
        );
        assert_eq!(
            faults("crates/server/src/helpers.rs", ""),
            ["crates/server/src/helpers.rs: helpers is not among the allowed edges"],
        );
    }

    #[test]
    fn sqlx_and_axum_are_faults_outside_of_their_modules() {
        assert_eq!(
            faults("crates/server/src/actor/record.rs", "use sqlx::Row;"),
            ["crates/server/src/actor/record.rs: sqlx may be named only under crates/store/src/"],
        );
        assert_eq!(
            faults("crates/quadrex/src/main.rs", "use axum::Router;"),
            [
                "crates/quadrex/src/main.rs: axum may be named only under crates/server/src/http/, crates/server/src/ws/, crates/server/src/limits/"
            ],
        );
        assert_eq!(faults("crates/store/src/postgres/mod.rs", "use sqlx::Row;"), [""; 0]);
        assert_eq!(faults("crates/server/src/telemetry.rs", "let quiet = \"sqlx=warn\";"), [""; 0]);
    }
}
