//! The judgements that stand behind moves, and other remarks that are none of the move.

use alloc::string::String;
use alloc::vec::Vec;

/// A word without what is no part of its move.
#[derive(Debug, Default)]
pub(super) struct AnnotatedWord<'a> {
    /// The move, or nothing.
    pub(super) text: &'a str,
    /// Its judgements by their PGN numbers, in their order.
    pub(super) nags: Vec<u8>,
    /// Judgements without a number.
    pub(super) dropped: Vec<String>,
}

/// Judgements of moves, by their PGN numbers.
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

/// Judgements of positions and the signs of the Informator, by their PGN numbers; longer ones before their parts.
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

/// Takes judgements off a word, and the remark `e.p.` that some write behind a capture, which says nothing new.
pub(super) fn split(word: &str) -> AnnotatedWord<'_> {
    let mut judged = AnnotatedWord { text: word, ..AnnotatedWord::default() };
    loop {
        let text = judged.text;
        let marked = text.trim_end_matches(['!', '?']);
        if text.len() - marked.len() > 2 {
            judged.dropped.push(String::from(&text[marked.len()..]));
            judged.text = marked;
        } else if let Some((rest, nag)) = strip(text, &OF_MOVES).or_else(|| strip_position(text)) {
            judged.nags.push(nag);
            judged.text = rest;
        } else if let Some(rest) = strip_remark(text) {
            judged.text = rest;
        } else {
            break;
        }
    }
    judged.nags.reverse();
    match judged.text {
        "e" | "p" | "ep" => judged.text = "",
        // A sign of check that stands alone.
        "+" | "++" => {
            judged.dropped.push(String::from(judged.text));
            judged.text = "";
        }
        _ => {}
    }
    judged
}

fn strip<'a>(text: &'a str, signs: &[(&str, u8)]) -> Option<(&'a str, u8)> {
    signs.iter().find_map(|(sign, nag)| Some((text.strip_suffix(sign)?, *nag)))
}

/// Takes off a judgement of the position, of a word that is a move or nothing without it. Cut off a number or a result it
/// would leave a word that reads back as none.
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

/// Whether a word ends with a file and a number, as a capture does: a move number or a result would not.
fn ends_with_square(word: &str) -> bool {
    let file = word.trim_end_matches(|digit: char| digit.is_ascii_digit());
    file.len() < word.len() && file.ends_with(|file: char| ('a'..='n').contains(&file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_are_taken_off_moves() {
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
            let judged = split(word);
            assert_eq!(
                (judged.text, judged.nags.as_slice(), judged.dropped.len()),
                (text, nags, 0),
                "{word}"
            );
        }
        for (word, text, dropped) in [("Nf3!!!", "Nf3", "!!!"), ("+", "", "+"), ("??!", "", "??!")] {
            let judged = split(word);
            assert_eq!(
                (judged.text, judged.nags.len(), judged.dropped),
                (text, 0, [dropped.into()].to_vec())
            );
        }
    }
}
