//! The signs that PGN and PGN4 are made of.

use alloc::string::String;
use alloc::vec::Vec;

use super::input::{Input, Place, Source};
use super::reader::{MAX_GAME_BYTES, SyntaxKind};
use super::written::MoveNumber;

/// What cut the reading short.
#[derive(Debug)]
pub(super) enum Fault<E> {
    Source(E),
    Syntax(Place, SyntaxKind),
}

/// A sign of the movetext.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number(MoveNumber),
    /// A move, an exit, or what stands in their place.
    Word(String),
    Comment(String),
    Nag(u8),
    Open,
    Close,
    Result(String),
    /// A tag begins, or nothing follows: the game's text has ended.
    End,
}

/// Cuts a source into tags and signs.
#[derive(Debug)]
pub(super) struct Lexer<S> {
    input: Input<S>,
    game_start: Place,
}

impl<S: Source> Lexer<S> {
    pub(super) fn new(source: S) -> Self {
        Self { input: Input::new(source), game_start: Place::START }
    }

    /// The place of the next byte.
    pub(super) fn place(&self) -> Place {
        self.input.place()
    }

    /// Goes to where the next game begins and counts its bytes from there; `false` at the end of the source.
    pub(super) fn start_game(&mut self) -> Result<bool, Fault<S::Error>> {
        self.game_start = self.place();
        self.input.skip_byte_order_mark().map_err(Fault::Source)?;
        while let Some(byte) = self.peek()? {
            if byte == b'%' && self.input.is_line_start() {
                self.skip_line()?;
            } else if byte.is_ascii_whitespace() {
                self.next()?;
            } else {
                self.game_start = self.place();
                return Ok(true);
            }
            self.game_start = self.place();
        }
        Ok(false)
    }

    /// The next tag, if one comes next.
    pub(super) fn tag(&mut self) -> Result<Option<(String, String)>, Fault<S::Error>> {
        self.skip_blank()?;
        if self.peek()? != Some(b'[') {
            return Ok(None);
        }
        let place = self.place();
        self.next()?;
        let name = self.bytes_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_')?;
        self.skip_blank()?;
        if name.is_empty() || self.next()? != Some(b'"') {
            return Err(Fault::Syntax(place, SyntaxKind::MalformedTag));
        }
        let value = self.tag_value(place)?;
        self.skip_blank()?;
        match self.next()? {
            // Sites break the ranks of a set-up into lines: a break is a blank, as when it is written again.
            Some(b']') if value.contains(&b'\n') => Ok(Some((decode(name), single_blanks(&decode(value))))),
            Some(b']') => Ok(Some((decode(name), decode(value)))),
            _ => Err(Fault::Syntax(place, SyntaxKind::MalformedTag)),
        }
    }

    /// The value up to its closing quote; a quote inside that nobody escaped is taken as part of it.
    fn tag_value(&mut self, place: Place) -> Result<Vec<u8>, Fault<S::Error>> {
        let mut value = Vec::new();
        loop {
            let begins_line = self.input.is_line_start();
            match self.next()? {
                None => return Err(Fault::Syntax(place, SyntaxKind::MalformedTag)),
                Some(b'\n' | b'\r') if begins_line => {
                    return Err(Fault::Syntax(place, SyntaxKind::MalformedTag));
                }
                Some(b'"') if self.ends_value()? => return Ok(value),
                Some(b'\\') => match self.peek()? {
                    Some(escaped @ (b'"' | b'\\')) => {
                        self.next()?;
                        value.push(escaped);
                    }
                    _ => value.push(b'\\'),
                },
                Some(byte) => value.push(byte),
            }
        }
    }

    /// Whether a quote ends the value: the closing bracket follows, after one blank perhaps, or nothing does.
    fn ends_value(&mut self) -> Result<bool, Fault<S::Error>> {
        Ok(match self.peek()? {
            None | Some(b']' | b'\n' | b'\r') => true,
            Some(b' ') => self.input.peek_second().map_err(Fault::Source)? == Some(b']'),
            Some(_) => false,
        })
    }

    /// The next sign of the movetext and its place.
    pub(super) fn token(&mut self) -> Result<(Place, Token), Fault<S::Error>> {
        loop {
            self.skip_blank()?;
            let place = self.place();
            let Some(byte) = self.peek()? else {
                return Ok((place, Token::End));
            };
            let token = match byte {
                b'%' if self.input.is_line_start() => {
                    self.skip_line()?;
                    continue;
                }
                b'[' => return Ok((place, Token::End)),
                b'.' => {
                    self.next()?;
                    continue;
                }
                b'{' => Token::Comment(self.comment(place)?),
                b';' => Token::Comment(self.line_comment()?),
                b'(' | b')' => {
                    self.next()?;
                    if byte == b'(' { Token::Open } else { Token::Close }
                }
                b'$' => {
                    self.next()?;
                    let digits = decode(self.bytes_while(|byte| byte.is_ascii_digit())?);
                    Token::Nag(digits.parse().map_err(|_| Fault::Syntax(place, SyntaxKind::MalformedNag))?)
                }
                b'}' | b']' | b'<' | b'>' => {
                    return Err(Fault::Syntax(place, SyntaxKind::Unexpected { sign: char::from(byte) }));
                }
                _ => self.word(place)?,
            };
            return Ok((place, token));
        }
    }

