//! The two-letter code of a piece.

use std::fmt;
use std::str::FromStr;

use quadrex_rules::{Piece, PieceError, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The two-letter code of a piece: the letter of its color and the letter of its role, such as `rP`
/// or `wK`.
///
/// Black and Blue share the letter `b`, so a conversion to a [`Piece`] needs the variant
/// ([`PieceCode::piece`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(rename = "Piece", type = "string")]
#[schemars(rename = "Piece")]
pub struct PieceCode(#[schemars(with = "String", regex(pattern = "^[wbryg][PNBRQK]$"))] [u8; 2]);

/// The error for a text that is not a piece code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a piece is one of w b r y g and one of P N B R Q K, this one is {0:?}")]
pub struct InvalidPieceCode(String);

impl PieceCode {
    /// Returns the piece that the code stands for in `variant`.
    ///
    /// # Errors
    /// Returns [`PieceError`] if `variant` has no such color.
    pub fn piece(self, variant: Variant) -> Result<Piece, PieceError> {
        Piece::parse(variant, self.as_str())
    }

    /// Returns the two letters.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).expect("both are ASCII letters")
    }
}

impl From<Piece> for PieceCode {
    fn from(piece: Piece) -> Self {
        let letter = |letter: char| u8::try_from(letter).expect("letters of colors and roles are ASCII");
        Self([letter(piece.color.letter()), letter(piece.role.letter())])
    }
}

impl FromStr for PieceCode {
    type Err = InvalidPieceCode;

    fn from_str(text: &str) -> Result<Self, InvalidPieceCode> {
        match text.as_bytes() {
            &[color, role] if b"wbryg".contains(&color) && b"PNBRQK".contains(&role) => {
                Ok(Self([color, role]))
            }
            _ => Err(InvalidPieceCode(text.chars().take(16).collect())),
        }
    }
}

impl TryFrom<String> for PieceCode {
    type Error = InvalidPieceCode;

    fn try_from(text: String) -> Result<Self, InvalidPieceCode> {
        text.parse()
    }
}

impl From<PieceCode> for String {
    fn from(code: PieceCode) -> Self {
        code.as_str().to_owned()
    }
}

impl fmt::Display for PieceCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{Color, Role};

    use super::*;

    #[test]
    fn a_piece_code_round_trips_with_its_variant() {
        let queen = Piece { color: Color::Blue, role: Role::Queen };
        let code = PieceCode::from(queen);
        assert_eq!(code.to_string(), "bQ");
        assert_eq!("bQ".parse(), Ok(code));
        assert_eq!(code.piece(Variant::Dilkel), Ok(queen));
        assert_eq!(code.piece(Variant::Classic), Ok(Piece { color: Color::Black, role: Role::Queen }));
        assert!("rK".parse::<PieceCode>().is_ok_and(|code| code.piece(Variant::Classic).is_err()));
        for wrong in ["", "r", "rX", "xK", "rKK", "Rk", "rK "] {
            assert!(wrong.parse::<PieceCode>().is_err(), "{wrong:?} was accepted");
        }
    }
}
