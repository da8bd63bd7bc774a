//! Reading games one by one.

use alloc::string::String;

use super::input::{Place, Source};
use super::lexer::{Fault, Lexer, Token};
use super::tags::Tags;
use super::written::{Line, WrittenGame, WrittenPly};

/// The longest text of one game that is read: it bounds the memory that any input can claim. The longest real
/// games, with a comment on every move, stay under a tenth of it.
pub const MAX_GAME_BYTES: u64 = 1 << 20;

/// How deep variations may stand within each other.
pub const MAX_VARIATION_DEPTH: u8 = 32;

/// What is wrong with the text of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxKind {
    /// Not of the form `[Name "value"]`.
    #[error("malformed tag")]
    MalformedTag,
    /// A move number beyond all numbers.
    #[error("malformed move number")]
    MalformedNumber,
    /// A `$` without a number up to 255.
    #[error("malformed annotation after $")]
    MalformedNag,
    /// A `{` without its `}`.
    #[error("comment without an end")]
    UnclosedComment,
    /// A `(` without its `)`.
    #[error("variation without an end")]
    UnclosedVariation,
    /// A variation before any move it could replace.
    #[error("variation before the first move")]
    VariationOfNothing,
    /// More than [`MAX_VARIATION_DEPTH`] variations within each other.
    #[error("variations more than {MAX_VARIATION_DEPTH} deep")]
    TooDeep,
    /// More than [`MAX_GAME_BYTES`].
    #[error("game longer than {MAX_GAME_BYTES} bytes")]
    TooLong,
    /// A sign that has no meaning here.
    #[error("unexpected {sign:?}")]
    Unexpected {
        /// Which.
        sign: char,
    },
}

/// A text that is not that of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, {place}: {kind}")]
pub struct SyntaxError {
    /// The how-manieth game of the source, from 1.
    pub game: u64,
    /// Where it goes wrong.
    pub place: Place,
    /// How.
    pub kind: SyntaxKind,
}

/// Why there is no next game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError<E> {
    /// The source could not be read; nothing follows.
    #[error("game {game}, {place}: {error}")]
    Source {
        /// The game being read, from 1.
        game: u64,
        /// How far reading came.
        place: Place,
        /// What the source said.
        error: E,
    },
    /// This game is malformed; reading goes on with the next one.
    #[error(transparent)]
    Syntax(SyntaxError),
}

/// Reads the games of a PGN or PGN4 source one by one.
///
/// It holds one game at a time. After a malformed game it goes on at the next tag section. Without tags a game
/// ends at its result.
#[derive(Debug)]
pub struct Reader<S> {
    lexer: Lexer<S>,
    games: u64,
    has_failed: bool,
}

impl<S: Source> Reader<S> {
    /// Reads from the beginning of `source`.
    pub fn new(source: S) -> Self {
        Self { lexer: Lexer::new(source), games: 0, has_failed: false }
    }

    fn read_game(&mut self, in_tags: &mut bool) -> Result<Option<WrittenGame>, Fault<S::Error>> {
        if !self.lexer.start_game()? {
            return Ok(None);
        }
        self.games += 1;
        *in_tags = true;
        let place = self.lexer.place();
        let mut tags = Tags::new();
        while let Some((name, value)) = self.lexer.tag()? {
            tags.set(&name, &value);
        }
        *in_tags = false;
        let (line, last) = self.read_line(place, 0)?;
        let result = match last {
            Token::Result(result) => Some(result),
            _ => None,
        };
        Ok(Some(WrittenGame { number: self.games, place, tags, line, result }))
    }

