//! Source code in Rust and TypeScript without comments and strings.

use super::rust;
use crate::generate::TYPESCRIPT;

/// Returns whether a path is a Rust or TypeScript source that is written by hand.
pub(crate) fn is_source(path: &str) -> bool {
    [".rs", ".ts", ".tsx"].iter().any(|ending| path.ends_with(ending)) && path != TYPESCRIPT
}

/// Returns the source with blanks in place of comments and the contents of strings. Line numbers
/// stay the same.
pub(crate) fn code_of(path: &str, source: &str) -> String {
    if path.ends_with(".rs") { rust::code_of(source) } else { typescript(source) }
}

/// Replaces comments and strings of TypeScript by blanks. Template strings are replaced with the
/// code in them.
fn typescript(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            '\'' | '"' | '`' => text_length(rest, first),
            _ => 0,
        };
        if length == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[length..];
        }
    }
    code
}

/// Returns the length of a string that starts with a quote. Only template strings have several
/// lines. An apostrophe in JSX text looks like a string, which ends with its line.
fn text_length(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' if quote != '`' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::rust::has_word;

    #[test]
    fn comments_and_strings_of_typescript_are_blanked_and_line_numbers_stay() {
        let source = "a('b \\' c'); // d\n/* e\n */ f(\"g\", `h\n${i}`); j('k\nl');\n";
        let code = typescript(source);
        assert_eq!(code.lines().count(), source.lines().count());
        let found: Vec<&str> = rust::words(&code).map(|(_, word)| word).collect();
        assert_eq!(found, ["a", "f", "j", "l"]);
    }

    #[test]
    fn generated_files_and_documents_are_no_sources() {
        assert!(is_source("crates/a/src/b.rs") && is_source("tests/browser/test/a.test.ts"));
        assert!(!is_source(TYPESCRIPT) && !is_source("docs/a.md"));
        assert!(has_word(&code_of("a.rs", "let x = 'y';"), "x"));
    }
}
