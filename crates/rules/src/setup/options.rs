//! The options block of FEN4: `{'key':value,...}`.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Field, Reading, SetupError};

/// A value of the options block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// `'text'`
    Text(String),
    /// Digits.
    Number(String),
    /// `true`, `false` or another bare word.
    Word,
    /// `('a','b')` or `['a','b']`
    List(Vec<Self>),
    /// A block inside the block.
    Block,
}

impl Value {
    /// Returns the texts of a list of texts.
    pub(super) fn texts(&self) -> Option<Vec<&str>> {
        match self {
            Self::List(values) => values.iter().map(Self::text).collect(),
            Self::Text(_) | Self::Number(_) | Self::Word | Self::Block => None,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(_) | Self::Word | Self::List(_) | Self::Block => None,
        }
    }
}

/// Parses a whole block. Unknown keys are returned too, so that the caller can drop them. A
/// repeated key is refused. Lenient reading allows white space between tokens, and double quotes.
pub(super) fn parse(text: &str, reading: &Reading) -> Result<BTreeMap<String, Value>, SetupError> {
    let mut parser = BlockParser { rest: text, depth: 0, is_lenient: reading.is_lenient() };
    let block = parser.block().filter(|_| parser.rest.is_empty());
    block.ok_or_else(|| SetupError::new(Field::Options, text, "is not a block of {'key':value,...}"))
}

struct BlockParser<'a> {
    rest: &'a str,
    depth: u8,
    is_lenient: bool,
}

impl<'a> BlockParser<'a> {
    /// The maximum nesting depth of values. Sites use a depth of two.
    const MAX_DEPTH: u8 = 8;

    fn skip_blank(&mut self) {
        if self.is_lenient {
            self.rest = self.rest.trim_start();
        }
    }

    fn eat(&mut self, token: char) -> bool {
        self.skip_blank();
        let after = self.rest.strip_prefix(token);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn quoted(&mut self) -> Option<&'a str> {
        self.skip_blank();
        let quote = if self.is_lenient && self.rest.starts_with('"') { '"' } else { '\'' };
        let (text, rest) = self.rest.strip_prefix(quote)?.split_once(quote)?;
        self.rest = rest;
        Some(if self.is_lenient { text.trim() } else { text })
    }

    fn block(&mut self) -> Option<BTreeMap<String, Value>> {
        let mut block = BTreeMap::new();
        if !self.eat('{') {
            return None;
        }
        while !self.eat('}') {
            if !block.is_empty() && !self.eat(',') {
                return None;
            }
            let key = self.quoted()?;
            if !self.eat(':') || block.insert(key.into(), self.value()?).is_some() {
                return None;
            }
        }
        Some(block)
    }

    fn value(&mut self) -> Option<Value> {
        self.skip_blank();
        if self.rest.starts_with('\'') || self.is_lenient && self.rest.starts_with('"') {
            return self.quoted().map(|text| Value::Text(text.into()));
        }
        if self.depth == Self::MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = if self.rest.starts_with('{') {
            self.block().map(|_| Value::Block)
        } else if self.eat('(') {
            self.list(')')
        } else if self.eat('[') {
            self.list(']')
        } else {
            self.bare()
        };
        self.depth -= 1;
        value
    }

    fn list(&mut self, end: char) -> Option<Value> {
        let mut values = Vec::new();
        while !self.eat(end) {
            if !values.is_empty() && !self.eat(',') {
                return None;
            }
            values.push(self.value()?);
        }
        Some(Value::List(values))
    }

    /// Parses a number or a word without quotes.
    fn bare(&mut self) -> Option<Value> {
        let belongs = |letter: char| {
            letter.is_ascii_alphanumeric() || letter == '.' || self.is_lenient && matches!(letter, '-' | '+')
        };
        let end = self.rest.find(|letter: char| !belongs(letter));
        let (bare, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        match bare.as_bytes() {
            [] => None,
            [first, ..] if first.is_ascii_digit() => Some(Value::Number(bare.into())),
            _ => Some(Value::Word),
        }
    }
}
