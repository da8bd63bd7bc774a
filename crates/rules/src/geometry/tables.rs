//! Lookup tables of an empty board, computed at compile time from its shape.

use crate::bits::Wide;
use crate::color::Side;
use crate::square::{BoardShape, Square};

/// A direction of a step. Directions toward higher cells come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// One rank up.
    North,
    /// One file right.
    East,
    /// Up and right.
    NorthEast,
    /// Up and left.
    NorthWest,
    /// One rank down.
    South,
    /// One file left.
    West,
    /// Down and left.
    SouthWest,
    /// Down and right.
    SouthEast,
}

impl Direction {
    /// Every direction. The opposite direction is four entries later.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::NorthEast,
        Self::NorthWest,
        Self::South,
        Self::West,
        Self::SouthWest,
        Self::SouthEast,
    ];

    /// Returns the opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 4) % 8]
    }

    /// Returns the direction in which file and rank change with these signs.
    pub(super) const fn toward(files: i32, ranks: i32) -> Self {
        match (files, ranks) {
            (0, 1..) => Self::North,
            (0, _) => Self::South,
            (1.., 0) => Self::East,
            (_, 0) => Self::West,
            (1.., 1..) => Self::NorthEast,
            (1.., _) => Self::SouthEast,
            (_, 1..) => Self::NorthWest,
            (_, _) => Self::SouthWest,
        }
    }

    /// Returns the direction in which the pawns of a side step.
    #[must_use]
    pub const fn forward(side: Side) -> Self {
        match side {
            Side::South => Self::North,
            Side::West => Self::East,
            Side::North => Self::South,
            Side::East => Self::West,
        }
    }

    /// Returns the directions in which the pawns of a side capture.
    #[must_use]
    pub const fn captures(side: Side) -> [Self; 2] {
        match side {
            Side::South => [Self::NorthWest, Self::NorthEast],
            Side::West => [Self::NorthEast, Self::SouthEast],
            Side::North => [Self::SouthEast, Self::SouthWest],
            Side::East => [Self::SouthWest, Self::NorthWest],
        }
    }

    /// Returns the change of file and rank in one step.
    #[must_use]
    pub const fn offset(self) -> (i8, i8) {
        match self {
            Self::North => (0, 1),
            Self::East => (1, 0),
            Self::NorthEast => (1, 1),
            Self::NorthWest => (-1, 1),
            Self::South => (0, -1),
            Self::West => (-1, 0),
            Self::SouthWest => (-1, -1),
            Self::SouthEast => (1, -1),
        }
    }
}

/// The attacks of each piece on an empty board, by cell, and the rows of each side.
#[derive(Debug)]
pub struct Tables<B> {
    /// The squares of the board.
    pub board: B,
    /// A knight's leaps (rule G2).
    pub knight: [B; 256],
    /// A king's steps (rule G3).
    pub king: [B; 256],
    /// A pawn's captures (rule G4), by the side of the pawn's owner.
    pub pawn: [[B; 256]; 4],
    /// The squares from a cell to the edge, by direction.
    pub rays: [[B; 256]; 8],
    /// A rook's lines.
    pub orthogonal: [B; 256],
    /// A bishop's lines.
    pub diagonal: [B; 256],
    /// The outermost row of each side, where its pieces are set up (rule D4).
    pub baseline: [B; 4],
    /// The row in front of the baseline, where pawns start.
    pub second_row: [B; 4],
    /// The row that a double step skips.
    pub third_row: [B; 4],
}

/// The numbering of a shape's squares.
#[derive(Clone, Copy)]
pub(super) struct Numbering {
    /// The shape of the board.
    pub(super) shape: BoardShape,
    /// The number of cells from one rank to the next.
    pub(super) stride: u8,
    /// The cell of `a1`.
    pub(super) offset: u8,
}

/// A set of squares as four words. It is used for all geometries, regardless of the width of their
/// own sets.
type Words = [u64; 4];

