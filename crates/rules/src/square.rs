//! Squares of any board up to 14 x 14, and the shapes of boards.

use core::fmt;
use core::num::NonZeroU8;
use core::str::FromStr;

use crate::color::Side;
use crate::serde_text::impl_serde_from_text;

/// A square by file and rank, `a1` to `n14`. [`BoardShape::contains`] returns whether a board has
/// the square.
///
/// ```
/// use quadrex_rules::Square;
///
/// let square: Square = "n11".parse()?;
/// assert_eq!((square.file(), square.rank()), (13, 10));
/// assert_eq!(Square::new(13, 10), Some(square));
/// assert_eq!(square.to_string(), "n11");
/// # Ok::<(), quadrex_rules::SquareError>(())
/// ```
///
/// A square is represented by its cell index in a frame of 16 x 16 cells with a border of one cell:
/// `16 * (rank + 1) + file + 1`. The index is never zero, so an optional square is one byte too.
/// Squares are ordered rank by rank from `a1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(NonZeroU8);

impl Square {
    /// The number of files and of ranks of the largest board.
    pub const MAX_SIZE: u8 = 14;

    /// The square on `file` and `rank`, both counted from 0 and below [`Self::MAX_SIZE`].
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file >= Self::MAX_SIZE || rank >= Self::MAX_SIZE {
            return None;
        }
        Some(Self::of_frame(16 * (rank + 1) + file + 1))
    }

    /// The file, from 0 (`a`).
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0.get() % 16 - 1
    }

    /// The rank, from 0 (the rank written `1`).
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0.get() / 16 - 1
    }

    /// The cell index in the 16 x 16 frame.
    pub(crate) const fn frame(self) -> u8 {
        self.0.get()
    }

    /// The square of a cell of the 16 x 16 frame. Cell 0 lies in the border and is no square; the
    /// result is then `a1`.
    #[inline(always)]
    pub(crate) const fn of_frame(cell: u8) -> Self {
        match NonZeroU8::new(cell) {
            Some(cell) => Self(cell),
            None => Self::A1,
        }
    }

    const A1: Self = Self(NonZeroU8::new(17).expect("17 is not zero"));
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a square: expected a file a-n and a rank 1-14, as in a1 or n14")]
pub struct SquareError;

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        match Self::split_from(text) {
            Some((square, "")) => Ok(square),
            _ => Err(SquareError),
        }
    }
}

impl Square {
    /// Parses a square at the front of a text. Returns the square and the rest.
    pub(crate) fn split_from(text: &str) -> Option<(Self, &str)> {
        let file = text.bytes().next()?.checked_sub(b'a')?;
        let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 2 || text.as_bytes()[1] == b'0' {
            return None;
        }
        let (number, rest) = text[1..].split_at(digits);
        let rank = number.parse::<u8>().ok()?.checked_sub(1)?;
        Some((Self::new(file, rank)?, rest))
    }
}

impl_serde_from_text!(Square);

/// The squares of a board: a rectangle, with its four corners cut out or not.
///
/// ```
/// use quadrex_rules::Variant;
///
/// let board = Variant::Dilkel.board();
/// assert_eq!((board.files, board.ranks, board.corner), (14, 14, 3));
/// assert_eq!(board.squares().count(), 160);
/// assert!(board.contains("d1".parse()?) && !board.contains("c1".parse()?));
/// # Ok::<(), quadrex_rules::SquareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoardShape {
    /// Number of files.
    pub files: u8,
    /// Number of ranks.
    pub ranks: u8,
    /// Width and height of each cut-out corner; 0 for a full rectangle.
    pub corner: u8,
}

impl BoardShape {
    /// Returns whether the board has this square.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        let (file, rank) = (square.file(), square.rank());
        if file >= self.files || rank >= self.ranks {
            return false;
        }
        let outer_file = file < self.corner || file >= self.files - self.corner;
        let outer_rank = rank < self.corner || rank >= self.ranks - self.corner;
        !(outer_file && outer_rank)
    }

    /// Returns the squares of the board, rank by rank, beginning with the rank of `a1`.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        (0..self.ranks)
            .flat_map(move |rank| (0..self.files).filter_map(move |file| Square::new(file, rank)))
            .filter(move |&square| self.contains(square))
    }

    /// Returns the squares of a side's row, from its owner's left; row 0 is the baseline.
    pub(crate) fn row(self, side: Side, depth: u8) -> impl Iterator<Item = Square> {
        let (last_file, last_rank) = (self.files - 1, self.ranks - 1);
        let length = match side {
            Side::South | Side::North => self.files,
            Side::West | Side::East => self.ranks,
        };
        (self.corner..length - self.corner).filter_map(move |along| match side {
            Side::South => Square::new(along, depth),
            Side::West => Square::new(depth, last_rank - along),
            Side::North => Square::new(last_file - along, last_rank - depth),
            Side::East => Square::new(last_file - depth, along),
        })
    }
}
