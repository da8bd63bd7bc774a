//! The tags at the head of a written game.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

/// Name and value pairs, in the order written. A name is there once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// No tags.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find_map(|(other, value)| (other == name).then_some(value))
    }

    /// Gives a tag its value; one that is there keeps its place.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => *old = value.to_string(),
            None => self.0.push((name.to_string(), value.to_string())),
        }
    }

    /// All tags in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A line `[Name "value"]` for each. Line breaks in a value become blanks.
impl fmt::Display for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.iter() {
            write!(f, "[{name} \"")?;
            for letter in value.chars() {
                match letter {
                    '"' | '\\' => write!(f, "\\{letter}")?,
                    '\n' | '\r' => f.write_char(' ')?,
                    _ => f.write_char(letter)?,
                }
            }
            f.write_str("\"]\n")?;
        }
        Ok(())
    }
}
