//! The places that may name a variant: everything else asks it for its facts.

use anyhow::Result;

use super::source::{code_of, is_source};
use super::tree::Tree;

/// The names of variants in Rust code.
const PATHS: [&str; 3] = ["Variant::Classic", "Variant::Dilkel", "Variant::DilkelCompact"];

/// The names of variants in texts.
const NAMES: [&str; 3] = ["classic", "dilkel", "dilkel-compact"];

/// The files and folders that name variants, each with its reason.
const HOMES: [(&str, &str); 13] = [
    ("crates/rules/src/variant/", "defines them"),
    ("crates/rules/src/any.rs", "has a position of each"),
    ("crates/rules/src/notation/", "a notation belongs to a variant"),
    ("crates/rules/src/setup/fen.rs", "a notation belongs to a variant"),
    ("crates/engine/src/evaluation/mod.rs", "has the weights of each"),
    ("crates/uci/src/", "UCI has its own names and its own default"),
    ("crates/arena/src/bin/", "measures chosen ones"),
    ("crates/server/src/http/link_preview/texts.rs", "has the name of each in every language"),
    ("crates/web/src/text/", "has the name of each in every language"),
    ("crates/web/src/store/variants.ts", "lists them in order"),
    ("crates/web/src/view/lobby/", "offers some first"),
    ("crates/web/src/view/rules/", "teaches one of each kind"),
    ("crates/xtask/src/tidy/variants.rs", "has their names to find them"),
];

/// Returns a fault for each line that names a variant outside its homes and outside tests.
pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let sources = tree.texts_in("crates/", "").filter(|(path, _)| is_source(path) && !is_of_tests(path));
    for (path, source) in sources.filter(|(path, _)| HOMES.iter().all(|(home, _)| !path.starts_with(home))) {
        let source = without_tests(source);
        let code = code_of(path, source);
        for (number, (line, code)) in source.lines().zip(code.lines()).enumerate() {
            if let Some(name) = path_in(code).or_else(|| text_in(line, code)) {
                faults.push(format!(
                    "{path}:{}: names {name}; ask the variant for a fact, or give this file a reason in {}",
                    number + 1,
                    file!()
                ));
            }
        }
    }
    Ok(faults)
}

/// Returns whether a file has tests, benchmarks or examples alone.
fn is_of_tests(path: &str) -> bool {
    let is_folder = |name: &str| path.split('/').any(|part| part == name);
    ["tests", "test", "benches", "examples"].into_iter().any(is_folder)
        || path.ends_with("/tests.rs")
        || path.contains(".test.")
}

/// Returns a source up to the module of its tests.
fn without_tests(source: &str) -> &str {
    source.find("#[cfg(test)]\nmod tests {").map_or(source, |at| &source[..at])
}

/// Returns the variant that a line of code names by its path.
fn path_in(code: &str) -> Option<&'static str> {
    PATHS.into_iter().find(|name| {
        code.match_indices(name).any(|(at, _)| {
            let next = code[at + name.len()..].chars().next();
            !next.is_some_and(|c| c.is_alphanumeric() || c == '_')
        })
    })
}

/// Returns the variant whose name is a whole text in a line; `code` is the line without comments
/// and texts.
fn text_in(line: &str, code: &str) -> Option<&'static str> {
    NAMES.into_iter().find(|name| {
        ['"', '\''].into_iter().any(|quote| {
            let text = format!("{quote}{name}{quote}");
            let is_comment = |at: usize| line[..at].contains("//") || line.trim_start().starts_with('*');
            line.match_indices(&text).any(|(at, _)| !is_comment(at) && code.get(at..=at) == Some(" "))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, source: &str) -> Vec<String> {
        let faults = check(&Tree::planted(&[(path, source)])).unwrap();
        faults.iter().map(|fault| fault.split("; ").next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn a_variant_name_outside_of_the_allowed_files_is_a_fault() {
        let path = "crates/server/src/lobby/mod.rs";
        assert_eq!(lines(path, "\nlet x = Variant::Dilkel;\n"), [format!("{path}:2: names Variant::Dilkel")]);
        assert_eq!(
            lines(path, "match v { Variant::DilkelCompact => 1 }"),
            [format!("{path}:1: names Variant::DilkelCompact")]
        );
        assert_eq!(lines(path, "let x = \"dilkel\";"), [format!("{path}:1: names dilkel")]);
        let path = "crates/web/src/chess/a.tsx";
        assert_eq!(lines(path, "if (variant === 'classic') {"), [format!("{path}:1: names classic")]);
    }

    #[test]
    fn variant_names_are_allowed_in_tests_and_comments() {
        let path = "crates/server/src/lobby/mod.rs";
        for source in [
            "/// Not [`Variant::Classic`].\nfn a() {}",
            "let a = Variant::Classical; // \"classic\"",
            "let a = \"a classic game\";",
            "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    const A: Variant = Variant::Dilkel;\n}\n",
        ] {
            assert_eq!(lines(path, source), [""; 0], "{source}");
        }
        for path in [
            "crates/rules/src/variant/facts.rs",
            "crates/quadrex/tests/render.rs",
            "crates/server/src/explore/tests.rs",
            "crates/engine/benches/speed.rs",
            "tests/src/referee.rs",
            "docs/RULES.md",
        ] {
            assert_eq!(lines(path, "let x = Variant::Dilkel;"), [""; 0], "{path}");
        }
    }
}