    /// Reads a line up to the sign that ends it: its `)`, or for the game itself the result or the end.
    fn read_line(&mut self, opened: Place, depth: u8) -> Result<(Line, Token), Fault<S::Error>> {
        let mut line = Line::default();
        let mut number = None;
        loop {
            let (place, token) = self.lexer.token()?;
            match token {
                Token::Number(read) => number = Some(read),
                Token::Word(word) => push_word(&mut line, number.take(), &word, place),
                Token::Comment(comment) => match line.plies.last_mut() {
                    Some(ply) => ply.comments.push(comment),
                    None => line.comments.push(comment),
                },
                Token::Nag(nag) => {
                    if let Some(ply) = line.plies.last_mut() {
                        ply.nags.push(nag);
                    }
                }
                Token::Open => {
                    if depth == MAX_VARIATION_DEPTH {
                        return Err(Fault::Syntax(place, SyntaxKind::TooDeep));
                    }
                    let (variation, _) = self.read_line(place, depth + 1)?;
                    let ply = line.plies.last_mut();
                    let ply = ply.ok_or(Fault::Syntax(place, SyntaxKind::VariationOfNothing))?;
                    ply.variations.push(variation);
                }
                Token::Close if depth > 0 => return Ok((line, token)),
                Token::Close => return Err(Fault::Syntax(place, SyntaxKind::Unexpected { sign: ')' })),
                // A result inside a variation says how that line would end; it is not the game's.
                Token::Result(_) if depth > 0 => {}
                Token::Result(_) => return Ok((line, token)),
                Token::End if depth > 0 => return Err(Fault::Syntax(opened, SyntaxKind::UnclosedVariation)),
                Token::End => return Ok((line, token)),
            }
        }
    }
}

impl<S: Source> Iterator for Reader<S> {
    type Item = Result<WrittenGame, ReadError<S::Error>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let mut in_tags = false;
        let fault = match self.read_game(&mut in_tags) {
            Ok(game) => return game.map(Ok),
            Err(fault) => fault,
        };
        let game = self.games.max(1);
        let error = match fault {
            Fault::Syntax(place, kind) => {
                let syntax = ReadError::Syntax(SyntaxError { game, place, kind });
                match self.lexer.skip_game(in_tags) {
                    Ok(()) => return Some(Err(syntax)),
                    Err(error) => error,
                }
            }
            Fault::Source(error) => error,
        };
        self.has_failed = true;
        Some(Err(ReadError::Source { game, place: self.lexer.place(), error }))
    }
}

/// Adds a word to a line: a move with the judgement at its end, or a judgement that stands alone. The remark
/// `e.p.` that some write behind a capture says nothing new and is dropped, also where no blank comes before it.
fn push_word(line: &mut Line, number: Option<super::MoveNumber>, word: &str, place: Place) {
    let judged = word.trim_end_matches(['!', '?']);
    let text = match judged.strip_suffix("ep").or_else(|| judged.strip_suffix('e')) {
        Some(capture) if ends_with_square(capture) => capture,
        _ => judged,
    };
    let nag = match &word[judged.len()..] {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    };
    if !matches!(text, "" | "e" | "p" | "ep") {
        line.plies.push(WrittenPly { place, ..WrittenPly::new(number, String::from(text)) });
    }
    if let (Some(nag), Some(ply)) = (nag, line.plies.last_mut()) {
        ply.nags.push(nag);
    }
}

/// Whether a word ends with a file and a number, as a capture does: a move number or a result would not.
fn ends_with_square(word: &str) -> bool {
    let file = word.trim_end_matches(|digit: char| digit.is_ascii_digit());
    file.len() < word.len() && file.ends_with(|file: char| ('a'..='n').contains(&file))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Cutting the remark off a number or a result would leave a word that reads back as none.
    #[test]
    fn the_remark_e_p_is_cut_off_captures_alone() {
        let game = Reader::new(&b"1. exd6e h11xg12ep! 35e 1-0ep *"[..]).next().unwrap().unwrap();
        let words: Vec<&str> = game.line.plies.iter().map(|ply| ply.text.as_str()).collect();
        assert_eq!(words, ["exd6", "h11xg12", "35e", "1-0ep"]);
        assert_eq!(game.line.plies[1].nags, [1]);
    }
}
