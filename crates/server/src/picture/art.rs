//! The shapes of the pieces, and of the letters and digits of the coordinates.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use quadrex_rules::Role;
use serde::Deserialize;

/// The width and height of the drawing of a piece, in its own units.
pub(super) const PIECE_SIZE: f32 = 45.0;

/// The width of the lines in the drawing of a piece, in the units of [`PIECE_SIZE`].
pub(super) const PIECE_LINE: f32 = 1.6;

/// The margin between a piece and each edge of its square, as a fraction of the square's size.
pub(super) const PIECE_INSET: f32 = 0.03;

/// A part of a piece.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    /// The path of the part in SVG notation.
    pub(super) d: String,
    #[serde(default)]
    pub(super) cap: Cap,
    #[serde(default)]
    pub(super) join: Join,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PartKind {
    /// A shape that is filled with the color of the player, with an outline.
    Body,
    /// An outline that is not filled.
    Line,
    /// A line within the piece.
    Detail,
    /// A shape within the piece that is filled with the color of the lines.
    Eye,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Cap {
    #[default]
    Round,
    Butt,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Join {
    #[default]
    Round,
    Miter,
}

/// The pieces of the browser client, by the letter of their role.
static PIECES: LazyLock<BTreeMap<char, Vec<Part>>> = LazyLock::new(|| {
    let file = include_str!("../../../web/src/view/board/pieces.json");
    serde_json::from_str(file).expect("the file is part of the project")
});

pub(super) fn piece(role: Role) -> &'static [Part] {
    &PIECES[&role.letter()]
}

/// The width of the lines of a letter. A letter is 10 units high.
pub(super) const LETTER_LINE: f32 = 1.3;

/// The gap between two letters, in the units of a letter's height.
pub(super) const LETTER_GAP: f32 = 2.2;

/// Returns the width of a letter, and its lines as a path in SVG notation.
pub(super) fn letter(letter: char) -> (f32, &'static str) {
    match letter {
        'a' => (5.0, "M5 4v6M5 7a2.5 3 0 1 0-5 0a2.5 3 0 1 0 5 0"),
        'b' => (5.0, "M0 1v9M0 7a2.5 3 0 1 1 5 0a2.5 3 0 1 1-5 0"),
        'c' => (4.6, "M4.6 5.2A2.5 3 0 1 0 4.6 8.8"),
        'd' => (5.0, "M5 1v9M5 7a2.5 3 0 1 0-5 0a2.5 3 0 1 0 5 0"),
        'e' => (5.0, "M0 7h5a2.5 3 0 1 0-.6 1.9"),
        'f' => (4.0, "M4 1.3C2.6 .7 1.8 1.5 1.8 3V10M0 4.2h3.6"),
        'g' => (5.0, "M5 4v6.5a2.5 2.3 0 0 1-4.7 1M5 7a2.5 3 0 1 0-5 0a2.5 3 0 1 0 5 0"),
        'h' => (5.0, "M0 1v9M0 7a2.5 3 0 0 1 5 0v3"),
        'i' => (1.0, "M.5 4v6M.5 1.2v.3"),
        'j' => (2.4, "M1.9 4v6.4a2 2 0 0 1-2 1.7M1.9 1.2v.3"),
        'k' => (4.8, "M0 1v9M4.4 4L0 7.6M1.7 6.4L4.8 10"),
        'l' => (1.0, "M.5 1v9"),
        'm' => (7.6, "M0 4v6M0 6.4a1.9 2.4 0 0 1 3.8 0V10M3.8 6.4a1.9 2.4 0 0 1 3.8 0V10"),
        'n' => (5.0, "M0 4v6M0 7a2.5 3 0 0 1 5 0v3"),
        '0' => (5.0, "M2.5 1a2.5 4.5 0 1 0 0 9a2.5 4.5 0 1 0 0-9"),
        '1' => (3.0, "M.4 3L2.8 1v9"),
        '2' => (5.0, "M.3 3.4A2.4 2.4 0 1 1 4.4 5L.2 10h4.8"),
        '3' => (4.8, "M.4 2.6A2.3 2.2 0 1 1 2.3 5.3A2.4 2.35 0 1 1 .2 8.4"),
        '4' => (5.4, "M4 10V1L0 7.4h5.4"),
        '5' => (5.0, "M4.7 1H1L.6 5.2A2.7 2.7 0 1 1 .2 8.7"),
        '6' => (5.0, "M4.3 1.4C2 1.4 0 4 0 7.2a2.5 2.8 0 1 0 5 0a2.5 2.8 0 1 0-5 0"),
        '7' => (5.0, "M.1 1h4.8L1.8 10"),
        '8' => (
            4.8,
            "M2.4 1a2 2.1 0 1 0 0 4.2a2 2.1 0 1 0 0-4.2M2.4 5.2a2.4 2.4 0 1 0 0 4.8a2.4 2.4 0 1 0 0-4.8",
        ),
        '9' => (5.0, "M.7 9.6C3 9.6 5 7 5 3.8a2.5 2.8 0 1 0-5 0a2.5 2.8 0 1 0 5 0"),
        _ => (0.0, ""),
    }
}

/// Returns the width of a word that is written in these letters.
pub(super) fn word_width(word: &str) -> f32 {
    let widths = word.chars().map(|sign| letter(sign).0 + LETTER_GAP);
    (widths.sum::<f32>() - LETTER_GAP).max(0.0)
}
