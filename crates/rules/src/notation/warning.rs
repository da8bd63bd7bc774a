//! Warnings of reading a game.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::input::Location;
use crate::setup::SetupWarning;

/// A warning about a part of a written game that was changed or dropped when it was read. The rest
/// of the game is unaffected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The location at which the part occurs first; for tags, the start of the game.
    pub location: Location,
    /// The number of occurrences.
    pub count: u32,
    /// The kind.
    pub kind: WarningKind,
}

/// The kinds of warnings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WarningKind {
    /// A part of the set-up.
    #[error(transparent)]
    Setup(#[from] SetupWarning),
    /// The tag `Result` and the end of the moves differ.
    #[error("the tag Result says {tag:?} and the moves end with {text:?}: the end of the moves counts")]
    Result {
        /// The value of the tag.
        tag: String,
        /// The result after the moves.
        text: String,
    },
    /// White space outside ASCII.
    #[error("U+{:04X} is read as a blank", u32::from(*letter))]
    Blank {
        /// The character.
        letter: char,
    },
    /// An ellipsis.
    #[error("U+{:04X} is read as three dots", u32::from(*letter))]
    Dots {
        /// The character.
        letter: char,
    },
    /// A typographic letter.
    #[error("U+{:04X} is read as {meant:?}", u32::from(*letter))]
    Letter {
        /// The character.
        letter: char,
        /// The character that the letter stands for.
        meant: char,
    },
    /// An annotation that has no number in PGN, or that does not follow a move.
    #[error("the annotation {text:?} is dropped")]
    Annotation {
        /// The text as written.
        text: String,
    },
    /// More kinds of warnings than can be stored.
    #[error("more is read differently than written")]
    More,
}

/// The maximum number of kinds stored for one game.
const MAX_KINDS: usize = 50;

impl Warning {
    /// A warning about the whole game.
    pub(super) fn new(location: Location, kind: impl Into<WarningKind>) -> Self {
        Self { location, count: 1, kind: kind.into() }
    }

    /// Adds a warning. Each kind is stored once, with its first location.
    pub(super) fn add(warnings: &mut Vec<Self>, location: Location, kind: WarningKind) {
        let kind = if warnings.len() < MAX_KINDS { kind } else { WarningKind::More };
        match warnings.iter_mut().find(|warning| warning.kind == kind) {
            Some(warning) => warning.count = warning.count.saturating_add(1),
            None => warnings.push(Self::new(location, kind)),
        }
    }
}

/// Writes the kind, the count and the location. A warning about tags has no location.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !matches!(self.kind, WarningKind::Setup(_) | WarningKind::Result { .. }) {
            write!(f, "{}: ", self.location)?;
        }
        write!(f, "{}", self.kind)?;
        if self.count > 1 { write!(f, " ({} times)", self.count) } else { Ok(()) }
    }
}
