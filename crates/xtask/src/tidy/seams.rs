//! The check that servers start tasks, use threads and the network of clients, and read the time and
//! facts about the machine only through the crate `runtime`, so that a simulation can replace them.

use anyhow::Result;

use super::rust::code_of;
use super::tree::Tree;

/// The crates whose code runs in simulations.
const CRATES: [&str; 4] =
    ["crates/server/src/", "crates/store/src/", "crates/cluster/src/", "crates/table/src/"];

/// The calls that a simulation cannot replace.
const BANNED: [&str; 10] = [
    "tokio::spawn(",
    "task::spawn(",
    "spawn_blocking(",
    "thread::spawn(",
    "thread::Builder",
    "Instant::now(",
    "SystemTime::now(",
    "process::id(",
    "uname(",
    "available_parallelism(",
];

/// The files that have such calls for a reason.
const EXCEPTIONS: [&str; 1] = [
    // The threads of the bots, in place of which a simulation has tasks.
    "crates/server/src/bots/pool/mod.rs",
];

pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for folder in CRATES {
        for (path, text) in tree.texts_in(folder, ".rs") {
            let is_test = path.contains("/tests") || path.ends_with("testing.rs");
            if is_test || EXCEPTIONS.contains(&path) {
                continue;
            }
            let code = code_of(text);
            let program = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or(&code);
            for (number, line) in program.lines().enumerate() {
                let banned = BANNED.iter().find(|banned| line.contains(**banned));
                faults.extend(
                    banned.map(|banned| {
                        format!("{path}:{}: {banned} outside of the crate `runtime`", number + 1)
                    }),
                );
            }
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_started_only_by_the_crate_for_it() {
        let bad = "fn f() {\n    tokio::spawn(async {});\n}\n#[cfg(test)]\nmod tests {\n    fn g() { tokio::spawn(async {}); }\n}\n";
        let good = "fn f() {\n    quadrex_runtime::spawn(async {}); // not tokio::spawn(\n}\n";
        let files =
            [("crates/server/src/a.rs", bad), ("crates/store/src/b.rs", good), ("tests/src/c.rs", bad)];
        let faults = check(&Tree::with_files(&files)).unwrap();
        assert_eq!(faults, ["crates/server/src/a.rs:2: tokio::spawn( outside of the crate `runtime`"]);
    }
}
