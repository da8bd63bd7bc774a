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
const FILE_B: u64 = FILE_A << 1;
const FILE_H: u64 = FILE_A << 7;

/// From c2 to h7: gathers the inner squares of the a-file in the highest six bits.
const FIRST_DIAGONAL: u64 = 0x0080_4020_1008_0400;

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
        let place = place & 63;
        Square::of_frame(place + 17 + (place & 56))
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
        DIRECTIONS[usize::from(from & 63)][usize::from(to & 63)]
    }

    #[inline(always)]
    fn rook(from: u8, occupied: u64) -> u64 {
        let (file, rank) = (from & 7, (from & 63) >> 3);
        let row = (occupied >> (8 * rank + 1)) as usize & 63;
        let column = ((occupied >> file) & FILE_A).wrapping_mul(FIRST_DIAGONAL) >> 58;
        ROWS[usize::from(file)][row] & (0xff << (8 * rank))
            | COLUMNS[usize::from(rank)][column as usize] << file
    }

    #[inline(always)]
    fn bishop(from: u8, occupied: u64) -> u64 {
        let rows = &ROWS[usize::from(from & 7)];
        let [rising, falling] = DIAGONALS[usize::from(from & 63)];
        let seen = |line: u64| rows[((occupied & line).wrapping_mul(FILE_B) >> 58) as usize] & line;
        seen(rising) | seen(falling)
    }
}

// Sliding pieces by "kindergarten bitboards" (Gerd Isenberg): a line's six inner squares are gathered into six bits by a
// multiplication, and a table tells what is seen along it. The tables take 9 KiB, so that they stay in the first cache.

/// What is seen along a rank from each file with the inner six squares occupied so, repeated on all ranks.
static ROWS: [[u64; 64]; 8] = {
    let mut rows = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            rows[file][inner] = seen_along(file, inner) as u64 * FILE_A;
            inner += 1;
        }
        file += 1;
    }
    rows
};

/// What is seen along the a-file from each rank, the occupied squares counted from the eighth rank down, as the
/// multiplication gathers them.
static COLUMNS: [[u64; 64]; 8] = {
    let mut columns = [[0; 64]; 8];
    let mut rank = 0;
    while rank < 8 {
        let mut inner = 0;
        while inner < 64 {
            let seen = seen_along(7 - rank, inner);
            let mut step = 0;
            while step < 8 {
                if seen >> step & 1 != 0 {
                    columns[rank][inner] |= 1 << (8 * (7 - step));
                }
                step += 1;
            }
            inner += 1;
        }
        rank += 1;
    }
    columns
};

/// The two diagonals through each place, without the place itself.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut place = 0;
    while place < 64 {
        let rays = &TABLES.rays;
        diagonals[place] = [
            rays[Direction::NorthEast as usize][place] | rays[Direction::SouthWest as usize][place],
            rays[Direction::NorthWest as usize][place] | rays[Direction::SouthEast as usize][place],
        ];
        place += 1;
    }
    diagonals
};

/// The squares seen from one of eight in a row, when the inner six are occupied so.
const fn seen_along(from: usize, inner: usize) -> u8 {
    let occupied = inner << 1;
    let mut seen = 0;
    let mut to = from;
    while to < 7 {
        to += 1;
        seen |= 1 << to;
        if occupied >> to & 1 != 0 {
            break;
        }
    }
    to = from;
    while to > 0 {
        to -= 1;
        seen |= 1 << to;
        if occupied >> to & 1 != 0 {
            break;
        }
    }
    seen
}

/// The direction from one place to another; of no meaning where they are not on a line.
static DIRECTIONS: [[Direction; 64]; 64] = {
    let mut directions = [[Direction::North; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let (files, ranks) = (to % 8 - from % 8, to / 8 - from / 8);
            directions[from as usize][to as usize] = Direction::toward(files, ranks);
            to += 1;
        }
        from += 1;
    }
    directions
};
