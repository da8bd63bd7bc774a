//! Pictures of positions and matches: SVG, PNG, and animations of matches. Pure: a picture depends
//! only on the request.
//!
//! The pieces are those of the browser client, from the same file; the colors are the client's
//! light ones.

mod animation;
mod art;
mod layout;
mod palette;
mod raster;
mod scenes;
mod svg;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use quadrex_rules::{AnyPosition, Color, Move, Piece, Side, Square, Variant};

pub use animation::gif;
pub use raster::{card, png};
pub use scenes::{scenes, scenes_of_game};
pub use svg::svg;

/// The default width of a picture, in pixels.
pub const DEFAULT_WIDTH: u32 = 600;

/// The allowed widths, in pixels.
pub const WIDTHS: RangeInclusive<u32> = 64..=1_600;

/// The content of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The variant, which has the board.
    pub variant: Variant,
    /// The side at the bottom.
    pub bottom: Side,
    /// The pieces.
    pub pieces: BTreeMap<Square, Piece>,
    /// The last move of each color that is still in.
    pub last_moves: BTreeMap<Color, Move>,
    /// The squares of kings that are attacked.
    pub checks: Vec<Square>,
    /// The players still in, in turn order.
    pub players_in: Vec<Color>,
    /// The player to move; `None` once the game is over.
    pub turn: Option<Color>,
}

/// The mark on a square: a move from it, or to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    color: Color,
    is_end: bool,
}

impl Picture {
    /// Returns the picture of a position, seen from the first color.
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

    /// Turns the picture to another color's side.
    #[must_use]
    pub fn seen_by(self, color: Color) -> Self {
        Self { bottom: color.side(), ..self }
    }

    /// Marks a move that was just made or is about to be.
    #[must_use]
    pub fn with_move(mut self, mv: Move) -> Self {
        let mover = self.pieces.get(&mv.to).or_else(|| self.pieces.get(&mv.from));
        let color = mover.map(|piece| piece.color);
        self.last_moves.extend(color.map(|color| (color, mv)));
        self
    }

    /// Returns the marks by square: of several the last in turn order, and arrivals before
    /// departures.
    fn marks(&self) -> BTreeMap<Square, Mark> {
        let mut marks = BTreeMap::new();
        for is_end in [false, true] {
            for (&color, mv) in &self.last_moves {
                marks.insert(if is_end { mv.to } else { mv.from }, Mark { color, is_end });
            }
        }
        marks
    }

    /// Describes the picture in words.
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
