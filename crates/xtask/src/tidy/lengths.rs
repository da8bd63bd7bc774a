//! The check of file lengths.

use anyhow::Result;

use super::tree::Tree;
use crate::generate;

/// The maximum number of lines. Files of more than 400 lines should be split anyway.
const LONGEST: usize = 600;

/// The folder with files that were written by earlier versions.
const FIXTURES: &str = "tests/fixtures/";

/// The extensions of source files.
const ENDINGS: [&str; 9] = [".rs", ".ts", ".tsx", ".js", ".mjs", ".css", ".py", ".sql", ".sh"];

pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let code = tree.texts().filter(|(path, _)| ENDINGS.iter().any(|ending| path.ends_with(ending)));
    let written = code.filter(|(path, _)| *path != generate::TYPESCRIPT && !path.starts_with(FIXTURES));
    let long = written.map(|(path, text)| (path, text.lines().count())).filter(|(_, lines)| *lines > LONGEST);
    Ok(long.map(|(path, lines)| format!("{path}: has {lines} lines, {LONGEST} at most")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_source_is_a_fault_and_a_long_document_or_generated_file_is_not() {
        let (good, long) = ("x\n".repeat(LONGEST), "x\n".repeat(LONGEST + 1));
        let tree = Tree::with_files(&[
            ("a.rs", &good),
            ("b.rs", &long),
            ("c.md", &long),
            (generate::TYPESCRIPT, &long),
            ("tests/fixtures/0.1/database.sql", &long),
        ]);
        assert_eq!(check(&tree).unwrap(), ["b.rs: has 601 lines, 600 at most"]);
    }
}
