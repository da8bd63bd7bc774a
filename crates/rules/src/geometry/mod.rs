//! Which squares a board has, and how pieces see across it.
//!
//! A geometry numbers its squares by *cell*, its own bit in a set: the square board uses 0..64, the crosses their
//! cell in a frame of 16 x 16 with a border of one, so that no step ever wraps around an edge.

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
/// The default methods are classical rays: the ray from a square without the ray from its first blocker.
pub trait Geometry: Copy + 'static {
    /// A set of squares.
    type Bits: Bits;

    /// Which squares there are.
    const SHAPE: BoardShape;

    /// Everything about the empty board.
    const TABLES: &'static Tables<Self::Bits>;

    /// The cell of a square the board has.
    fn cell(square: Square) -> u8;

    /// The square at a cell the board has.
    fn square(cell: u8) -> Square;

    /// Every cell moved one step. On a cross the steps that leave the board end on cells it has not: callers
    /// meet the result with squares of the board.
    fn step(set: Self::Bits, direction: Direction) -> Self::Bits;

    /// How far one step moves a cell.
    fn stride(direction: Direction) -> i16;

    /// The direction from one cell to another on the same line.
    fn direction(from: u8, to: u8) -> Direction;

    /// Where a rook sees to: empty squares and the first occupied one in each line.
    #[inline(always)]
    fn rook(from: u8, occupied: Self::Bits) -> Self::Bits {
        ray_up::<Self>(Direction::North, from, occupied)
            | ray_up::<Self>(Direction::East, from, occupied)
            | ray_down::<Self>(Direction::South, from, occupied)
            | ray_down::<Self>(Direction::West, from, occupied)
    }

    /// Where a bishop sees to.
    #[inline(always)]
    fn bishop(from: u8, occupied: Self::Bits) -> Self::Bits {
        ray_up::<Self>(Direction::NorthEast, from, occupied)
            | ray_up::<Self>(Direction::NorthWest, from, occupied)
            | ray_down::<Self>(Direction::SouthEast, from, occupied)
            | ray_down::<Self>(Direction::SouthWest, from, occupied)
    }

    /// The squares strictly between two cells on the same line.
    #[inline(always)]
    fn between(from: u8, to: u8) -> Self::Bits {
        let rays = &Self::TABLES.rays;
        rays[Self::direction(from, to) as usize][usize::from(from)]
            & rays[Self::direction(to, from) as usize][usize::from(to)]
    }

    /// The whole line from a cell through another on the same line, to the edge.
    #[inline(always)]
    fn line(from: u8, through: u8) -> Self::Bits {
        Self::TABLES.rays[Self::direction(from, through) as usize][usize::from(from)]
    }

    /// The cell a pawn of `side` stands on after one step from `cell`.
    #[inline(always)]
    fn ahead(side: Side, cell: u8) -> u8 {
        cell.wrapping_add_signed(Self::stride(Direction::forward(side)) as i8)
    }
}

/// A ray toward higher cells, up to its first blocker.
#[inline(always)]
fn ray_up<G: Geometry>(direction: Direction, from: u8, occupied: G::Bits) -> G::Bits {
    let rays = &G::TABLES.rays[direction as usize];
    let ray = rays[usize::from(from)];
    let blocker = ray.lowest_shared(occupied, from);
    ray & !rays[usize::from(blocker)]
}

/// A ray toward lower cells, up to its first blocker.
#[inline(always)]
fn ray_down<G: Geometry>(direction: Direction, from: u8, occupied: G::Bits) -> G::Bits {
    let rays = &G::TABLES.rays[direction as usize];
    let ray = rays[usize::from(from)];
    let blocker = ray.highest_shared(occupied, from);
    ray & !rays[usize::from(blocker)]
}
