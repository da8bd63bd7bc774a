//! What reading a game passed over or read otherwise than it stands.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::input::Location;
use crate::setup::SetupWarning;

/// Something that a written game says and that is read otherwise or dropped. The rest of the game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where it stands the first time; for what the tags say, where the game begins.
    pub location: Location,
    /// How many times.
    pub count: u32,
    /// What it is.
    pub kind: WarningKind,
}

/// The kinds of what is read otherwise or dropped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WarningKind {
    /// A part of the set-up.
    #[error(transparent)]
    Setup(#[from] SetupWarning),
    /// The tag `Result` and the end of the moves differ.
    #[error("the tag Result says {tag:?} and the moves end with {text:?}: the end of the moves counts")]
    Result {
        /// What the tag says.
        tag: String,
        /// What stands behind the moves.
        text: String,
    },
    /// White space that is none of ASCII.
    #[error("U+{:04X} is read as a blank", u32::from(*letter))]
    Blank {
        /// Which.
        letter: char,
    },
    /// An ellipsis.
    #[error("U+{:04X} is read as three dots", u32::from(*letter))]
    Dots {
        /// Which.
        letter: char,
    },
    /// A typographic letter.
    #[error("U+{:04X} is read as {meant:?}", u32::from(*letter))]
    Letter {
        /// Which.
        letter: char,
        /// What it stands for.
        meant: char,
    },
    /// A judgement that has no number in PGN, or no move to belong to.
    #[error("the annotation {text:?} is dropped")]
    Annotation {
        /// How it stands.
        text: String,
    },
    /// More kinds than are kept.
    #[error("more is read otherwise than it stands")]
    More,
}

/// The most kinds that are kept of one game.
const MAX_KINDS: usize = 50;

impl Warning {
    /// One about the whole game.
    pub(super) fn new(location: Location, kind: impl Into<WarningKind>) -> Self {
        Self { location, count: 1, kind: kind.into() }
    }

    /// Adds one to others; each kind is kept once, with its first location.
    pub(super) fn add(warnings: &mut Vec<Self>, location: Location, kind: WarningKind) {
        let kind = if warnings.len() < MAX_KINDS { kind } else { WarningKind::More };
        match warnings.iter_mut().find(|known| known.kind == kind) {
            Some(known) => known.count = known.count.saturating_add(1),
            None => warnings.push(Self::new(location, kind)),
        }
    }
}

/// What it is and how often, and where, unless it is about the tags.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !matches!(self.kind, WarningKind::Setup(_) | WarningKind::Result { .. }) {
            write!(f, "{}: ", self.location)?;
        }
        write!(f, "{}", self.kind)?;
        if self.count > 1 { write!(f, " ({} times)", self.count) } else { Ok(()) }
    }
}
