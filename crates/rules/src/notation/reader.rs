//! A reader of games, one by one.

use alloc::format;
use alloc::string::String;

use super::annotation;
use super::input::{Location, Source};
use super::lexer::{LexError, Lexer, Tag, Token};
use super::syntax::{MAX_VARIATION_DEPTH, SyntaxError, SyntaxKind};
use super::tags::Tags;
use super::warning::WarningKind;
use super::written_game::{Line, MoveNumber, WrittenGame, WrittenPly};

/// The number of dots after a move number before a move that is not the first of its round (PGN
/// standard, 8.2.2.2).
const LATER_MOVE: u8 = 3;

/// The error of reading a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError<E> {
    /// The source failed; nothing follows.
    #[error("game {game}, {location}: {error}")]
    Source {
        /// The number of the game being read, from 1.
        game: u64,
        /// The location reached.
        location: Location,
        /// The error of the source.
        error: E,
    },
    /// This game is malformed; reading continues with the next game.
    #[error(transparent)]
    Syntax(SyntaxError),
}

/// A reader of the games of a PGN or PGN4 source, one by one.
///
/// The reader stores one game at a time. A game ends at its result. Without a result, a game ends
/// at the next tag after moves, at a tag whose name the game already has, at the end of a file in
/// joined files, or where its move numbers start again. After a malformed game, reading continues
/// where the next game seems to start.
#[derive(Debug)]
pub struct Reader<S> {
    lexer: Lexer<S>,
    games: u64,
    /// The part of the next game that has been read.
    pending: Option<Pending>,
    has_failed: bool,
}

/// The first token of a game. This token has ended the previous game.
#[derive(Debug)]
enum Pending {
    Tag(Tag),
    Number(Location, MoveNumber),
}

impl<S: Source> Reader<S> {
    /// A reader from the start of `source`.
    pub fn new(source: S) -> Self {
        Self { lexer: Lexer::new(source), games: 0, pending: None, has_failed: false }
    }

    /// Reads a game. `tags` gets the game's tags, even if reading fails. `in_tags` is set to false
    /// once the tags have ended.
    fn read_game(
        &mut self,
        tags: &mut Tags,
        in_tags: &mut bool,
    ) -> Result<Option<WrittenGame>, LexError<S::Error>> {
        let (location, mut tag, number) = match self.pending.take() {
            Some(Pending::Tag(tag)) => (tag.location, Some(tag), None),
            Some(Pending::Number(location, number)) => (location, None, Some(number)),
            None if self.lexer.start_game()? => (self.lexer.location(), None, None),
            None => return Ok(None),
        };
        self.games += 1;
        self.lexer.resume_game(location);
        *in_tags = number.is_none();
        while *in_tags {
            if tag.is_none() {
                tag = self.lexer.tag()?;
            }
            match tag.take() {
                // A tag name occurs only once in a game (PGN standard, 8.1), so this tag belongs to
                // the next game.
                Some(tag) if tags.get(&tag.name).is_some() => {
                    self.pending = Some(Pending::Tag(tag));
                    break;
                }
                Some(tag) => tags.set(&tag.name, &tag.value),
                None => *in_tags = false,
            }
        }
        let (line, last) = if self.pending.is_some() {
            (Line::default(), Token::End)
        } else {
            self.read_line(location, 0, number)?
        };
        let result = match last {
            Token::Result(result) => Some(result),
            _ => None,
        };
        let (number, tags, warnings) = (self.games, core::mem::take(tags), self.lexer.take_warnings());
        Ok(Some(WrittenGame { number, location, tags, line, result, warnings }))
    }

    /// Reads a sequence of moves, and returns it with the token that ended it. A variation ends
    /// with `)`. The game itself ends with a result or at the end of its text. `number` is a move
    /// number that was read before.
    fn read_line(
        &mut self,
        opened: Location,
        depth: u8,
        mut number: Option<MoveNumber>,
    ) -> Result<(Line, Token), LexError<S::Error>> {
        let mut line = Line::default();
        let mut highest = number.map_or(0, |number| number.number);
        loop {
            let (location, token) = self.lexer.token()?;
            match token {
                Token::Number(mut read) => {
                    if depth == 0 && !line.plies.is_empty() && self.seems_first(read, highest) {
                        if !self.lexer.is_dot_ahead()? {
                            self.pending = Some(Pending::Number(location, read));
                            return Ok((line, Token::End));
                        }
                        // The number belongs to a move that is not the first of its round. Three
                        // dots show this unambiguously.
                        read.dots = LATER_MOVE;
                    }
                    highest = highest.max(read.number);
                    number = Some(read);
                }
                Token::Word(word) => self.push_word(&mut line, &mut number, &word, location),
                Token::Comment(comment) => match line.plies.last_mut() {
                    Some(ply) => ply.comments.push(comment),
                    None => line.comments.push(comment),
                },
                Token::Nag(nag) => self.push_nag(&mut line, nag, location),
                Token::Open => {
                    if depth == MAX_VARIATION_DEPTH {
                        return Err(LexError::Syntax(location, SyntaxKind::TooDeep));
                    }
                    let (variation, _) = self.read_line(location, depth + 1, None)?;
                    let ply = line.plies.last_mut();
                    let ply = ply.ok_or(LexError::Syntax(location, SyntaxKind::VariationOfNothing))?;
                    ply.variations.push(variation);
                }
                Token::Close if depth > 0 => return Ok((line, token)),
                Token::Close => return Err(LexError::Syntax(location, SyntaxKind::Unexpected { sign: ')' })),
                // A result inside a variation is the end of the variation, not of the game.
                Token::Result(_) if depth > 0 => {}
                Token::Result(_) => return Ok((line, token)),
                Token::End if depth > 0 => {
                    return Err(LexError::Syntax(opened, SyntaxKind::UnclosedVariation));
                }
                Token::End => return Ok((line, token)),
            }
        }
    }

