//! The check that `docs/PROTOCOL.md` shows every frame and names every route.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::routes;
use super::tree::Tree;
use crate::generate::SCHEMAS;

const DOCUMENT: &str = "docs/PROTOCOL.md";
/// The schemas of frames, which have the tag `t`.
const FRAMES: [&str; 2] = ["client_frame.json", "server_frame.json"];

pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let document = tree.text(DOCUMENT)?;
    let spaceless: String = document.split_whitespace().collect();
    let mut faults = Vec::new();
    for name in FRAMES {
        let path = format!("{SCHEMAS}/{name}");
        let schema = serde_json::from_str(tree.text(&path)?).with_context(|| format!("reading {path}"))?;
        let mut tags = BTreeSet::new();
        collect_tags(&schema, &mut tags);
        if tags.is_empty() {
            bail!("{path} describes no frame with a tag t");
        }
        let unnamed = tags.into_iter().filter(|tag| !spaceless.contains(&format!("\"t\":\"{tag}\"")));
        faults.extend(unnamed.map(|tag| format!("{DOCUMENT}: shows no frame {tag} ({name})")));
    }

    let plain = routes::without_names(document);
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || "/-_{".contains(c));
    let named =
        |route: &String| plain.match_indices(route.as_str()).any(|(at, _)| ends(&plain[at + route.len()..]));
    let routes = routes::of(tree);
    faults.extend(
        routes
            .iter()
            .filter(|route| !named(route))
            .map(|route| format!("{DOCUMENT}: does not name the route {route}")),
    );
    Ok(faults)
}

/// Collects the constant values of the property `t` anywhere in a schema.
fn collect_tags(schema: &Value, tags: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            tags.extend(schema["properties"]["t"]["const"].as_str().map(str::to_owned));
            members.values().for_each(|member| collect_tags(member, tags));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_tags(item, tags)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"{"oneOf": [
        {"properties": {"t": {"type": "string", "const": "hello"}}},
        {"properties": {"t": {"const": "watch"}, "table": {"const": "x"}}}]}"#;

    fn faults(document: &str) -> Vec<String> {
        check(&Tree::with_files(&[
            (DOCUMENT, document),
            ("docs/schema/client_frame.json", SCHEMA),
            ("docs/schema/server_frame.json", SCHEMA),
            (
                "crates/server/src/http/routes.rs",
                r#".route("/api/tables", a).route("/api/tables/{table}/invites", b)"#,
            ),
        ]))
        .unwrap()
    }

    #[test]
    fn frames_and_routes_that_the_document_lacks_are_faults() {
        let expected = [
            "docs/PROTOCOL.md: shows no frame watch (client_frame.json)",
            "docs/PROTOCOL.md: shows no frame watch (server_frame.json)",
            "docs/PROTOCOL.md: does not name the route /api/tables",
        ];
        assert_eq!(faults("{\"t\": \"hello\"} watch `POST /api/tables/<table>/invites`"), expected);
    }

    #[test]
    fn a_complete_document_has_no_faults() {
        let whole =
            "{\"t\": \"hello\"} {\"t\":\"watch\"} `POST /api/tables` `POST /api/tables/{table}/invites`";
        assert_eq!(faults(whole), [""; 0]);
    }
}
