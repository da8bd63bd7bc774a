//! Pictures of positions and matches, as SVG or PNG. A match can also be drawn as an animation. The
//! bytes of a picture depend only on its content and format.
//!
//! The shapes of the pieces come from the same file as those of the browser client. The colors are
//! those of the client's light theme.

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
pub use scenes::{Scenes, scenes, scenes_of_game};
pub use svg::svg;

/// The default width of a picture, in pixels.
pub const DEFAULT_WIDTH: u32 = 600;

/// The allowed widths, in pixels.
pub const WIDTHS: RangeInclusive<u32> = 64..=1_600;

/// The content of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The variant, which determines the board.
    pub variant: Variant,
    /// The side of the board that is at the bottom of the picture.
    pub bottom: Side,
    /// The pieces on the board.
    pub pieces: BTreeMap<Square, Piece>,
    /// The last move of each player who is still in the game.
    pub last_moves: BTreeMap<Color, Move>,
    /// The squares of the kings in check.
    pub checks: Vec<Square>,
    /// The players who are still in the game, in turn order.
    pub active_players: Vec<Color>,
    /// The player to move; `None` if the game is over.
    pub turn: Option<Color>,
}

/// The mark of a last move on one of its two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    color: Color,
    /// True on the square to which the piece moved.
    is_target: bool,
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
            active_players: position.active_players().collect(),
            turn: Some(position.turn()),
        }
    }

    /// Turns the picture so that the side of this color is at the bottom.
    #[must_use]
    pub fn seen_by(self, color: Color) -> Self {
        Self { bottom: color.side(), ..self }
    }

    /// Adds the mark of a move that was just made or is about to be made.
    #[must_use]
    pub fn with_move(mut self, mv: Move) -> Self {
        let mover = self.pieces.get(&mv.to).or_else(|| self.pieces.get(&mv.from));
        let color = mover.map(|piece| piece.color);
        self.last_moves.extend(color.map(|color| (color, mv)));
        self
    }

    /// Returns the marks by square. If several moves would mark the same square, the target of a
    /// move takes precedence over the start of another move, and later players in turn order over
    /// earlier players.
    fn marks(&self) -> BTreeMap<Square, Mark> {
        let mut marks = BTreeMap::new();
        for is_target in [false, true] {
            for (&color, mv) in &self.last_moves {
                marks.insert(if is_target { mv.to } else { mv.from }, Mark { color, is_target });
            }
        }
        marks
    }

    /// Returns a description of the picture in words.
    fn label(&self) -> String {
        let count = |color: &Color| {
            let count = self.pieces.values().filter(|piece| piece.color == *color).count();
            format!("{color} {count}")
        };
        let counts: Vec<String> = self.active_players.iter().map(count).collect();
        format!("{}: {}", self.variant, counts.join(", "))
    }
}

#[cfg(test)]
mod tests;
