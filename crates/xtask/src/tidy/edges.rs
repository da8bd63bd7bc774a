//! The check of dependencies between the crates of the workspace.

use anyhow::{Context, Result};
use serde_json::Value;

use super::tree::Tree;
use crate::{process, workspace};

/// Every crate with its allowed dependencies. No crate may depend on the tests or on this crate.
const ALLOWED: &[(&str, &[&str])] = &[
    ("quadrex-rules", &[]),
    ("quadrex-clock", &["quadrex-rules"]),
    ("quadrex-runtime", &[]),
    ("quadrex-progress", &[]),
    ("quadrex-metrics", &[]),
    ("quadrex-engine", &["quadrex-rules"]),
    ("quadrex-uci", &["quadrex-rules", "quadrex-engine"]),
    ("quadrex-driver", &["quadrex-rules"]),
    ("quadrex-arena", &["quadrex-rules", "quadrex-progress", "quadrex-engine", "quadrex-driver"]),
    ("quadrex-protocol", &["quadrex-rules"]),
    ("quadrex-ratings", &[]),
    (
        "quadrex-store",
        &["quadrex-rules", "quadrex-runtime", "quadrex-metrics", "quadrex-protocol", "quadrex-ratings"],
    ),
    ("quadrex-table", &["quadrex-rules", "quadrex-protocol"]),
    (
        "quadrex-cluster",
        &[
            "quadrex-rules",
            "quadrex-runtime",
            "quadrex-metrics",
            "quadrex-protocol",
            "quadrex-store",
            "quadrex-table",
        ],
    ),
    (
        "quadrex-server",
        &[
            "quadrex-rules",
            "quadrex-clock",
            "quadrex-runtime",
            "quadrex-metrics",
            "quadrex-engine",
            "quadrex-driver",
            "quadrex-protocol",
            "quadrex-cluster",
            "quadrex-ratings",
            "quadrex-store",
            "quadrex-table",
        ],
    ),
    ("quadrex-client", &["quadrex-rules", "quadrex-clock", "quadrex-protocol"]),
    (
        "quadrex-bot",
        &["quadrex-rules", "quadrex-clock", "quadrex-driver", "quadrex-protocol", "quadrex-client"],
    ),
    (
        "quadrex",
        &[
            "quadrex-rules",
            "quadrex-clock",
            "quadrex-progress",
            "quadrex-engine",
            "quadrex-uci",
            "quadrex-driver",
            "quadrex-protocol",
            "quadrex-store",
            "quadrex-server",
            "quadrex-client",
            "quadrex-bot",
        ],
    ),
    (
        "quadrex-tests",
        &[
            "quadrex-rules",
            "quadrex-clock",
            "quadrex-client",
            "quadrex-cluster",
            "quadrex-engine",
            "quadrex-uci",
            "quadrex-protocol",
            "quadrex-ratings",
            "quadrex-store",
            "quadrex-table",
            "quadrex-server",
            "quadrex",
        ],
    ),
    (
        "quadrex-simulation",
        &[
            "quadrex-rules",
            "quadrex-clock",
            "quadrex-runtime",
            "quadrex-protocol",
            "quadrex-cluster",
            "quadrex-store",
            "quadrex-server",
            "quadrex-tests",
        ],
    ),
    ("xtask", &["quadrex-progress"]),
];

pub(crate) fn check(_: &Tree) -> Result<Vec<String>> {
    let mut metadata = workspace::cargo();
    metadata.args(["metadata", "--no-deps", "--format-version", "1"]);
    faults(&serde_json::from_str(&process::stdout_of(&mut metadata)?)?)
}

fn faults(metadata: &Value) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for package in list(metadata, "packages")? {
        let name = text(package, "name")?;
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            faults.push(format!("Cargo.toml: {name} is not among the allowed edges"));
            continue;
        };
        // A dependency with a path is inside the workspace.
        for dependency in
            list(package, "dependencies")?.iter().filter(|dependency| dependency["path"].is_string())
        {
            let on = text(dependency, "name")?;
            if !allowed.contains(&on) {
                faults.push(format!("{name}: must not depend on {on}"));
            }
        }
    }
    Ok(faults)
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a Vec<Value>> {
    value[key].as_array().with_context(|| format!("cargo metadata without {key}"))
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value[key].as_str().with_context(|| format!("cargo metadata without {key}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_forbidden_dependency_and_an_unknown_crate_are_faults() {
        let metadata = json!({"packages": [
            {"name": "quadrex-rules", "dependencies": [
                {"name": "quadrex-server", "path": "/q/crates/server"}, {"name": "serde", "path": null}]},
            {"name": "quadrex-engine", "dependencies": [{"name": "quadrex-rules", "path": "/q/crates/rules"}]},
            {"name": "quadrex-uci", "dependencies": [
                {"name": "quadrex-engine", "path": "/q/crates/engine"}, {"name": "quadrex-server", "path": "/q/crates/server"}]},
            {"name": "quadrex-helpers", "dependencies": []},
        ]});
        let expected = [
            "quadrex-rules: must not depend on quadrex-server",
            "quadrex-uci: must not depend on quadrex-server",
            "Cargo.toml: quadrex-helpers is not among the allowed edges",
        ];
        assert_eq!(faults(&metadata).unwrap(), expected);
    }
}
