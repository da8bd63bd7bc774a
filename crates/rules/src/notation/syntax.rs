//! The limits of a written game and its errors of syntax.

use super::input::Location;

/// The maximum text length of one game, in bytes. It limits the memory that an input can use. The
/// longest real games, with a comment on every move, are shorter than a tenth of this length.
pub const MAX_GAME_BYTES: u64 = 1 << 20;

/// The maximum nesting depth of variations.
pub const MAX_VARIATION_DEPTH: u8 = 32;

/// The kind of a syntax error in the text of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxKind {
    /// Not of the form `[Name "value"]`.
    #[error("malformed tag")]
    MalformedTag,
    /// A move number that is too large.
    #[error("malformed move number")]
    MalformedNumber,
    /// A `$` without a number up to 255.
    #[error("malformed annotation after $")]
    MalformedNag,
    /// A `{` without its `}`.
    #[error("comment without an end")]
    UnclosedComment,
    /// A `(` without its `)`.
    #[error("variation without an end")]
    UnclosedVariation,
    /// A variation that is not preceded by a move which it could replace.
    #[error("variation before the first move")]
    VariationOfNothing,
    /// More than [`MAX_VARIATION_DEPTH`] variations within each other.
    #[error("variations more than {MAX_VARIATION_DEPTH} deep")]
    TooDeep,
    /// More than [`MAX_GAME_BYTES`].
    #[error("game longer than {MAX_GAME_BYTES} bytes")]
    TooLong,
    /// An unexpected character.
    #[error("unexpected {sign:?}")]
    Unexpected {
        /// The character.
        sign: char,
    },
}

/// A syntax error in the text of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, {location}: {kind}")]
pub struct SyntaxError {
    /// The number of the game in the source, from 1.
    pub game: u64,
    /// The location of the error.
    pub location: Location,
    /// The kind of error.
    pub kind: SyntaxKind,
}
