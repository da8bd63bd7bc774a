//! Typographic characters that word processors and web pages use instead of typed characters.

/// The character or token that a non-ASCII letter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Substitute {
    /// White space.
    Blank,
    /// Three dots.
    Dots,
    /// Another letter.
    Letter(char),
}

/// Returns the meaning of a letter outside comments and tags; `None` for a letter that stands for
/// itself.
///
/// The letters below U+00A0 are dashes and dots of Windows-1252, because bytes of Windows-1252 are
/// read as Latin-1.
pub(super) fn substitute(letter: char) -> Option<Substitute> {
    Some(match letter {
        '\u{a0}'
        | '\u{2000}'..='\u{200b}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{2060}'
        | '\u{3000}'
        | '\u{feff}' => Substitute::Blank,
        '\u{85}' | '\u{2026}' => Substitute::Dots,
        '\u{96}' | '\u{97}' | '\u{2010}'..='\u{2015}' | '\u{2212}' => Substitute::Letter('-'),
        '\u{d7}' => Substitute::Letter('x'),
        _ => return None,
    })
}
