//! Whole games of the project's own, found by search, as lists of moves: `tests/games/*.uci`.

use anyhow::{Context, Result};
use quadrex_rules::{Color, Move, Variant};

use crate::{program, rng};

/// A game as its moves from the variant's own set-up.
#[derive(Clone, Debug)]
pub struct Script {
    variant: Variant,
    moves: Vec<Move>,
}

impl Script {
    /// Reads `tests/games/<name>.uci`: lines of moves between blanks, and comment lines that begin with `#`. Its
    /// name begins with the variant's.
    ///
    /// # Errors
    /// If it is not there, or holds something else.
    pub fn read(name: &str) -> Result<Self> {
        let path = program::root().join("tests/games").join(format!("{name}.uci"));
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let variant = Variant::ALL.into_iter().find(|variant| name.starts_with(variant.name()));
        let words = text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
        let moves = words
            .map(|word| word.parse().with_context(|| format!("{word:?} is no move")))
            .collect::<Result<_>>()?;
        Ok(Self { variant: variant.with_context(|| format!("{name} names no variant"))?, moves })
    }

    /// The variant it is played in.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the number of its moves.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The moves when this color begins: on a cross board the whole game turns with the beginner.
    pub fn begun_by(&self, beginner: Color) -> Vec<Move> {
        let turns = self.turns(beginner);
        self.moves.iter().map(|mv| rng::turned(*mv, self.variant, turns)).collect()
    }

    /// Returns the color that, with this beginner, plays the moves of `color` in the original.
    pub fn color_for(&self, color: Color, beginner: Color) -> Color {
        let colors = self.variant.colors();
        let place = colors.iter().position(|other| *other == color).unwrap_or_default();
        colors[(place + self.turns(beginner)) % colors.len()]
    }

    fn turns(&self, beginner: Color) -> usize {
        self.variant.colors().iter().position(|color| *color == beginner).unwrap_or_default()
    }
}
