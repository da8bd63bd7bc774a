//! The tokens of PGN and PGN4.

mod recovery;
mod tag;
mod word;

use alloc::string::String;
use alloc::vec::Vec;

use super::input::{Input, Location, Source};
use super::syntax::{MAX_GAME_BYTES, SyntaxKind};
use super::typography::{Substitute, substitute};
use super::warning::{Warning, WarningKind};
use super::written_game::MoveNumber;

pub(super) use tag::Tag;

/// The error that interrupted the reading.
#[derive(Debug)]
pub(super) enum LexError<E> {
    Source(E),
    Syntax(Location, SyntaxKind),
}

/// A token of the movetext.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number(MoveNumber),
    /// A move, an exit (the word for a player's elimination), or another word.
    Word(String),
    Comment(String),
    Nag(u8),
    Open,
    Close,
    Result(String),
    /// The end of the game's text: a tag starts, or nothing follows.
    End,
}

/// The end of a file in old systems (Ctrl-Z). Files that were joined from several files contain
/// this character in the middle.
const FILE_END: u8 = 0x1A;

/// A lexer that splits a source into tags and tokens.
#[derive(Debug)]
pub(super) struct Lexer<S> {
    input: Input<S>,
    game_start: Location,
    /// True if an empty line precedes the last token.
    follows_empty_line: bool,
    /// The name of the last tag, malformed or not.
    tag_name: String,
    warnings: Vec<Warning>,
}

impl<S: Source> Lexer<S> {
    pub(super) fn new(source: S) -> Self {
        Self {
            input: Input::new(source),
            game_start: Location::START,
            follows_empty_line: false,
            tag_name: String::new(),
            warnings: Vec::new(),
        }
    }

    /// The location of the next byte.
    pub(super) fn location(&self) -> Location {
        self.input.location()
    }

    /// Returns true if an empty line precedes the last token.
    pub(super) fn follows_empty_line(&self) -> bool {
        self.follows_empty_line
    }

    /// Records a warning about a part of the text that is changed or dropped when it is read.
    pub(super) fn warn(&mut self, location: Location, what: WarningKind) {
        Warning::add(&mut self.warnings, location, what);
    }

    /// Returns the warnings since the start of the game.
    pub(super) fn take_warnings(&mut self) -> Vec<Warning> {
        core::mem::take(&mut self.warnings)
    }

    /// Moves to the start of the next game, and counts the game's bytes from this point. Returns
    /// false at the end of the source.
    pub(super) fn start_game(&mut self) -> Result<bool, LexError<S::Error>> {
        self.resume_game(self.location());
        loop {
            if self.input.skip_byte_order_mark().map_err(LexError::Source)? {
                self.game_start = self.location();
                continue;
            }
            let Some(byte) = self.peek()? else { return Ok(false) };
            if byte == b'%' && self.is_line_start()? {
                self.skip_line()?;
            } else if byte.is_ascii_whitespace() || byte == FILE_END {
                self.next()?;
            } else if !self.skip_odd_blank()? {
                self.resume_game(self.location());
                return Ok(true);
            }
            self.game_start = self.location();
        }
    }

    /// Counts the bytes of a game that has started at `location`.
    pub(super) fn resume_game(&mut self, location: Location) {
        self.game_start = location;
        self.warnings.clear();
        self.tag_name.clear();
    }

    /// Reads the next token of the movetext with its location.
    pub(super) fn token(&mut self) -> Result<(Location, Token), LexError<S::Error>> {
        let mut line = self.location().line;
        let is_first = self.is_line_start()?;
        loop {
            self.skip_blank()?;
            let location = self.location();
            self.follows_empty_line = location.line >= line + if is_first { 1 } else { 2 };
            let Some(byte) = self.peek()? else {
                return Ok((location, Token::End));
            };
            let token = match byte {
                b'%' if self.is_line_start()? => {
                    self.skip_line()?;
                    line = self.location().line;
                    continue;
                }
                b'[' | FILE_END => return Ok((location, Token::End)),
                _ if self.is_file_start()? => return Ok((location, Token::End)),
                b'.' => {
                    self.next()?;
                    continue;
                }
                b'{' => Token::Comment(self.comment(location)?),
                b';' => Token::Comment(self.line_comment()?),
                b'(' | b')' => {
                    self.next()?;
                    if byte == b'(' { Token::Open } else { Token::Close }
                }
                b'$' => {
                    self.next()?;
                    let digits = decode(self.bytes_while(|byte| byte.is_ascii_digit())?);
                    Token::Nag(
                        digits.parse().map_err(|_| LexError::Syntax(location, SyntaxKind::MalformedNag))?,
                    )
                }
                b'}' | b']' | b'<' | b'>' => {
                    return Err(LexError::Syntax(
                        location,
                        SyntaxKind::Unexpected { sign: char::from(byte) },
                    ));
                }
                // The asterisk is a complete token (PGN standard, 7). An asterisk with an
                // annotation after it is still a result and not a move.
                b'*' => {
                    self.next()?;
                    self.bytes_while(|byte| matches!(byte, b'!' | b'?'))?;
                    Token::Result(String::from("*"))
                }
                _ if self.skip_ellipsis()?.is_some() => continue,
                _ => self.word(location)?,
            };
            return Ok((location, token));
        }
    }

