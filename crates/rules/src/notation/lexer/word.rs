//! The words of the movetext: move numbers, results and moves.

use alloc::string::String;

use super::super::input::{Location, Source};
use super::super::syntax::SyntaxKind;
use super::super::typography::{Substitute, substitute};
use super::super::warning::WarningKind;
use super::super::written_game::MoveNumber;
use super::{LexError, Lexer, Token, decode};

impl<S: Source> Lexer<S> {
    /// Reads a word: a move number with the dots after it, a result, or any other word as a move.
    pub(super) fn word(&mut self, location: Location) -> Result<Token, LexError<S::Error>> {
        let word = self.letters()?;
        // No letter was read, because the game's text has reached its maximum length.
        if word.is_empty() {
            return Err(LexError::Syntax(self.game_start, SyntaxKind::TooLong));
        }
        // A number or a result with an annotation is still a number or a result, and not a move.
        let bare = word.trim_end_matches(['!', '?']);
        if !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = bare.parse().map_err(|_| LexError::Syntax(location, SyntaxKind::MalformedNumber))?;
            return Ok(Token::Number(MoveNumber { number, dots: self.dots()? }));
        }
        Ok(match bare {
            "1-0" | "0-1" | "1/2-1/2" => Token::Result(String::from(bare)),
            "1/2" | "½-½" | "½" => Token::Result(String::from("1/2-1/2")),
            _ => Token::Word(word),
        })
    }

    /// Reads the letters of a word. Typographic dashes and crosses are read as the characters that
    /// they replace.
    fn letters(&mut self) -> Result<String, LexError<S::Error>> {
        let mut word = String::new();
        loop {
            word.push_str(&decode(self.bytes_while(|byte| byte.is_ascii() && is_word_byte(byte))?));
            let location = self.location();
            let letter = match self.input.peek_letter().map_err(LexError::Source)? {
                Some((letter, length)) if !letter.is_ascii() => match substitute(letter) {
                    Some(Substitute::Blank | Substitute::Dots) => return Ok(word),
                    Some(Substitute::Letter(meant)) => {
                        self.warn(location, WarningKind::Letter { letter, meant });
                        self.skip(length)?;
                        meant
                    }
                    None => {
                        self.skip(length)?;
                        letter
                    }
                },
                _ => return Ok(word),
            };
            word.push(letter);
        }
    }

    /// Reads the dots after a number; an ellipsis counts as three.
    fn dots(&mut self) -> Result<u8, LexError<S::Error>> {
        let mut dots = self.bytes_while(|byte| byte == b'.')?.len();
        while self.skip_ellipsis()?.is_some() {
            dots += 3 + self.bytes_while(|byte| byte == b'.')?.len();
        }
        Ok(u8::try_from(dots).unwrap_or(u8::MAX))
    }

    /// Skips an ellipsis. Returns `None` if no ellipsis comes next.
    pub(super) fn skip_ellipsis(&mut self) -> Result<Option<()>, LexError<S::Error>> {
        let location = self.location();
        match self.input.peek_letter().map_err(LexError::Source)? {
            Some((letter, length)) if substitute(letter) == Some(Substitute::Dots) => {
                self.warn(location, WarningKind::Dots { letter });
                self.skip(length)?;
                Ok(Some(()))
            }
            _ => Ok(None),
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !b".{}();$[]<>*\x1A".contains(&byte)
}
