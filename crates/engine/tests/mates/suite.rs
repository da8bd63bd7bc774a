//! The positions of `suite.txt`.

use std::fmt;

use quadrex_rules::{AnyPosition, Move, Setup, Variant};

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A move that mates an opponent within so many own moves, however all others play.
    Mate(u32),
    /// A move after which not even all opponents together can mate before the next own turn, where they can after
    /// nearly all.
    Defence,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mate(own_moves) => write!(f, "mate in {own_moves}"),
            Self::Defence => f.write_str("defence"),
        }
    }
}

/// A position with all its solutions.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) variant: Variant,
    pub(crate) kind: Kind,
    pub(crate) position: AnyPosition,
    pub(crate) solutions: Vec<Move>,
}

impl Problem {
    /// Reads a line: variant, kind, FEN or FEN4 and solutions, with ` | ` between. What is wrong is named.
    fn read(line: &str) -> Result<Self, String> {
        let [variant, kind, setup, solutions] = *line.split(" | ").collect::<Vec<_>>().as_slice() else {
            return Err(format!("{line:?} has not four parts"));
        };
        let variant: Variant = variant.parse().map_err(|error| format!("{variant:?}: {error}"))?;
        let kind = match (kind, kind.strip_prefix("mate in ")) {
            ("defence", _) => Kind::Defence,
            (_, Some(number)) => Kind::Mate(number.parse().map_err(|error| format!("{kind:?}: {error}"))?),
            _ => return Err(format!("{kind:?} is neither a mate nor a defence")),
        };
        let setup = Setup::parse(variant, setup).map_err(|error| format!("{setup:?}: {error}"))?;
        let position = AnyPosition::new(&setup).map_err(|error| format!("{line:?}: {error}"))?;
        let read = |word: &str| word.parse().map_err(|error| format!("{word:?}: {error}"));
        let solutions = solutions.split(' ').map(read).collect::<Result<_, _>>()?;
        Ok(Self { variant, kind, position, solutions })
    }

    /// All of them, in the order of the file.
    pub(crate) fn all() -> Result<Vec<Self>, String> {
        let lines = include_str!("suite.txt").lines().filter(|line| !line.starts_with('#'));
        lines.map(Self::read).collect()
    }
}
