//! A game as written, before any rule is applied to it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::input::Location;
use super::tags::Tags;
use super::warning::Warning;

/// One game of a PGN or PGN4 file.
///
/// Equality compares only the content of games. It ignores [`WrittenGame::location`],
/// [`WrittenGame::number`] and [`WrittenGame::warnings`].
#[derive(Clone, Debug)]
pub struct WrittenGame {
    /// The number of the game in its source, from 1.
    pub number: u64,
    /// The location of the game's start.
    pub location: Location,
    /// The tags.
    pub tags: Tags,
    /// The moves played.
    pub line: Line,
    /// The result after the moves: `1-0`, `0-1`, `1/2-1/2` or `*`. A PGN4 game has no such result.
    pub result: Option<String>,
    /// Warnings about the parts that were changed or dropped when they were read.
    pub warnings: Vec<Warning>,
}

/// A sequence of moves: the game itself or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves, and in PGN4 the exits, in their order.
    pub plies: Vec<WrittenPly>,
}

/// A move as written; in PGN4 also an exit, which is the word for an elimination.
///
/// Equality compares only the content. It ignores [`WrittenPly::location`].
#[derive(Clone, Debug)]
pub struct WrittenPly {
    /// The number before the word, if there is a number.
    pub number: Option<MoveNumber>,
    /// The word itself, without annotations.
    pub text: String,
    /// The location of the word.
    pub location: Location,
    /// Annotations as PGN numbers; `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6.
    pub nags: Vec<u8>,
    /// The comments after the move, in which single blanks replace white space.
    pub comments: Vec<String>,
    /// Alternative lines from the position before the move.
    pub variations: Vec<Line>,
}

/// A number before a move, with its dots: `12.` or `12...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveNumber {
    /// The number of the round.
    pub number: u32,
    /// The number of dots after the number.
    pub dots: u8,
}

impl WrittenPly {
    /// A bare word without a location.
    #[must_use]
    pub fn new(number: Option<MoveNumber>, text: String) -> Self {
        let (nags, comments, variations) = (Vec::new(), Vec::new(), Vec::new());
        Self { number, text, location: Location::START, nags, comments, variations }
    }
}

impl PartialEq for WrittenGame {
    fn eq(&self, other: &Self) -> bool {
        (&self.tags, &self.line, &self.result) == (&other.tags, &other.line, &other.result)
    }
}

impl Eq for WrittenGame {}

impl PartialEq for WrittenPly {
    fn eq(&self, other: &Self) -> bool {
        let words = (self.number, &self.text) == (other.number, &other.text);
        words
            && (&self.nags, &self.comments, &self.variations)
                == (&other.nags, &other.comments, &other.variations)
    }
}

impl Eq for WrittenPly {}

/// The layout of a line's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// PGN: separated by blanks, in lines of at most 80 characters.
    Wrapped,
    /// PGN4: `..` between the players, a line for each round.
    Rounds,
}

impl WrittenGame {
    /// Writes the game as PGN: the tags, an empty line, the moves in lines of at most 80
    /// characters, and the result.
    ///
    /// # Errors
    /// Returns any error of `out`.
    pub fn write_pgn(&self, out: &mut impl Write) -> fmt::Result {
        self.write(out, Layout::Wrapped)
    }

    /// Writes the game as PGN4: the tags, an empty line, and a line for each round.
    ///
    /// # Errors
    /// Returns any error of `out`.
    pub fn write_pgn4(&self, out: &mut impl Write) -> fmt::Result {
        self.write(out, Layout::Rounds)
    }

    fn write(&self, out: &mut impl Write, layout: Layout) -> fmt::Result {
        if !self.tags.is_empty() {
            writeln!(out, "{}", self.tags)?;
        }
        let mut page = Page { out, layout, column: 0 };
        page.line(&self.line, false)?;
        if let Some(result) = &self.result {
            page.word(result)?;
        }
        out.write_str("\n\n")
    }
}

/// The longest line of PGN's export form (PGN standard, 4.3).
const WIDTH: usize = 79;

/// A writer that joins words into lines.
struct Page<'a, W> {
    out: &'a mut W,
    layout: Layout,
    column: usize,
}

impl<W: Write> Page<'_, W> {
    fn line(&mut self, line: &Line, is_variation: bool) -> fmt::Result {
        self.comments(&line.comments)?;
        for (index, ply) in line.plies.iter().enumerate() {
            let mut text = String::new();
            match (ply.number, self.layout) {
                (Some(MoveNumber { number, dots }), layout) => {
                    if layout == Layout::Rounds && !is_variation && index > 0 {
                        self.break_line()?;
                    }
                    write!(text, "{number}")?;
                    text.extend(core::iter::repeat_n('.', usize::from(dots)));
                    text.push(' ');
                }
                (None, Layout::Rounds) if index > 0 || is_variation => text.push_str(".. "),
                (None, Layout::Rounds | Layout::Wrapped) => {}
            }
            text.push_str(&ply.text);
            self.word(&text)?;
            self.notes(ply)?;
        }
        Ok(())
    }

    /// Writes everything that follows a move's own word.
    fn notes(&mut self, ply: &WrittenPly) -> fmt::Result {
        for nag in &ply.nags {
            let mut text = String::from("$");
            write!(text, "{nag}")?;
            self.word(&text)?;
        }
        self.comments(&ply.comments)?;
        for variation in &ply.variations {
            self.word("(")?;
            self.line(variation, true)?;
            self.word(")")?;
        }
        Ok(())
    }

    /// Writes comments in braces. A closing brace within a comment would end the comment, so the
    /// brace is replaced by a bracket.
    fn comments(&mut self, comments: &[String]) -> fmt::Result {
        for comment in comments {
            self.word("{")?;
            for word in comment.split_whitespace() {
                self.word(&word.replace('}', ")"))?;
            }
            self.word("}")?;
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.column > 0 {
            if self.layout == Layout::Wrapped && self.column + 1 + length > WIDTH {
                self.break_line()?;
            } else {
                self.out.write_char(' ')?;
                self.column += 1;
            }
        }
        // A `%` at the start of a line would turn the line into a remark, and a byte order mark at
        // the very beginning would be skipped.
        if self.column == 0 && word.starts_with(['%', '\u{feff}']) {
            self.out.write_char(' ')?;
            self.column = 1;
        }
        self.column += length;
        self.out.write_str(word)
    }

    fn break_line(&mut self) -> fmt::Result {
        self.column = 0;
        self.out.write_char('\n')
    }
}
