//! The checks of the language: banned words in identifiers, and first words of doc comments.

use anyhow::{Context, Result, bail};

use super::rust::words;
use super::source::{code_of, is_source};
use super::tree::Tree;

/// The banned words, one on each line, with replacements.
const BANNED: &str = include_str!("words.txt");

/// The words with which no doc comment may begin. It begins with a noun phrase or a verb.
const OPENINGS: [&str; 7] = ["Who", "What", "Whose", "Whether", "How", "When", "Which"];

/// Returns a fault for each identifier with a banned word in it.
pub(crate) fn check_identifiers(tree: &Tree) -> Result<Vec<String>> {
    let banned = parse(BANNED)?;
    let mut faults = Vec::new();
    for (path, source) in sources(tree) {
        for (number, line) in code_of(path, source).lines().enumerate() {
            for (_, identifier) in words(line) {
                let replacement = parts(identifier).find_map(|part| {
                    banned.iter().find(|(word, _)| *word == part).map(|(word, instead)| (*word, *instead))
                });
                if let Some((word, instead)) = replacement {
                    faults.push(format!("{path}:{}: {identifier} says {word:?}; say {instead}", number + 1));
                }
            }
        }
    }
    Ok(faults)
}

/// Returns a fault for each doc comment that begins with an interrogative.
pub(crate) fn check_openings(tree: &Tree) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (path, source) in sources(tree) {
        for (number, text) in doc_comments(source) {
            let first = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            if OPENINGS.contains(&first) {
                faults.push(format!(
                    "{path}:{number}: a doc comment begins with {first:?}, not with what the item is or does"
                ));
            }
        }
    }
    Ok(faults)
}

/// Returns the sources that are written by hand.
fn sources(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.texts().filter(|(path, _)| is_source(path))
}

/// Parses the list. A line is `word: replacement`, or a comment after `#`.
fn parse(list: &str) -> Result<Vec<(&str, &str)>> {
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut banned = Vec::new();
    for line in lines {
        let (word, instead) = line.split_once(": ").with_context(|| format!("words.txt: {line:?}"))?;
        if word.chars().any(|letter| !letter.is_ascii_lowercase()) {
            bail!("words.txt: {word:?} is not one word in lower case");
        }
        banned.push((word, instead));
    }
    Ok(banned)
}

/// Returns the words of an identifier in snake case or camel case, in lower case.
fn parts(identifier: &str) -> impl Iterator<Item = String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for letter in identifier.chars() {
        if letter == '_' || (letter.is_uppercase() && was_lower) {
            parts.push(String::new());
        }
        was_lower = !letter.is_uppercase();
        if letter != '_'
            && let Some(part) = parts.last_mut()
        {
            part.extend(letter.to_lowercase());
        }
    }
    parts.into_iter().filter(|part| !part.is_empty())
}

/// Returns the first line of each doc comment (`///`, `//!` and `/**`), with its line number.
fn doc_comments(source: &str) -> Vec<(usize, &str)> {
    let mut comments = Vec::new();
    let mut previous = "";
    let mut is_open = false;
    for (index, line) in source.lines().enumerate() {
        let line = line.trim();
        let marker = ["///", "//!"].into_iter().find(|marker| line.starts_with(marker));
        if let Some(marker) = marker {
            if previous != marker {
                comments.push((index + 1, line[marker.len()..].trim()));
            }
        } else if let Some(text) = line.strip_prefix("/**") {
            is_open = text.trim().is_empty();
            if !is_open {
                comments.push((index + 1, text.trim()));
            }
        } else if is_open {
            comments.push((index + 1, line.trim_start_matches('*').trim()));
            is_open = false;
        }
        previous = marker.unwrap_or("");
    }
    comments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identifiers(path: &str, source: &str) -> Vec<String> {
        check_identifiers(&Tree::with_files(&[(path, source)])).unwrap()
    }

    #[test]
    fn a_banned_word_in_an_identifier_is_a_fault_in_either_case() {
        let word = concat!("to", "ld");
        for (identifier, path) in [
            (word.to_owned(), "crates/xtask/src/b.rs"),
            (format!("was_{word}_twice"), "crates/xtask/src/b.rs"),
            (format!("isT{}", &word[1..]), "crates/xtask/src/b.tsx"),
            (format!("T{}Frames", &word[1..]), "crates/xtask/src/b.rs"),
        ] {
            let faults = identifiers(path, &format!("\nlet {identifier} = 1;\n"));
            let expected =
                format!("{path}:2: {identifier} says {word:?}; say published, sent, reported or received");
            assert_eq!(faults, [expected]);
        }
    }

    #[test]
    fn comments_strings_longer_words_and_other_files_may_contain_banned_words() {
        let word = concat!("to", "ld");
        let source = format!("// {word}\nlet u{word}x = \"{word}\"; let untold2 = '{word}';\n");
        assert_eq!(identifiers("crates/xtask/src/a.ts", &source), [""; 0]);
        assert_eq!(
            identifiers("crates/xtask/src/a.rs", &format!("let stoldx = \"{word}\"; // {word}\n")),
            [""; 0]
        );
        assert_eq!(identifiers("docs/a.md", &format!("let {word} = 1;\n")), [""; 0]);
    }

    #[test]
    fn every_banned_word_has_a_replacement_and_a_malformed_list_is_an_error() {
        assert!(parse(BANNED).unwrap().len() > 10);
        assert!(parse("# a list\nword\n").is_err());
        assert!(parse("Word: another\n").is_err());
    }

    #[test]
    fn an_identifier_has_its_words_as_parts() {
        let of = |identifier| parts(identifier).collect::<Vec<_>>();
        assert_eq!(of("MAX_LINE_moves"), ["max", "line", "moves"]);
        assert_eq!(of("isLive2Go"), ["is", "live2", "go"]);
        assert_eq!(of("TableView"), ["table", "view"]);
        assert_eq!(of("_"), [""; 0]);
    }

    fn openings(path: &str, source: &str) -> Vec<String> {
        check_openings(&Tree::with_files(&[(path, source)])).unwrap()
    }

    #[test]
    fn a_doc_comment_that_begins_with_an_interrogative_is_a_fault() {
        for (path, comment, line) in [
            ("crates/xtask/src/b.rs", "/// What it is.\nfn a() {}", 1),
            ("crates/xtask/src/b.rs", "//! Who asks.", 1),
            ("crates/xtask/src/b.rs", "    /// Whether it is.\n    x: bool,", 1),
            ("crates/xtask/src/b.ts", "/** How many. */\nconst a = 1;", 1),
            ("crates/xtask/src/b.ts", "/**\n * Which of them.\n */", 2),
        ] {
            let faults = openings(path, comment);
            assert_eq!(faults.len(), 1, "{comment}");
            assert!(
                faults[0].starts_with(&format!("{path}:{line}: a doc comment begins with")),
                "{faults:?}"
            );
        }
    }

    #[test]
    fn other_openings_later_lines_and_plain_comments_are_no_faults() {
        for comment in [
            "/// The reason.\n///\n/// What follows is a paragraph.\nfn a() {}",
            "/// Returns it.\n/// When it wraps, a line may begin so.",
            "// What stands here is no doc comment.",
            "/// Whatever it is.",
            "/// However it came.",
        ] {
            assert_eq!(openings("crates/xtask/src/b.rs", comment), [""; 0], "{comment}");
        }
        assert_eq!(openings("crates/xtask/src/b.ts", "/** The list.\n * What follows. */"), [""; 0]);
    }
}
