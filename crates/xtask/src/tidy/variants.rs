//! The check that only a few files name a variant. All other code gets the facts from the variant.

use anyhow::Result;

use super::source::{code_of, is_source};
use super::tree::Tree;

/// The folder that defines the variants.
pub(crate) const FOLDER: &str = "crates/rules/src/variant/";

/// The list of variants, which has a line `module::Type,` for each.
const LIST: &str = "crates/rules/src/variant/list.rs";

/// The files and folders that may name variants, each with the reason.
const ALLOWED_FILES: [(&str, &str); 7] = [
    (FOLDER, "defines them"),
    ("crates/rules/src/lib.rs", "has examples"),
    ("crates/engine/src/evaluation/", "one variant has an evaluation of its own"),
    ("crates/arena/src/bin/", "measures chosen ones"),
    ("crates/server/src/http/link_preview/texts/", "has names in every language"),
    ("crates/web/src/text/", "has names in every language"),
    ("crates/web/src/view/rules/", "teaches one of each kind"),
];

/// The names of the variants in source code.
struct VariantNames {
    /// The types, such as `DilkelCompact`. Paths of values end with them too.
    types: Vec<String>,
    /// The texts, such as `dilkel-compact`.
    texts: Vec<String>,
}

impl VariantNames {
    /// Reads the list of variants.
    fn of(tree: &Tree) -> Result<Self> {
        let entries = tree.text(LIST)?.lines().filter_map(|line| {
            let (module, name) = line.trim().strip_suffix(',')?.split_once("::")?;
            (!module.contains(['$', ' ', '[', '"'])).then_some((module, name))
        });
        let (texts, types) =
            entries.map(|(module, name)| (module.replace('_', "-"), name.to_owned())).unzip();
        Ok(Self { types, texts })
    }
}

/// Returns a fault for each line that names a variant outside of tests and of the allowed files.
pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let names = VariantNames::of(tree)?;
    let sources = tree.texts_in("crates/", "").filter(|(path, _)| is_source(path) && !is_of_tests(path));
    for (path, source) in
        sources.filter(|(path, _)| ALLOWED_FILES.iter().all(|(home, _)| !path.starts_with(home)))
    {
        let source = without_tests(source);
        let code = code_of(path, source);
        for (number, (line, code)) in source.lines().zip(code.lines()).enumerate() {
            if let Some(name) = names.type_in(code).or_else(|| names.text_in(line, code)) {
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

/// Returns whether a file contains only tests, benchmarks or examples.
fn is_of_tests(path: &str) -> bool {
    let is_folder = |name: &str| path.split('/').any(|part| part == name);
    ["tests", "test", "benches", "examples"].into_iter().any(is_folder)
        || path.ends_with("/tests.rs")
        || path.contains(".test.")
}

/// Returns a source without its test module, which is at the end.
fn without_tests(source: &str) -> &str {
    source.find("#[cfg(test)]\nmod tests {").map_or(source, |at| &source[..at])
}

impl VariantNames {
    /// Returns the type of a variant that a line of code contains.
    fn type_in(&self, code: &str) -> Option<&str> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut words = code.split(|c| !is_part(c));
        words.find_map(|word| self.types.iter().find(|name| *name == word)).map(String::as_str)
    }

    /// Returns the name of a variant that is a whole string in a line. `code` is the line without
    /// comments and strings.
    fn text_in(&self, line: &str, code: &str) -> Option<&str> {
        let is_named = |name: &&String| {
            ['"', '\''].into_iter().any(|quote| {
                let text = format!("{quote}{name}{quote}");
                let is_comment = |at: usize| line[..at].contains("//") || line.trim_start().starts_with('*');
                line.match_indices(&text).any(|(at, _)| !is_comment(at) && code.get(at..=at) == Some(" "))
            })
        };
        self.texts.iter().find(is_named).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &str = "            classic::Classic,\n            dilkel_compact::DilkelCompact,\n";

    fn lines(path: &str, source: &str) -> Vec<String> {
        let faults = check(&Tree::with_files(&[(LIST, LISTED), (path, source)])).unwrap();
        faults.iter().map(|fault| fault.split("; ").next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn a_variant_name_outside_of_the_allowed_files_is_a_fault() {
        let path = "crates/server/src/lobby/mod.rs";
        assert_eq!(lines(path, "\nlet x = Variant::Classic;\n"), [format!("{path}:2: names Classic")]);
        assert_eq!(
            lines(path, "match v { Variant::DilkelCompact => 1 }"),
            [format!("{path}:1: names DilkelCompact")]
        );
        assert_eq!(lines(path, "use quadrex_rules::{Classic, Move};"), [format!("{path}:1: names Classic")]);
        assert_eq!(lines(path, "let x = \"dilkel-compact\";"), [format!("{path}:1: names dilkel-compact")]);
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
            "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    const A: Variant = Variant::Classic;\n}\n",
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
            assert_eq!(lines(path, "let x = Variant::Classic;"), [""; 0], "{path}");
        }
    }
}
