//! Recovery after an error: the start of the next game.

use alloc::string::String;

use super::super::input::Source;
use super::super::tags::Tags;
use super::{FILE_END, Lexer};

/// The maximum length of a tag's name for the comparison with other names after an error.
const MAX_NAME_AHEAD: usize = 64;

impl<S: Source> Lexer<S> {
    /// Moves to the next line that starts a game, after an error. Such a line has a tag after an
    /// empty line, a tag after moves, or a tag whose name the game already has; or it comes after a
    /// byte order mark; or, if the game has moves already, it comes after an empty line and begins
    /// with the number 1.
    pub(in super::super) fn skip_game(&mut self, in_tags: bool, tags: &Tags) -> Result<(), S::Error> {
        let mut has_moves = !in_tags;
        let mut follows_empty_line = false;
        loop {
            if self.input.is_line_start()? {
                if self.input.is_byte_order_mark()? {
                    return Ok(());
                }
                match self.input.peek()? {
                    None | Some(FILE_END) => return Ok(()),
                    Some(b'\n' | b'\r') => follows_empty_line = true,
                    Some(b'[') => {
                        if let Some(name) = self.name_ahead()?
                            && (has_moves
                                || follows_empty_line
                                || name == self.tag_name
                                || tags.get(&name).is_some())
                        {
                            return Ok(());
                        }
                        follows_empty_line = false;
                    }
                    Some(b'1')
                        if has_moves && follows_empty_line && self.input.peek_second()? == Some(b'.') =>
                    {
                        return Ok(());
                    }
                    Some(b'%') => {}
                    Some(_) => (has_moves, follows_empty_line) = (true, false),
                }
            }
            if self.input.next()?.is_none() {
                return Ok(());
            }
        }
    }

    /// Returns the name of the tag that starts with the next byte, or the part of the name within
    /// the lookahead.
    fn name_ahead(&mut self) -> Result<Option<String>, S::Error> {
        if !self.input.peek_second()?.is_some_and(|byte| byte.is_ascii_alphabetic()) {
            return Ok(None);
        }
        let mut name = String::new();
        while let Some(byte) = self.input.peek_at(1 + name.len())?
            && (byte.is_ascii_alphanumeric() || byte == b'_')
            && name.len() < MAX_NAME_AHEAD
        {
            name.push(char::from(byte));
        }
        Ok(Some(name))
    }
}
