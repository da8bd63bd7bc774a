//! The check that a test cites every numbered rule of the game.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use super::tree::Tree;

const RULES: &str = "docs/RULES.md";
/// The first letters of rule numbers, one for each chapter.
const CHAPTERS: [char; 4] = ['G', 'C', 'D', 'S'];

pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let rules = numbered(tree.text(RULES)?);
    if rules.is_empty() {
        bail!("{RULES} has no row that starts with a rule's number");
    }
    let mut cited: BTreeMap<String, String> = BTreeMap::new();
    for (path, source) in tree.texts_in("", ".rs") {
        for (line, number) in citations(source) {
            cited.entry(number).or_insert_with(|| format!("{path}:{line}"));
        }
    }
    let untested = rules.iter().filter(|rule| !cited.contains_key(*rule));
    let unknown = cited.iter().filter(|(number, _)| !rules.contains(*number));
    let untested = untested.map(|rule| format!("{RULES}: no test cites {rule}"));
    Ok(untested.chain(unknown.map(|(number, place)| format!("{place}: there is no rule {number}"))).collect())
}

/// Returns the rule numbers in the first column of the document's tables.
fn numbered(document: &str) -> BTreeSet<String> {
    let cells = document.lines().filter_map(|line| line.strip_prefix('|')?.split('|').next());
    cells
        .map(|cell| cell.trim().trim_matches('*'))
        .filter(|cell| is_number(cell))
        .map(str::to_owned)
        .collect()
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(CHAPTERS).unwrap_or_default();
    (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the rules cited in doc comments directly above tests, with line numbers.
fn citations(source: &str) -> Vec<(usize, String)> {
    let mut citations = Vec::new();
    let mut heading = Heading::default();
    for (number, line) in source.lines().enumerate() {
        if !heading.takes(number + 1, line.trim()) {
            citations.append(&mut std::mem::take(&mut heading).citations());
        }
    }
    citations
}

/// The consecutive doc comments and attributes above an item.
#[derive(Default)]
struct Heading {
    cited: Vec<(usize, String)>,
    is_test: bool,
    /// True inside an attribute of several lines.
    open: bool,
}

impl Heading {
    /// Adds a line if it belongs to the heading, and returns whether it does.
    fn takes(&mut self, number: usize, line: &str) -> bool {
        if let Some(text) = line.strip_prefix("///") {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric());
            self.cited.extend(words.filter(|word| is_number(word)).map(|word| (number, word.to_owned())));
            return true;
        }
        if let Some(attribute) = line.strip_prefix("#[") {
            let name = attribute.split([']', '(', ' ']).next().unwrap_or_default();
            self.is_test |= name.rsplit("::").next().is_some_and(|last| last == "test" || last == "rstest");
            self.open = !line.contains(")]") && !line.ends_with(']');
            return true;
        }
        let inside = self.open;
        self.open &= !line.ends_with(']');
        inside
    }

    fn citations(self) -> Vec<(usize, String)> {
        if self.is_test { self.cited } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str =
        "| no | rule |\n| --- | --- |\n| G1 | slides |\n| D15 | silence |\n\nG2 is only spoken of.\n";

    #[test]
    fn a_rule_without_a_test_and_an_unknown_rule_are_faults() {
        let source = "/// G1 (all sheets): lines end at the board's end.\n#[test]\nfn lines() {}\n\n/// D16, D15.\n#[rstest]\nfn x() {}\n";
        let tree = Tree::with_files(&[("docs/RULES.md", DOCUMENT), ("crates/rules/tests/a.rs", source)]);
        assert_eq!(check(&tree).unwrap(), ["crates/rules/tests/a.rs:5: there is no rule D16"]);
        let tree = Tree::with_files(&[("docs/RULES.md", DOCUMENT), ("a.rs", "/// G1\n#[test]\nfn a() {}\n")]);
        assert_eq!(check(&tree).unwrap(), ["docs/RULES.md: no test cites D15"]);
    }

    #[test]
    fn only_a_comment_directly_above_a_test_is_a_citation() {
        let cited = |source: &str| !citations(source).is_empty();
        assert!(cited("    /// G1: x\n    /// y\n    #[test]\n    fn a() {}\n"));
        assert!(cited("#[tokio::test(flavor = \"multi_thread\")]\n/// G1\nasync fn a() {}\n"));
        assert!(cited("/// G1\n#[cfg_attr(\n    miri,\n    ignore\n)]\n#[test]\nfn a() {}\n"));
        assert!(!cited("/// G1\nfn helper() {}\n\n#[test]\nfn a() {}\n"), "that is the helper's comment");
        assert!(!cited("// G1\n#[test]\nfn a() {}\n"), "that is no doc comment");
        assert!(!cited("/// G1\n\n#[test]\nfn a() {}\n"), "an empty line parts them");
        assert!(!cited("/// g1, AG1, G123, H1\n#[test]\nfn a() {}\n"), "these are no numbers of rules");
    }

    #[test]
    fn a_document_without_rules_is_an_error() {
        assert!(check(&Tree::with_files(&[("docs/RULES.md", "nothing")])).is_err());
    }
}