    /// A word: a move number with the dots behind it, a result, or else a move.
    fn word(&mut self, place: Place) -> Result<Token, Fault<S::Error>> {
        let word = decode(self.bytes_while(is_word_byte)?);
        // Nothing could be taken: the game's text is as long as it may be.
        if word.is_empty() {
            return Err(Fault::Syntax(self.game_start, SyntaxKind::TooLong));
        }
        // A judgement makes no move of what is none.
        let bare = word.trim_end_matches(['!', '?']);
        if !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit()) {
            let dots = self.bytes_while(|byte| byte == b'.')?.len();
            let dots = u8::try_from(dots).unwrap_or(u8::MAX);
            let number = bare.parse().map_err(|_| Fault::Syntax(place, SyntaxKind::MalformedNumber))?;
            return Ok(Token::Number(MoveNumber { number, dots }));
        }
        Ok(match bare {
            "*" | "1-0" | "0-1" | "1/2-1/2" => Token::Result(String::from(bare)),
            "1/2" | "½-½" | "½" => Token::Result(String::from("1/2-1/2")),
            _ => Token::Word(word),
        })
    }

    /// A comment in braces, its white space made single blanks. One that never ends stops where, after an empty
    /// line, a tag begins, so that it does not swallow the games behind it.
    fn comment(&mut self, place: Place) -> Result<String, Fault<S::Error>> {
        self.next()?;
        let mut text = Vec::new();
        // Signs on the line so far, the brace being one; whether the line before had none.
        let (mut length, mut follows_empty_line) = (1_u64, false);
        loop {
            if follows_empty_line && length == 0 && self.is_tag_ahead()? {
                return Err(Fault::Syntax(place, SyntaxKind::UnclosedComment));
            }
            match self.next()? {
                None => return Err(Fault::Syntax(place, SyntaxKind::UnclosedComment)),
                Some(b'}') => return Ok(single_blanks(&decode(text))),
                Some(byte) => {
                    match byte {
                        b'\n' => (length, follows_empty_line) = (0, length == 0),
                        b'\r' => {}
                        _ => length += 1,
                    }
                    text.push(byte);
                }
            }
        }
    }

    fn line_comment(&mut self) -> Result<String, Fault<S::Error>> {
        self.next()?;
        let text = self.bytes_while(|byte| byte != b'\n')?;
        Ok(single_blanks(&decode(text)).replace('}', ")"))
    }

    /// After a fault: goes to the next line that begins a tag section. In tags, an empty line comes before it.
    pub(super) fn skip_game(&mut self, in_tags: bool) -> Result<(), S::Error> {
        let mut waits_for_empty_line = in_tags;
        loop {
            if self.input.is_line_start() {
                match self.input.peek()? {
                    None => return Ok(()),
                    Some(b'\n' | b'\r') => waits_for_empty_line = false,
                    Some(b'[') if !waits_for_empty_line => {
                        if self.input.peek_second()?.is_some_and(|byte| byte.is_ascii_alphabetic()) {
                            return Ok(());
                        }
                    }
                    Some(_) => {}
                }
            }
            if self.input.next()?.is_none() {
                return Ok(());
            }
        }
    }

    fn is_tag_ahead(&mut self) -> Result<bool, Fault<S::Error>> {
        let second = self.input.peek_second().map_err(Fault::Source)?;
        Ok(self.peek()? == Some(b'[') && second.is_some_and(|byte| byte.is_ascii_alphabetic()))
    }

    fn skip_blank(&mut self) -> Result<(), Fault<S::Error>> {
        while self.peek()?.is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.next()?;
        }
        Ok(())
    }

    fn skip_line(&mut self) -> Result<(), Fault<S::Error>> {
        while !matches!(self.next()?, None | Some(b'\n')) {}
        Ok(())
    }

    fn bytes_while(&mut self, belongs: impl Fn(u8) -> bool) -> Result<Vec<u8>, Fault<S::Error>> {
        let mut bytes = Vec::new();
        let limit = self.game_start.offset + MAX_GAME_BYTES;
        self.input.take_while(limit, belongs, &mut bytes).map_err(Fault::Source)?;
        Ok(bytes)
    }

    fn peek(&mut self) -> Result<Option<u8>, Fault<S::Error>> {
        self.input.peek().map_err(Fault::Source)
    }

    fn next(&mut self) -> Result<Option<u8>, Fault<S::Error>> {
        if self.place().offset - self.game_start.offset >= MAX_GAME_BYTES {
            return Err(Fault::Syntax(self.game_start, SyntaxKind::TooLong));
        }
        self.input.next().map_err(Fault::Source)
    }
}

fn is_word_byte(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !b".{}();$[]<>".contains(&byte)
}

/// UTF-8 if it is, else Latin-1, the alphabet of old PGN files.
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
