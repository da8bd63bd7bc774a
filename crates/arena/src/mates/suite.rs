//! The problems of `suite.txt`.

use std::fmt;

use anyhow::{Context, Result, bail};
use quadrex_rules::{AnyPosition, Move, Setup, Variant};

/// The task of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A move that forces an opponent's mate within this number of own moves.
    Mate(u32),
    /// A move that prevents a mate. After it, even all opponents together cannot mate before the
    /// player's next turn, but after nearly all other moves they can.
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
pub struct Problem {
    /// The variant.
    pub variant: Variant,
    /// The task.
    pub kind: Kind,
    /// The position.
    pub position: AnyPosition,
    /// All solutions.
    pub solutions: Vec<Move>,
}

impl Problem {
    /// Parses a line: variant, kind, FEN or FEN4, and solutions, separated by ` | `.
    fn parse(line: &str) -> Result<Self> {
        let [variant, kind, setup, solutions] = *line.split(" | ").collect::<Vec<_>>().as_slice() else {
            bail!("{line:?}: expected four parts");
        };
        let variant: Variant = variant.parse().with_context(|| format!("{variant:?}"))?;
        let kind = match (kind, kind.strip_prefix("mate in ")) {
            ("defence", _) => Kind::Defence,
            (_, Some(number)) => Kind::Mate(number.parse().with_context(|| format!("{kind:?}"))?),
            _ => bail!("{kind:?}: expected a mate or a defence"),
        };
        let setup = Setup::parse(variant, setup).with_context(|| format!("{setup:?}"))?;
        let position = AnyPosition::new(&setup).with_context(|| format!("{line:?}"))?;
        let parse = |word: &str| word.parse().with_context(|| format!("{word:?}"));
        let solutions = solutions.split(' ').map(parse).collect::<Result<_>>()?;
        Ok(Self { variant, kind, position, solutions })
    }

    /// Returns all problems in the order of the file.
    ///
    /// # Errors
    /// Returns an error if a line is malformed.
    pub fn all() -> Result<Vec<Self>> {
        let lines = include_str!("suite.txt").lines().filter(|line| !line.starts_with('#'));
        lines.map(Self::parse).collect()
    }
}

impl fmt::Display for Problem {
    /// Writes the line of the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let solutions: Vec<String> = self.solutions.iter().map(ToString::to_string).collect();
        write!(f, "{} | {} | {} | {}", self.variant, self.kind, self.position.setup(), solutions.join(" "))
    }
}
