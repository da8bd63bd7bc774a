//! Annotation symbols and other remarks after moves.

use alloc::string::String;
use alloc::vec::Vec;

/// A word split into its move and its annotations.
#[derive(Debug, Default)]
pub(super) struct AnnotatedWord<'a> {
    /// The move, or the empty string.
    pub(super) text: &'a str,
    /// The annotations as PGN numbers (NAGs), in their order.
    pub(super) nags: Vec<u8>,
    /// Annotations without a number.
    pub(super) dropped: Vec<String>,
}

/// The symbols of annotations of moves, with their PGN numbers.
const OF_MOVES: [(&str, u8); 10] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
    ("\u{203c}", 3),
    ("\u{2047}", 4),
    ("\u{2049}", 5),
    ("\u{2048}", 6),
];

/// The symbols of annotations of positions, and the symbols of the Informator, with their PGN
/// numbers. A longer symbol comes before the symbols that are parts of it.
const OF_POSITIONS: [(&str, u8); 23] = [
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+=", 14),
    ("=+", 15),
    ("+-", 18),
    ("-+", 19),
    ("=", 10),
    ("\u{2a72}", 14),
    ("\u{2a71}", 15),
    ("\u{b1}", 16),
    ("\u{2213}", 17),
    ("\u{221e}", 13),
    ("\u{25a1}", 7),
    ("\u{2299}", 22),
    ("\u{2191}", 36),
    ("\u{2192}", 40),
    ("\u{21c6}", 132),
    ("\u{2206}", 140),
    ("\u{25b3}", 140),
    ("\u{394}", 140),
    ("\u{2313}", 142),
];

/// Splits a word into its move and its annotations. The remark `e.p.`, which some programs write
/// after a capture, is removed.
pub(super) fn split(word: &str) -> AnnotatedWord<'_> {
    let mut annotated = AnnotatedWord { text: word, ..AnnotatedWord::default() };
    loop {
        let text = annotated.text;
        let marked = text.trim_end_matches(['!', '?']);
        if text.len() - marked.len() > 2 {
            annotated.dropped.push(String::from(&text[marked.len()..]));
            annotated.text = marked;
        } else if let Some((rest, nag)) = strip(text, &OF_MOVES).or_else(|| strip_position(text)) {
            annotated.nags.push(nag);
            annotated.text = rest;
        } else if let Some(rest) = strip_remark(text) {
            annotated.text = rest;
        } else {
            break;
        }
    }
    annotated.nags.reverse();
    match annotated.text {
        "e" | "p" | "ep" => annotated.text = "",
        // A check sign without a move.
        "+" | "++" => {
            annotated.dropped.push(String::from(annotated.text));
            annotated.text = "";
        }
        _ => {}
    }
    annotated
}

fn strip<'a>(text: &'a str, signs: &[(&str, u8)]) -> Option<(&'a str, u8)> {
    signs.iter().find_map(|(sign, nag)| Some((text.strip_suffix(sign)?, *nag)))
}

/// Strips an annotation of the position from a word. Returns the rest and the annotation's number,
/// or `None` if the rest is neither a move nor empty. So no annotation is stripped from a number or
/// a result.
fn strip_position(text: &str) -> Option<(&str, u8)> {
    let (rest, nag) = strip(text, &OF_POSITIONS)?;
    let begins_as_move = rest.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let is_castling = matches!(rest.trim_end_matches(['+', '#']), "0-0" | "0-0-0");
    (rest.is_empty() || begins_as_move || is_castling).then_some((rest, nag))
}

fn strip_remark(text: &str) -> Option<&str> {
    let capture = text.strip_suffix("ep").or_else(|| text.strip_suffix('e'))?;
    ends_with_square(capture).then_some(capture)
}

/// Returns whether a word ends with a file and a number, like a capture. A move number and a result
/// do not end in this form.
fn ends_with_square(word: &str) -> bool {
    let file = word.trim_end_matches(|digit: char| digit.is_ascii_digit());
    file.len() < word.len() && file.ends_with(|file: char| ('a'..='n').contains(&file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_split_off_moves() {
        for (word, text, nags) in [
            ("Nf3", "Nf3", &[][..]),
            ("Nf3!?", "Nf3", &[5]),
            ("Nf3+/=", "Nf3", &[14]),
            ("Nf3!+/=", "Nf3", &[1, 14]),
            ("Qh5++-", "Qh5+", &[18]),
            ("exd6ep\u{b1}", "exd6", &[16]),
            ("O-O-+", "O-O", &[19]),
            ("0-0-0=", "0-0-0", &[10]),
            ("e8=Q", "e8=Q", &[]),
            ("+/=", "", &[14]),
            ("\u{221e}", "", &[13]),
            ("--", "--", &[]),
            ("--\u{221e}", "--\u{221e}", &[]),
            ("35=", "35=", &[]),
            ("1-0=", "1-0=", &[]),
            ("R#", "R#", &[]),
        ] {
            let annotated = split(word);
            assert_eq!(
                (annotated.text, annotated.nags.as_slice(), annotated.dropped.len()),
                (text, nags, 0),
                "{word}"
            );
        }
        for (word, text, dropped) in [("Nf3!!!", "Nf3", "!!!"), ("+", "", "+"), ("??!", "", "??!")] {
            let annotated = split(word);
            assert_eq!(
                (annotated.text, annotated.nags.len(), annotated.dropped),
                (text, 0, [dropped.into()].to_vec())
            );
        }
    }
}
