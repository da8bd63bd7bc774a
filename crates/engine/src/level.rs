//! How well a bot plays.

use std::fmt;

/// From a beginner (1) to all the engine can do (8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// A number that is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelError(pub u8);

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a level: expected 1 to {}", self.0, Level::FULL.0)
    }
}

impl std::error::Error for LevelError {}

impl Level {
    /// The lowest.
    pub const LOWEST: Self = Self(1);

    /// Full strength: nothing but the limits of the task holds it back.
    pub const FULL: Self = Self(8);

    /// Every level, lowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LOWEST.0..=Self::FULL.0).map(Self)
    }

    /// Its number, 1 to 8.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Level {
    type Error = LevelError;

    fn try_from(number: u8) -> Result<Self, LevelError> {
        if (Self::LOWEST.0..=Self::FULL.0).contains(&number) {
            Ok(Self(number))
        } else {
            Err(LevelError(number))
        }
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::FULL
    }
}
