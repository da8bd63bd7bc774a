//! The HTTP routes of the server, read from its sources.

use std::collections::BTreeSet;

use super::tree::Tree;

const TRANSPORT: &str = "crates/server/src/transport";

/// The path of every `.route("...", ...)`, parameters written as `{}`; without those that catch all that is left.
pub(crate) fn of(tree: &Tree) -> BTreeSet<String> {
    let sources = tree.texts_in(TRANSPORT, ".rs");
    let calls = sources.flat_map(|(_, source)| source.split(".route(").skip(1));
    let paths = calls.filter_map(|call| call.trim_start().strip_prefix('"')?.split('"').next());
    paths.filter(|path| !path.contains("{*")).map(without_names).collect()
}

/// A path with its parameters' names left out, however they are marked: `/t/{table}`, `/t/<table>`.
pub(crate) fn without_names(path: &str) -> String {
    let mut plain = String::new();
    let mut inside = false;
    for c in path.chars() {
        match c {
            '{' | '<' => {
                inside = true;
                plain.push_str("{}");
            }
            '}' | '>' => inside = false,
            _ if inside => {}
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_found_over_line_breaks_and_without_their_parameters_names() {
        let source = "Router::new().route(\"/healthz\", get(a))\n    .route(\n        \"/api/tables/{table}\",\n        get(b),\n    )\n    .route(\"/api/{*rest}\", any(c))";
        let tree = Tree::planted(&[
            ("crates/server/src/transport/http.rs", source),
            ("crates/web/x.rs", ".route(\"/x\")"),
        ]);
        assert_eq!(of(&tree), ["/api/tables/{}", "/healthz"].map(String::from).into());
        assert_eq!(without_names("/api/tables/<t1>/invites"), "/api/tables/{}/invites");
    }
}
