//! The text of a piece, as it is written in a FEN4 and in web addresses.

use crate::role::{Piece, Role};
use crate::variant::Variant;

impl Piece {
    /// Parses the text form of a piece of `variant`.
    ///
    /// # Errors
    /// Returns an error if the text is not a color letter of the variant followed by the letter of
    /// a role.
    pub fn parse(variant: Variant, text: &str) -> Result<Self, PieceError> {
        let mut letters = text.chars();
        let (Some(color), Some(role), None) = (letters.next(), letters.next(), letters.next()) else {
            return Err(PieceError);
        };
        let color = variant.color_of_letter(color).ok_or(PieceError)?;
        let role = Role::from_letter(role).ok_or(PieceError)?;
        Ok(Self { color, role })
    }
}

/// The error for a text that names no piece of the variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a piece: expected a color's letter and one of P N B R Q K, as in rP")]
pub struct PieceError;