    /// Returns true if dots come next, perhaps after white space. The number before the dots is
    /// then not the number of a first move.
    pub(super) fn is_dot_ahead(&mut self) -> Result<bool, LexError<S::Error>> {
        self.skip_blank()?;
        let letter = self.input.peek_letter().map_err(LexError::Source)?;
        Ok(letter.is_some_and(|(letter, _)| letter == '.' || substitute(letter) == Some(Substitute::Dots)))
    }

    /// Returns true if another file starts here. That is the case at a byte order mark at the start
    /// of a line, or before a tag, a number or another mark. Elsewhere the mark counts as white
    /// space, because this was its meaning in older texts.
    fn is_file_start(&mut self) -> Result<bool, LexError<S::Error>> {
        if !self.input.is_byte_order_mark().map_err(LexError::Source)? {
            return Ok(false);
        }
        let next = self.input.peek_at(3).map_err(LexError::Source)?;
        Ok(self.is_line_start()?
            || next.is_none_or(|byte| matches!(byte, b'[' | 0xEF) || byte.is_ascii_digit()))
    }

    /// Reads a comment in braces, and replaces white space in it by single blanks. An unclosed
    /// comment ends at the next tag after an empty line. So it does not contain the following
    /// games.
    fn comment(&mut self, location: Location) -> Result<String, LexError<S::Error>> {
        self.next()?;
        let mut text = Vec::new();
        // The number of characters on the line so far, including the brace, and whether the line
        // before it was empty.
        let (mut length, mut follows_empty_line) = (1_u64, false);
        let mut last = b'{';
        loop {
            if follows_empty_line && length == 0 && self.is_tag_ahead()? {
                return Err(LexError::Syntax(location, SyntaxKind::UnclosedComment));
            }
            match self.next()? {
                None => return Err(LexError::Syntax(location, SyntaxKind::UnclosedComment)),
                Some(b'}') => return Ok(single_blanks(&decode(text))),
                Some(byte) => {
                    match byte {
                        b'\n' if last == b'\r' => {}
                        b'\n' | b'\r' => (length, follows_empty_line) = (0, length == 0),
                        _ => length += 1,
                    }
                    last = byte;
                    text.push(byte);
                }
            }
        }
    }

    fn line_comment(&mut self) -> Result<String, LexError<S::Error>> {
        self.next()?;
        let text = self.bytes_while(|byte| !matches!(byte, b'\n' | b'\r'))?;
        Ok(single_blanks(&decode(text)).replace('}', ")"))
    }

    fn skip_blank(&mut self) -> Result<(), LexError<S::Error>> {
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() {
                self.next()?;
            } else if byte.is_ascii() || self.is_file_start()? || !self.skip_odd_blank()? {
                break;
            }
        }
        Ok(())
    }

    /// Skips a blank that is not ASCII. Returns true if such a blank was skipped.
    fn skip_odd_blank(&mut self) -> Result<bool, LexError<S::Error>> {
        let location = self.location();
        match self.input.peek_letter().map_err(LexError::Source)? {
            Some((letter, length)) if substitute(letter) == Some(Substitute::Blank) => {
                self.warn(location, WarningKind::Blank { letter });
                self.skip(length)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn skip(&mut self, bytes: usize) -> Result<(), LexError<S::Error>> {
        for _ in 0..bytes {
            self.next()?;
        }
        Ok(())
    }

    /// Skips the rest of the line.
    fn skip_line(&mut self) -> Result<(), LexError<S::Error>> {
        while !matches!(self.peek()?, None | Some(b'\n' | b'\r')) {
            self.next()?;
        }
        Ok(())
    }

    fn is_line_start(&mut self) -> Result<bool, LexError<S::Error>> {
        self.input.is_line_start().map_err(LexError::Source)
    }

    fn bytes_while(&mut self, belongs: impl Fn(u8) -> bool) -> Result<Vec<u8>, LexError<S::Error>> {
        let mut bytes = Vec::new();
        let limit = self.game_start.offset + MAX_GAME_BYTES;
        self.input.take_while(limit, belongs, &mut bytes).map_err(LexError::Source)?;
        Ok(bytes)
    }

    fn peek(&mut self) -> Result<Option<u8>, LexError<S::Error>> {
        self.input.peek().map_err(LexError::Source)
    }

    fn next(&mut self) -> Result<Option<u8>, LexError<S::Error>> {
        if self.location().offset - self.game_start.offset >= MAX_GAME_BYTES {
            return Err(LexError::Syntax(self.game_start, SyntaxKind::TooLong));
        }
        self.input.next().map_err(LexError::Source)
    }
}

/// Decodes UTF-8 or, if the bytes are not valid UTF-8, Latin-1, the character set of old PGN files.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}

fn single_blanks(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut line = String::from(words.next().unwrap_or_default());
    for word in words {
        line.push(' ');
        line.push_str(word);
    }
    line
}
