//! The tags of a game.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::input::{Location, Source};
use super::super::syntax::SyntaxKind;
use super::{LexError, Lexer, decode, single_blanks};

/// A tag and its location.
#[derive(Debug)]
pub(in super::super) struct Tag {
    pub(in super::super) location: Location,
    pub(in super::super) name: String,
    pub(in super::super) value: String,
}

impl<S: Source> Lexer<S> {
    /// Reads a tag, if a tag comes next.
    pub(in super::super) fn tag(&mut self) -> Result<Option<Tag>, LexError<S::Error>> {
        self.skip_blank()?;
        if self.peek()? != Some(b'[') {
            return Ok(None);
        }
        let location = self.location();
        let malformed = LexError::Syntax(location, SyntaxKind::MalformedTag);
        self.next()?;
        let name = decode(self.bytes_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_')?);
        self.tag_name.clone_from(&name);
        self.skip_blank()?;
        if name.is_empty() || self.peek()? != Some(b'"') {
            return Err(malformed);
        }
        self.next()?;
        let value = self.tag_value(location)?;
        self.skip_blank()?;
        if self.peek()? != Some(b']') {
            return Err(malformed);
        }
        self.next()?;
        // Some sites write each rank of a set-up on its own line. Line breaks are read as blanks,
        // and they are written as blanks again.
        let is_broken = value.contains(&b'\n') || value.contains(&b'\r');
        let value = decode(value);
        let value = if is_broken { single_blanks(&value) } else { value };
        Ok(Some(Tag { location, name, value }))
    }

    /// Reads the value up to its closing quote. A quote within the value that is not escaped is
    /// part of the value.
    fn tag_value(&mut self, location: Location) -> Result<Vec<u8>, LexError<S::Error>> {
        let mut value = Vec::new();
        loop {
            let begins_line = self.is_line_start()?;
            match self.next()? {
                None => return Err(LexError::Syntax(location, SyntaxKind::MalformedTag)),
                Some(b'\n' | b'\r') if begins_line => {
                    return Err(LexError::Syntax(location, SyntaxKind::MalformedTag));
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

    /// Returns true if a quote ends the value. In this case nothing follows, or the closing bracket
    /// follows, perhaps after one blank.
    fn ends_value(&mut self) -> Result<bool, LexError<S::Error>> {
        Ok(match self.peek()? {
            None | Some(b']' | b'\n' | b'\r') => true,
            Some(b' ') => self.input.peek_second().map_err(LexError::Source)? == Some(b']'),
            Some(_) => false,
        })
    }

    /// Returns true if a tag comes next, perhaps after a byte order mark.
    pub(super) fn is_tag_ahead(&mut self) -> Result<bool, LexError<S::Error>> {
        let ahead = if self.input.is_byte_order_mark().map_err(LexError::Source)? { 3 } else { 0 };
        let mut peek = |ahead| self.input.peek_at(ahead).map_err(LexError::Source);
        Ok(peek(ahead)? == Some(b'[') && peek(ahead + 1)?.is_some_and(|byte| byte.is_ascii_alphabetic()))
    }
}
