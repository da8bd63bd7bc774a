//! The square board of 8 x 8, in 64 bits.

use super::tables::Numbering;
use super::{Direction, Geometry, Tables};
use crate::square::{BoardShape, Square};

/// The board of `classic`. Places: `a1` 0, `h1` 7, `a8` 56, `h8` 63.
#[derive(Clone, Copy, Debug)]
pub struct Square8;

const SHAPE: BoardShape = BoardShape { files: 8, ranks: 8, corner: 0 };

static TABLES: Tables<u64> = Tables::<u64>::of(Numbering { shape: SHAPE, stride: 8, offset: 0, last: 63 });

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl Geometry for Square8 {
    type Bits = u64;

    const SHAPE: BoardShape = SHAPE;
    const TABLES: &'static Tables<u64> = &TABLES;

    #[inline(always)]
    fn place(square: Square) -> u8 {
        square.rank() * 8 + square.file()
    }

    #[inline(always)]
    fn square(place: u8) -> Square {
        let frame = (place & 63) + 17 + (place & 56);
        Square::from_frame(frame).expect("a place of the frame is 17 or more")
    }

    #[inline(always)]
    fn step(set: u64, direction: Direction) -> u64 {
        match direction {
            Direction::North => set << 8,
            Direction::South => set >> 8,
            Direction::East => (set & !FILE_H) << 1,
            Direction::West => (set & !FILE_A) >> 1,
            Direction::NorthEast => (set & !FILE_H) << 9,
            Direction::NorthWest => (set & !FILE_A) << 7,
            Direction::SouthEast => (set & !FILE_H) >> 7,
            Direction::SouthWest => (set & !FILE_A) >> 9,
        }
    }

    #[inline(always)]
    fn stride(direction: Direction) -> i16 {
        let (files, ranks) = direction.offset();
        i16::from(ranks) * 8 + i16::from(files)
    }

    #[inline(always)]
    fn direction(from: u8, to: u8) -> Direction {
        let files = (to & 7).cmp(&(from & 7)) as i8;
        let ranks = (to >> 3).cmp(&(from >> 3)) as i8;
        toward(files, ranks)
    }
}

/// The direction with these signs of change in file and rank, which are not both zero.
#[inline(always)]
pub(super) fn toward(files: i8, ranks: i8) -> Direction {
    match (files, ranks) {
        (0, 1..) => Direction::North,
        (0, _) => Direction::South,
        (1.., 0) => Direction::East,
        (_, 0) => Direction::West,
        (1.., 1..) => Direction::NorthEast,
        (1.., _) => Direction::SouthEast,
        (_, 1..) => Direction::NorthWest,
        (_, _) => Direction::SouthWest,
    }
}