const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Numbering {
    /// Returns the cell of the square at these coordinates, if the board has the square.
    const fn cell(self, file: i8, rank: i8) -> Option<u8> {
        if file < 0 || rank < 0 {
            return None;
        }
        match Square::new(file as u8, rank as u8) {
            Some(square) if self.shape.contains(square) => {
                Some(rank as u8 * self.stride + file as u8 + self.offset)
            }
            _ => None,
        }
    }

    /// Returns `set` with the square at this offset from `file` and `rank`, if the board has the
    /// square.
    const fn with(self, mut set: Words, file: i8, rank: i8, offset: (i8, i8)) -> Words {
        if let Some(cell) = self.cell(file + offset.0, rank + offset.1) {
            set[(cell / 64) as usize] |= 1 << (cell % 64);
        }
        set
    }

    const fn ray(self, file: i8, rank: i8, direction: Direction) -> Words {
        let (dx, dy) = direction.offset();
        let (mut x, mut y) = (file, rank);
        let mut set = [0; 4];
        while self.cell(x + dx, y + dy).is_some() {
            set = self.with(set, x, y, (dx, dy));
            x += dx;
            y += dy;
        }
        set
    }

    /// Returns the squares of a side's row, counted from 0 at the edge.
    const fn row(self, side: Side, depth: i8) -> Words {
        let (files, ranks) = (self.shape.files as i8, self.shape.ranks as i8);
        let mut set = [0; 4];
        let mut along = self.shape.corner as i8;
        let end = match side {
            Side::South | Side::North => files,
            Side::West | Side::East => ranks,
        } - self.shape.corner as i8;
        while along < end {
            let (file, rank) = match side {
                Side::South => (along, depth),
                Side::West => (depth, along),
                Side::North => (along, ranks - 1 - depth),
                Side::East => (files - 1 - depth, along),
            };
            set = self.with(set, file, rank, (0, 0));
            along += 1;
        }
        set
    }

    const fn rows(self, depth: i8) -> [Words; 4] {
        [
            self.row(Side::South, depth),
            self.row(Side::West, depth),
            self.row(Side::North, depth),
            self.row(Side::East, depth),
        ]
    }

    /// Computes the tables in four-word sets.
    pub(super) const fn tables(self) -> Tables<Words> {
        let empty: Words = [0; 4];
        let mut tables = Tables {
            board: empty,
            knight: [empty; 256],
            king: [empty; 256],
            pawn: [[empty; 256]; 4],
            rays: [[empty; 256]; 8],
            orthogonal: [empty; 256],
            diagonal: [empty; 256],
            baseline: self.rows(0),
            second_row: self.rows(1),
            third_row: self.rows(2),
        };
        let mut rank = 0;
        while rank < self.shape.ranks as i8 {
            let mut file = 0;
            while file < self.shape.files as i8 {
                if let Some(cell) = self.cell(file, rank) {
                    tables.board = self.with(tables.board, file, rank, (0, 0));
                    self.fill(&mut tables, cell as usize, file, rank);
                }
                file += 1;
            }
            rank += 1;
        }
        tables
    }

    /// Fills in the entries of one square.
    const fn fill(self, tables: &mut Tables<Words>, cell: usize, file: i8, rank: i8) {
        const SIDES: [Side; 4] = [Side::South, Side::West, Side::North, Side::East];
        let mut index = 0;
        while index < 8 {
            let direction = Direction::ALL[index];
            let ray = self.ray(file, rank, direction);
            tables.rays[index][cell] = ray;
            let (dx, dy) = direction.offset();
            let lines =
                if dx == 0 || dy == 0 { &mut tables.orthogonal[cell] } else { &mut tables.diagonal[cell] };
            *lines = [lines[0] | ray[0], lines[1] | ray[1], lines[2] | ray[2], lines[3] | ray[3]];
            tables.king[cell] = self.with(tables.king[cell], file, rank, (dx, dy));
            tables.knight[cell] = self.with(tables.knight[cell], file, rank, KNIGHT[index]);
            index += 1;
        }
        index = 0;
        while index < 4 {
            let [one, other] = Direction::captures(SIDES[index]);
            let set = self.with([0; 4], file, rank, one.offset());
            tables.pawn[index][cell] = self.with(set, file, rank, other.offset());
            index += 1;
        }
    }
}

/// Implements the conversion from four-word sets to the sets of a geometry.
macro_rules! narrow_to {
    ($bits:ty, $zero:expr, $words:ident => $convert:expr) => {
        impl Tables<$bits> {
            /// Computes the tables of a numbering, in this geometry's sets.
            pub(super) const fn of(numbering: Numbering) -> Self {
                const fn convert($words: Words) -> $bits {
                    $convert
                }
                const fn convert_all<const N: usize>(words: &[Words; N]) -> [$bits; N] {
                    let mut sets = [$zero; N];
                    let mut index = 0;
                    while index < N {
                        sets[index] = convert(words[index]);
                        index += 1;
                    }
                    sets
                }
                const fn convert_each<const N: usize>(words: &[[Words; 256]; N]) -> [[$bits; 256]; N] {
                    let mut sets = [[$zero; 256]; N];
                    let mut index = 0;
                    while index < N {
                        sets[index] = convert_all(&words[index]);
                        index += 1;
                    }
                    sets
                }
                let words = numbering.tables();
                Self {
                    board: convert(words.board),
                    knight: convert_all(&words.knight),
                    king: convert_all(&words.king),
                    pawn: convert_each(&words.pawn),
                    rays: convert_each(&words.rays),
                    orthogonal: convert_all(&words.orthogonal),
                    diagonal: convert_all(&words.diagonal),
                    baseline: convert_all(&words.baseline),
                    second_row: convert_all(&words.second_row),
                    third_row: convert_all(&words.third_row),
                }
            }
        }
    };
}

narrow_to!(u64, 0, words => words[0]);
narrow_to!(Wide, Wide([0; 4]), words => Wide(words));
