//! Boards: their squares, and the lines along which pieces attack.
//!
//! A geometry gives each square a *cell index*, its bit in a set. The square board uses 0..64; the
//! crosses use the index in a frame of 16 x 16 with a border of one cell, so that no step ever
//! wraps around an edge.

mod cross;
mod square8;
mod tables;

pub use cross::{Cross, Cross128, Cross160};
pub use square8::Square8;
pub use tables::{Direction, Tables};

use crate::bits::Bits;
use crate::color::Side;
use crate::square::{BoardShape, Square};

/// A board: its squares as bits and the lines between them.
///
/// The default methods use classical ray attacks: the ray from the piece, without the part behind
/// the first blocker.
pub trait Geometry: Copy + 'static {
    /// A set of squares.
    type Bits: Bits;

    /// The shape of the board.
    const SHAPE: BoardShape;

    /// The lookup tables of the empty board.
    const TABLES: &'static Tables<Self::Bits>;

    /// Returns the cell index of a square of the board.
    fn cell(square: Square) -> u8;

    /// Returns the square of a cell of the board.
    fn square(cell: u8) -> Square;

    /// Moves every cell one step. On a cross, a step that leaves the board ends on a cell without a
    /// square, so callers intersect the result with the squares of the board.
    fn step(set: Self::Bits, direction: Direction) -> Self::Bits;

    /// The difference of cell indices in one step.
    fn stride(direction: Direction) -> i16;

    /// Returns the direction from one cell to another on the same line.
    fn direction(from: u8, to: u8) -> Direction;

    /// Returns the squares a rook attacks: empty squares and the first occupied square on each
    /// line.
    #[inline(always)]
    fn rook(from: u8, occupied: Self::Bits) -> Self::Bits {
        ray_up::<Self>(Direction::North, from, occupied)
            | ray_up::<Self>(Direction::East, from, occupied)
            | ray_down::<Self>(Direction::South, from, occupied)
            | ray_down::<Self>(Direction::West, from, occupied)
    }

    /// Returns the squares a bishop attacks.
    #[inline(always)]
    fn bishop(from: u8, occupied: Self::Bits) -> Self::Bits {
        ray_up::<Self>(Direction::NorthEast, from, occupied)
            | ray_up::<Self>(Direction::NorthWest, from, occupied)
            | ray_down::<Self>(Direction::SouthEast, from, occupied)
            | ray_down::<Self>(Direction::SouthWest, from, occupied)
    }

    /// Returns the squares strictly between two cells on the same line.
    #[inline(always)]
    fn between(from: u8, to: u8) -> Self::Bits {
        let rays = &Self::TABLES.rays;
        rays[Self::direction(from, to) as usize][usize::from(from)]
            & rays[Self::direction(to, from) as usize][usize::from(to)]
    }

    /// Returns the line that begins at a cell and goes through another cell to the edge.
    #[inline(always)]
    fn line(from: u8, through: u8) -> Self::Bits {
        Self::TABLES.rays[Self::direction(from, through) as usize][usize::from(from)]
    }

    /// Returns the cell one step ahead of `cell` for a pawn of `side`.
    #[inline(always)]
    fn ahead(side: Side, cell: u8) -> u8 {
        cell.wrapping_add_signed(Self::stride(Direction::forward(side)) as i8)
    }
}

/// Returns a ray toward higher cells, up to its first blocker.
#[inline(always)]
fn ray_up<G: Geometry>(direction: Direction, from: u8, occupied: G::Bits) -> G::Bits {
    let rays = &G::TABLES.rays[direction as usize];
    let ray = rays[usize::from(from)];
    let blocker = ray.lowest_shared(occupied, from);
    ray & !rays[usize::from(blocker)]
}

/// Returns a ray toward lower cells, up to its first blocker.
#[inline(always)]
fn ray_down<G: Geometry>(direction: Direction, from: u8, occupied: G::Bits) -> G::Bits {
    let rays = &G::TABLES.rays[direction as usize];
    let ray = rays[usize::from(from)];
    let blocker = ray.highest_shared(occupied, from);
    ray & !rays[usize::from(blocker)]
}
