//! The HTTP routes of the server, read from its source code.

use std::collections::BTreeSet;

use super::tree::Tree;

/// The source folder of the server. Its modules `http` and `ws` define the routes.
const SERVER: &str = "crates/server/src/";

/// Returns the paths of all `.route("...", ...)` calls, with parameters written as `{}`. Catch-all
/// routes are left out.
pub(crate) fn of(tree: &Tree) -> BTreeSet<String> {
    let sources = tree.texts_in(SERVER, ".rs");
    let calls = sources.flat_map(|(_, source)| source.split(".route(").skip(1));
    let paths = calls.filter_map(|call| call.trim_start().strip_prefix('"')?.split('"').next());
    paths.filter(|path| !path.contains("{*")).map(without_names).collect()
}

/// Returns a text with `{}` in place of parameters, which are written `/t/{table}` or `/t/<table>`.
pub(crate) fn without_names(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '<']) {
        plain.push_str(&rest[..at]);
        let inside = &rest[at + 1..];
        let length = inside.find(|c: char| !c.is_ascii_alphanumeric() && !"_-".contains(c)).unwrap_or(0);
        if length > 0 && inside[length..].starts_with(['}', '>']) {
            plain.push_str("{}");
            rest = &inside[length + 1..];
        } else {
            plain.push_str(&rest[at..=at]);
            rest = inside;
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_found_across_line_breaks() {
        let source = "Router::new().route(\"/healthz\", get(a))\n    .route(\n        \"/api/tables/{table}\",\n        get(b),\n    )\n    .route(\"/api/{*rest}\", any(c))";
        let tree = Tree::with_files(&[
            ("crates/server/src/http/routes.rs", source),
            ("crates/web/x.rs", ".route(\"/x\")"),
        ]);
        assert_eq!(of(&tree), ["/api/tables/{}", "/healthz"].map(String::from).into());
        assert_eq!(without_names("/api/tables/<t-1>/invites"), "/api/tables/{}/invites");
        assert_eq!(
            without_names("`a<` {\"b\": 1} < 2 /{c}"),
            "`a<` {\"b\": 1} < 2 /{}",
            "these mark no parameter"
        );
    }
}
