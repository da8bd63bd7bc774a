//! The square board of 8 x 8, in 64 bits.

use super::tables::Numbering;
use super::{Direction, Geometry, Tables};
use crate::square::{BoardShape, Square};

/// The board of `classic`. Cells: `a1` 0, `h1` 7, `a8` 56, `h8` 63.
#[derive(Clone, Copy, Debug)]
pub struct Square8;

const SHAPE: BoardShape = BoardShape { files: 8, ranks: 8, corner: 0 };

static TABLES: Tables<u64> = Tables::<u64>::of(Numbering { shape: SHAPE, stride: 8, offset: 0 });

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl Geometry for Square8 {
    type Bits = u64;

    const SHAPE: BoardShape = SHAPE;
    const TABLES: &'static Tables<u64> = &TABLES;

    #[inline(always)]
    fn cell(square: Square) -> u8 {
        square.rank() * 8 + square.file()
    }

    #[inline(always)]
    fn square(cell: u8) -> Square {
        let cell = cell & 63;
        Square::of_frame(cell + 17 + (cell & 56))
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
        LINES[0].attacked(from, occupied) | LINES[1].attacked(from, occupied)
    }

    #[inline(always)]
    fn bishop(from: u8, occupied: u64) -> u64 {
        LINES[2].attacked(from, occupied) | LINES[3].attacked(from, occupied)
    }

    #[inline(always)]
    fn between(from: u8, to: u8) -> u64 {
        BETWEEN[usize::from(from & 63)][usize::from(to & 63)]
    }
}

/// Sliding attacks along one kind of line, by "kindergarten bitboards" (Gerd Isenberg). A
/// multiplication gathers the six inner squares of a line into six bits. These bits are the index
/// in a table of the attacked squares.
///
/// Each kind of line has a table of 32 KiB. Smaller tables that all lines of a kind share (9 KiB in
/// all) need a fifth more instructions in perft.
struct Lines {
    /// By cell: the line through the cell, without the cell itself.
    line: [u64; 64],
    /// By cell: the factor that gathers the line's inner squares in the highest six bits.
    gather: [u64; 64],
    /// By cell and by the gathered inner squares: the attacked squares.
    attacked: [[u64; 64]; 64],
}

/// Ranks, files and the two kinds of diagonals.
static LINES: [Lines; 4] = [
    Lines::along(Direction::East),
    Lines::along(Direction::North),
    Lines::along(Direction::NorthEast),
    Lines::along(Direction::NorthWest),
];

impl Lines {
    #[inline(always)]
    fn attacked(&self, from: u8, occupied: u64) -> u64 {
        let from = usize::from(from & 63);
        let gathered = (occupied & self.line[from]).wrapping_mul(self.gather[from]) >> 58;
        self.attacked[from][gathered as usize]
    }

    /// Computes the lines of a direction toward higher cells and of the opposite direction.
    const fn along(direction: Direction) -> Self {
        let mut lines = Self { line: [0; 64], gather: [0; 64], attacked: [[0; 64]; 64] };
        let up = &TABLES.rays[direction as usize];
        let down = &TABLES.rays[direction.opposite() as usize];
        let mut cell = 0;
        while cell < 64 {
            let line = up[cell] | down[cell];
            let gather = match direction {
                // The diagonal from c2 to h7, shifted back by the cell's file.
                Direction::North => 0x0080_4020_1008_0400 >> (cell % 8),
                // The b-file. The multiplication adds all ranks up in the last rank.
                _ => FILE_A << 1,
            };
            lines.line[cell] = line;
            lines.gather[cell] = gather;
            let mut occupied = 0_u64;
            loop {
                let above = up[cell] & occupied;
                let below = down[cell] & occupied;
                let mut attacked = line;
                if above != 0 {
                    attacked &= !up[above.trailing_zeros() as usize];
                }
                if below != 0 {
                    attacked &= !down[63 - below.leading_zeros() as usize];
                }
                lines.attacked[cell][(occupied.wrapping_mul(gather) >> 58) as usize] = attacked;
                occupied = occupied.wrapping_sub(line) & line;
                if occupied == 0 {
                    break;
                }
            }
            cell += 1;
        }
        lines
    }
}

/// The squares strictly between two cells, by both cells; empty if no line contains both.
static BETWEEN: [[u64; 64]; 64] = {
    let mut between = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let direction = DIRECTIONS[from][to];
            let ray = TABLES.rays[direction as usize][from];
            if ray >> to & 1 != 0 {
                between[from][to] = ray & TABLES.rays[direction.opposite() as usize][to];
            }
            to += 1;
        }
        from += 1;
    }
    between
};

/// The direction from one cell to another; undefined if no line contains both.
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
