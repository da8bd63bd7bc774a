//! The colors of players, and a table with one value for each of them.

use core::ops::{Index, IndexMut};

use crate::serde_text::impl_text_from_name;

/// The color of a player: two in `classic`, four in the Dilkel variants (RULES, "The board").
///
/// The order of the values is the turn order of each variant. Text: the lower-case English name.
///
/// ```
/// use quadrex_rules::{Color, Side};
///
/// let color: Color = "blue".parse()?;
/// assert_eq!((color.index(), color.side()), (1, Side::West));
/// # Ok::<(), quadrex_rules::ColorError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// `classic`: sits south and begins (rule C1).
    White,
    /// `classic`: sits north.
    Black,
    /// Dilkel: sits south, moves up.
    Red,
    /// Dilkel: sits west, moves right.
    Blue,
    /// Dilkel: sits north, moves down.
    Yellow,
    /// Dilkel: sits east, moves left.
    Green,
}

/// The edge of the board where a color sets up its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Rank 1; pawns move up.
    South,
    /// File a; pawns move right.
    West,
    /// The last rank; pawns move down.
    North,
    /// The last file; pawns move left.
    East,
}

impl Color {
    /// Every color of every variant.
    pub const ALL: [Self; 6] = [Self::White, Self::Black, Self::Red, Self::Blue, Self::Yellow, Self::Green];

    /// The letter of the color in FEN4 and in a piece's text: `w`, `b`, `r`, `b`, `y`, `g`.
    ///
    /// Black and Blue share a letter, so the inverse function needs the variant:
    /// [`Variant::color_of_letter`](crate::Variant::color_of_letter).
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black | Self::Blue => 'b',
            Self::Red => 'r',
            Self::Yellow => 'y',
            Self::Green => 'g',
        }
    }

    /// The edge of the board that this color plays from.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            Self::White | Self::Red => Side::South,
            Self::Blue => Side::West,
            Self::Black | Self::Yellow => Side::North,
            Self::Green => Side::East,
        }
    }

    /// The lower-case English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Yellow => "yellow",
            Self::Green => "green",
        }
    }

    /// The index in the variant's turn order, from 0: the index of a [`ByColor`].
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::White | Self::Red => 0,
            Self::Black | Self::Blue => 1,
            Self::Yellow => 2,
            Self::Green => 3,
        }
    }
}

/// The error for a text that names no color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a color: expected white, black, red, blue, yellow or green")]
pub struct ColorError;

impl_text_from_name!(Color: ColorError);

/// One value for each color of a variant.
///
/// A `ByColor` belongs to one match, and so to one variant. White and Red can therefore share the
/// first value, and Black and Blue the second. In a two-color variant the last two values are
/// unused.
///
/// ```
/// use quadrex_rules::{ByColor, Color};
///
/// let mut taken: ByColor<u32> = ByColor::default();
/// taken[Color::Yellow] += 1;
/// assert_eq!(taken.map(|count| 2 * count)[Color::Yellow], 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByColor<T>([T; 4]);

impl<T> ByColor<T> {
    /// Makes each value from its index in the turn order.
    pub fn from_fn(make: impl FnMut(usize) -> T) -> Self {
        Self(core::array::from_fn(make))
    }

    /// Converts every value.
    pub fn map<U>(self, convert: impl FnMut(T) -> U) -> ByColor<U> {
        ByColor(self.0.map(convert))
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
