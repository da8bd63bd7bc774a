//! Pictures of positions and matches: SVG, PNG, and a match as a film. Pure: what is drawn follows from what is asked.
//!
//! The pieces are those of the browser client, from the same file; the colors are the client's light ones.

mod art;
mod film;
mod layout;
mod palette;
mod raster;
mod scenes;
mod svg;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use quadrex_rules::{AnyPosition, Color, Move, Piece, Side, Square, Variant};

pub use film::gif;
pub use raster::{card, png};
pub use scenes::{scenes, scenes_of_game};
pub use svg::svg;

/// The width of a picture in pixels unless another one is asked for.
pub const DEFAULT_WIDTH: u32 = 600;

/// The widths that may be asked for, in pixels.
pub const WIDTHS: RangeInclusive<u32> = 64..=1_600;

/// What a picture shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Which board.
    pub variant: Variant,
    /// The side that is shown below.
    pub bottom: Side,
    /// What stands where.
    pub pieces: BTreeMap<Square, Piece>,
    /// The last move of each color that is still in.
    pub last_moves: BTreeMap<Color, Move>,
    /// The squares of kings that are attacked.
    pub checks: Vec<Square>,
    /// Who plays on, in turn order.
    pub players_in: Vec<Color>,
    /// Whose turn it is; nobody's once it is over.
    pub turn: Option<Color>,
}

/// What is marked on a square: who moved from there, or to there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    color: Color,
    is_end: bool,
}

impl Picture {
    /// A position, seen from the first color's side.
    #[must_use]
    pub fn of(position: &AnyPosition) -> Self {
        let variant = position.variant();
        let king = |color: &Color| {
            let mut pieces = position.pieces();
            pieces.find(|(_, piece)| piece.color == *color && piece.role == quadrex_rules::Role::King)
        };
        let checks: Vec<Color> = position.checks().collect();
        Self {
            variant,
            bottom: Side::South,
            pieces: position.pieces().collect(),
            last_moves: BTreeMap::new(),
            checks: checks.iter().filter_map(king).map(|(square, _)| square).collect(),
            players_in: position.players_in().collect(),
            turn: Some(position.turn()),
        }
    }

    /// The same, seen from another color's side.
    #[must_use]
    pub fn seen_by(self, color: Color) -> Self {
        Self { bottom: color.side(), ..self }
    }

    /// The same with a move marked, which was just made or is about to be.
    #[must_use]
    pub fn with_move(mut self, mv: Move) -> Self {
        let mover = self.pieces.get(&mv.to).or_else(|| self.pieces.get(&mv.from));
        let color = mover.map(|piece| piece.color);
        self.last_moves.extend(color.map(|color| (color, mv)));
        self
    }

    /// Every mark, by its square: of several the last in turn order, and where somebody moved to before where somebody left.
    fn marks(&self) -> BTreeMap<Square, Mark> {
        let mut marks = BTreeMap::new();
        for is_end in [false, true] {
            for (&color, mv) in &self.last_moves {
                marks.insert(if is_end { mv.to } else { mv.from }, Mark { color, is_end });
            }
        }
        marks
    }

    /// What it shows in words.
    fn label(&self) -> String {
        let count = |color: &Color| {
            let count = self.pieces.values().filter(|piece| piece.color == *color).count();
            format!("{color} {count}")
        };
        let counts: Vec<String> = self.players_in.iter().map(count).collect();
        format!("{}: {}", self.variant, counts.join(", "))
    }
}

#[cfg(test)]
mod tests;