    /// Returns whether a number after moves seems to be the first number of another game. This is a
    /// 1 after an empty line or after a higher number.
    fn seems_first(&self, read: MoveNumber, highest: u32) -> bool {
        let follows = highest > 1 || self.lexer.follows_empty_line();
        follows && read.number == 1 && read.dots <= 1
    }

    /// Adds a word to a line: a move with its annotations, or an annotation alone.
    fn push_word(
        &mut self,
        line: &mut Line,
        number: &mut Option<MoveNumber>,
        word: &str,
        location: Location,
    ) {
        let annotated = annotation::split(word);
        if !annotated.text.is_empty() {
            let ply = WrittenPly::new(number.take(), String::from(annotated.text));
            line.plies.push(WrittenPly { location, ..ply });
        }
        for nag in annotated.nags {
            self.push_nag(line, nag, location);
        }
        for text in annotated.dropped {
            self.lexer.warn(location, WarningKind::Annotation { text });
        }
    }

    fn push_nag(&mut self, line: &mut Line, nag: u8, location: Location) {
        match line.plies.last_mut() {
            Some(ply) => ply.nags.push(nag),
            None => self.lexer.warn(location, WarningKind::Annotation { text: format!("${nag}") }),
        }
    }
}

impl<S: Source> Iterator for Reader<S> {
    type Item = Result<WrittenGame, ReadError<S::Error>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let (mut tags, mut in_tags) = (Tags::new(), false);
        let error = match self.read_game(&mut tags, &mut in_tags) {
            Ok(game) => return game.map(Ok),
            Err(error) => error,
        };
        let game = self.games.max(1);
        let error = match error {
            LexError::Syntax(location, kind) => {
                let syntax = ReadError::Syntax(SyntaxError { game, location, kind });
                match self.lexer.skip_game(in_tags, &tags) {
                    Ok(()) => return Some(Err(syntax)),
                    Err(error) => error,
                }
            }
            LexError::Source(error) => error,
        };
        self.has_failed = true;
        Some(Err(ReadError::Source { game, location: self.lexer.location(), error }))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// A text that is read as one game is still read as one game after it has been written. If the
    /// numbers start again, the text is already read as two games.
    #[test]
    fn a_game_is_written_as_one_game_however_its_numbers_stand() {
        let texts = [
            ("1. e4 e5 2. d4 d5 3.e\n\n1. e4 e5 *", 2),
            ("1. e4 e5\n2. d4 d5\n1 .. Nf3 Nf6 *", 1),
            ("1. e4\n\n1 . e5 *", 1),
            ("1. e4 e5 2. 1. d4 *", 2),
        ];
        for (text, count) in texts {
            let games: Vec<_> = Reader::new(text.as_bytes()).map(Result::unwrap).collect();
            assert_eq!(games.len(), count, "{text}");
            for game in &games {
                let (mut pgn, mut pgn4) = (String::new(), String::new());
                game.write_pgn(&mut pgn).unwrap();
                game.write_pgn4(&mut pgn4).unwrap();
                for written in [pgn, pgn4] {
                    let reread: Vec<_> = Reader::new(written.as_bytes()).map(Result::unwrap).collect();
                    assert_eq!(reread, core::slice::from_ref(game), "{written}");
                }
            }
        }
    }

    /// If the remark were cut off a number or a result, the rest would not be read as a move.
    #[test]
    fn the_remark_e_p_is_cut_off_captures_alone() {
        let game = Reader::new(&b"1. exd6e h11xg12ep! 35e 1-0ep *"[..]).next().unwrap().unwrap();
        let words: Vec<&str> = game.line.plies.iter().map(|ply| ply.text.as_str()).collect();
        assert_eq!(words, ["exd6", "h11xg12", "35e", "1-0ep"]);
        assert_eq!(game.line.plies[1].nags, [1]);
    }
}
