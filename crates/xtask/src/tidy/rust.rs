//! Rust source code without comments and strings.

/// Returns the source with blanks in place of comments and the contents of strings. Line numbers
/// stay the same.
pub(crate) fn code_of(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = match skipped(rest, code.chars().last()) {
            0 => {
                code.push(first);
                first.len_utf8()
            }
            length => {
                code.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
                length
            }
        };
        rest = &rest[length..];
    }
    code
}

/// Returns the length of the comment or literal at the start of `rest`, or 0 for code.
fn skipped(rest: &str, before: Option<char>) -> usize {
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if rest.starts_with("//") {
        rest.find('\n').unwrap_or(rest.len())
    } else if rest.starts_with("/*") {
        block_comment(rest)
    } else if let Some(inside) = rest.strip_prefix('"') {
        1 + quoted(inside)
    } else if rest.starts_with('r') && !in_word {
        raw_string(rest).unwrap_or(0)
    } else if rest.starts_with('\'') {
        character(rest).unwrap_or(0)
    } else {
        0
    }
}

/// Returns the length of a block comment. Block comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
        } else {
            at += 1;
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// Returns the length of a string's content, including its closing quote.
fn quoted(inside: &str) -> usize {
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    inside.len()
}

fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
    let inside = rest[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(2 + hashes + length)
}

/// Returns the length of a character literal, or `None` for a lifetime.
fn character(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    let (_, first) = chars.next()?;
    if first == '\\' {
        // At least one character follows a backslash, and a quote there does not end the literal.
        let (at, _) = chars.skip(1).find(|(_, c)| *c == '\'')?;
        return Some(at + 1);
    }
    let (at, closing) = chars.next()?;
    (closing == '\'').then_some(at + 1)
}

/// Returns whether the code contains a word as a whole identifier.
pub(crate) fn has_word(code: &str, word: &str) -> bool {
    words(code).any(|(_, found)| found == word)
}

/// Returns the identifiers and numbers of the code with their offsets.
pub(crate) fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + code[at..].find(of_word)?;
        let length = code[start..].find(|c| !of_word(c)).unwrap_or(code.len() - start);
        at = start + length;
        Some((start, &code[start..at]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_blanked_and_line_numbers_stay() {
        let source = "a(); // b\n/* c /* d */ e\n */ f(\"g \\\" h\", r#\"i \" j\"#, br\"k\");\n";
        let code = code_of(source);
        assert_eq!(code.lines().count(), source.lines().count());
        let found: Vec<&str> = words(&code).map(|(_, word)| word).collect();
        assert_eq!(found, ["a", "f", "br"]);
    }

    #[test]
    fn character_literals_and_lifetimes_do_not_start_strings() {
        let code = code_of(r#"let x: &'a str = ('"', '\'', '\\', "b", 'é'); fn c<'d>() {}"#);
        assert!(has_word(&code, "a") && has_word(&code, "d") && has_word(&code, "c"), "{code}");
        assert!(!has_word(&code, "b") && !has_word(&code, "é"), "{code}");
    }

    #[test]
    fn words_are_whole_identifiers() {
        assert!(has_word("use sqlx::Row;", "sqlx"));
        assert!(!has_word("my_sqlx_thing", "sqlx"));
    }
}
