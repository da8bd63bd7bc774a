//! The layout of a board that is seen from one of its sides.

use quadrex_rules::{BoardShape, Side, Square, Variant};

/// The place of a square in a picture, counted in squares from the left and from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) column: u8,
    pub(super) row: u8,
}

/// A board that is seen from one of its sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    shape: BoardShape,
    bottom: Side,
}

/// The sides of a board in clockwise order, beginning at the bottom.
const SIDES: [Side; 4] = [Side::South, Side::West, Side::North, Side::East];

impl Layout {
    pub(super) fn new(variant: Variant, bottom: Side) -> Self {
        Self { shape: variant.board(), bottom }
    }

    /// Returns the number of columns, which equals the number of rows.
    pub(super) fn size(&self) -> u8 {
        self.shape.files
    }

    /// Returns the width of the missing corners of the board, in squares.
    pub(super) fn corner(&self) -> u8 {
        self.shape.corner
    }

    pub(super) fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        self.shape.squares()
    }

    pub(super) fn cell_of(&self, square: Square) -> Cell {
        let (file, rank) = (square.file(), square.rank());
        let (last_file, last_rank) = (self.shape.files - 1, self.shape.ranks - 1);
        let (column, row) = match self.bottom {
            Side::South => (file, last_rank - rank),
            Side::West => (last_rank - rank, last_file - file),
            Side::North => (last_file - file, rank),
            Side::East => (rank, file),
        };
        Cell { column, row }
    }

    /// Returns the number of clockwise quarter turns from the bottom of the picture to a side of
    /// the board: 0 for the bottom, 1 for the left, 2 for the top and 3 for the right.
    pub(super) fn turns(&self, side: Side) -> usize {
        let index = |side| SIDES.iter().position(|other| *other == side).unwrap_or_default();
        (index(side) + SIDES.len() - index(self.bottom)) % SIDES.len()
    }

    /// Returns whether a square is dark. The square a1 is dark.
    pub(super) fn is_dark(square: Square) -> bool {
        (square.file() + square.rank()).is_multiple_of(2)
    }

    /// Returns the labels on a square. The lowest square of a file has the label of the file, and
    /// the leftmost square of a rank has the label of the rank.
    pub(super) fn labels(&self, square: Square) -> (Option<String>, Option<String>) {
        let file = char::from(b'a' + square.file()).to_string();
        let rank = (square.rank() + 1).to_string();
        let (of_column, of_row) = match self.bottom {
            Side::South | Side::North => (file, rank),
            Side::West | Side::East => (rank, file),
        };
        let cell_of = self.cell_of(square);
        let board_cells = || self.squares().map(|other| self.cell_of(other));
        let is_lowest = !board_cells().any(|other| other.column == cell_of.column && other.row > cell_of.row);
        let is_leftmost =
            !board_cells().any(|other| other.row == cell_of.row && other.column < cell_of.column);
        (is_lowest.then_some(of_column), is_leftmost.then_some(of_row))
    }
}
