//! A board seen from one of its sides: where each square is shown.

use quadrex_rules::{BoardShape, Side, Square, Variant};

/// A place in a picture, in squares from the left and from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) column: u8,
    pub(super) row: u8,
}

/// A board seen from a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    shape: BoardShape,
    bottom: Side,
}

/// Clockwise, as sides lie around a board whose south is below.
const SIDES: [Side; 4] = [Side::South, Side::West, Side::North, Side::East];

impl Layout {
    pub(super) fn new(variant: Variant, bottom: Side) -> Self {
        Self { shape: variant.board(), bottom }
    }

    /// Columns and rows; every board is as wide as high.
    pub(super) fn size(&self) -> u8 {
        self.shape.files
    }

    /// How many squares each corner lacks in a row.
    pub(super) fn corner(&self) -> u8 {
        self.shape.corner
    }

    pub(super) fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        self.shape.squares()
    }

    pub(super) fn place(&self, square: Square) -> Place {
        let (file, rank) = (square.file(), square.rank());
        let (last_file, last_rank) = (self.shape.files - 1, self.shape.ranks - 1);
        let (column, row) = match self.bottom {
            Side::South => (file, last_rank - rank),
            Side::West => (last_rank - rank, last_file - file),
            Side::North => (last_file - file, rank),
            Side::East => (rank, file),
        };
        Place { column, row }
    }

    /// Which quarter turns clockwise lead from below to where a side is shown: 0 below, 1 left, 2 above, 3 right.
    pub(super) fn turns(&self, side: Side) -> usize {
        let index = |side| SIDES.iter().position(|other| *other == side).unwrap_or_default();
        (index(side) + SIDES.len() - index(self.bottom)) % SIDES.len()
    }

    /// Whether a square is of the dark shade: a1 is.
    pub(super) fn is_dark(square: Square) -> bool {
        (square.file() + square.rank()).is_multiple_of(2)
    }

    /// The names at the edge of a square: of its column if it is the lowest there, of its row if it is the leftmost.
    pub(super) fn labels(&self, square: Square) -> (Option<String>, Option<String>) {
        let file = char::from(b'a' + square.file()).to_string();
        let rank = (square.rank() + 1).to_string();
        let (of_column, of_row) = match self.bottom {
            Side::South | Side::North => (file, rank),
            Side::West | Side::East => (rank, file),
        };
        let place = self.place(square);
        let others = || self.squares().map(|other| self.place(other));
        let is_lowest = !others().any(|other| other.column == place.column && other.row > place.row);
        let is_leftmost = !others().any(|other| other.row == place.row && other.column < place.column);
        (is_lowest.then_some(of_column), is_leftmost.then_some(of_row))
    }
}
