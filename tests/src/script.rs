//! Complete games as lists of moves, which were found by search: `tests/games/*.uci`.

use anyhow::{Context, Result};
use quadrex_rules::{Color, Move, Variant};

use crate::{program, rng};

/// The moves of a game from the variant's start position.
#[derive(Clone, Debug)]
pub struct Script {
    variant: Variant,
    moves: Vec<Move>,
}

impl Script {
    /// Reads `tests/games/<name>.uci`. The file has moves between blanks, and comment lines that
    /// begin with `#`. The name begins with the name of the variant.
    ///
    /// # Errors
    /// If the file does not exist or has another form.
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

    /// Returns the variant of the game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the number of moves.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Returns the moves if this color moves first. On a cross-shaped board the whole game is
    /// rotated.
    pub fn begun_by(&self, beginner: Color) -> Vec<Move> {
        let turns = self.turns(beginner);
        self.moves.iter().map(|mv| rng::turned(*mv, self.variant, turns)).collect()
    }

    /// Returns the color that makes the moves of `color` in the original game if `beginner` moves
    /// first.
    pub fn color_for(&self, color: Color, beginner: Color) -> Color {
        let colors = self.variant.colors();
        let place = colors.iter().position(|other| *other == color).unwrap_or_default();
        colors[(place + self.turns(beginner)) % colors.len()]
    }

    fn turns(&self, beginner: Color) -> usize {
        self.variant.colors().iter().position(|color| *color == beginner).unwrap_or_default()
    }
}
