//! Written-down state: anything a FEN or FEN4 can say, sense or nonsense.

mod board;
mod fen;
mod fen4;
mod fields;
mod options;
mod repair;
mod warning;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use warning::Reading;
pub use warning::{Dropped, SetupWarning};

use crate::color::{ByColor, Color};
use crate::game::Cause;
use crate::reserve::Reserve;
use crate::role::Piece;
use crate::square::Square;
use crate::variant::{Classic, Dilkel, DilkelCompact, Variant, VariantRules as _};

/// Which of a color's castlings are still allowed, as far as king and rooks have not moved (G8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    /// With the rook two squares of space away, `O-O`.
    pub short: bool,
    /// With the rook three squares of space away, `O-O-O`.
    pub long: bool,
    /// Where a rook stands two squares of space away on either hand: the one of the short right, if it is not the one
    /// at the end of the row (D7). On rows of eight squares no two rooks are three squares of space away.
    pub short_rook: Option<Square>,
}

/// A double step that may be answered by capturing in passing (C2, D3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DoubleStep {
    /// The square the pawn passed over.
    pub passed: Square,
    /// Where the pawn stands.
    pub pawn: Square,
}

/// Written-down state of a match; [`AnyPosition::new`](crate::AnyPosition::new) says whether it is a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Which rules.
    pub variant: Variant,
    /// What stands where.
    pub pieces: BTreeMap<Square, Piece>,
    /// Who is to move.
    pub turn: Color,
    /// Who is out, in the order of going out.
    pub eliminated: Vec<(Color, Cause)>,
    /// Castling rights.
    pub castling: ByColor<CastlingRights>,
    /// Pending en passant rights, by the color whose pawn stepped.
    pub double_steps: ByColor<Option<DoubleStep>>,
    /// Captured pieces to be had by promotion (D5).
    pub reserves: ByColor<Reserve>,
    /// Plies since the last pawn move, capture or going out.
    pub halfmove_clock: u32,
    /// The number of the round being played. A FEN always says it, a FEN4 perhaps.
    pub move_number: Option<u32>,
}

/// What is wrong with a written position: the field and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct SetupError {
    /// The field of the FEN or FEN4.
    pub field: Field,
    /// What is wrong with it.
    pub reason: String,
}

/// A field of a written position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The text as a whole.
    Text,
    /// The pieces.
    Board,
    /// Who is to move.
    Turn,
    /// Who is out.
    Dead,
    /// Castling rights.
    Castling,
    /// Scores of other sites.
    Points,
    /// En passant rights.
    EnPassant,
    /// Reserves.
    Reserve,
    /// The order of going out.
    Out,
    /// Plies since the last pawn move, capture or going out.
    Clock,
    /// The round.
    MoveNumber,
    /// The options block of FEN4.
    Options,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Text => "text",
            Self::Board => "board",
            Self::Turn => "turn",
            Self::Dead => "dead",
            Self::Castling => "castling",
            Self::Points => "points",
            Self::EnPassant => "en passant",
            Self::Reserve => "reserve",
            Self::Out => "out",
            Self::Clock => "clock",
            Self::MoveNumber => "move number",
            Self::Options => "options",
        })
    }
}

impl SetupError {
    /// What is wrong with a text in a field.
    fn new(field: Field, text: &str, what: &str) -> Self {
        Self { field, reason: format!("{text:?} {what}") }
    }
}

impl Setup {
    /// The variant's own set-up, with White or Red to move (C1, D1, S5).
    #[must_use]
    pub fn start(variant: Variant) -> Self {
        match variant {
            Variant::Classic => Classic::setup(),
            Variant::Dilkel => Dilkel::setup(),
            Variant::DilkelCompact => DilkelCompact::setup(),
        }
    }

    /// The same with another color to move (D2: any may begin).
    #[must_use]
    pub fn with_turn(self, turn: Color) -> Self {
        Self { turn, ..self }
    }

    /// Reads a FEN (two players) or FEN4 (four players), strictly.
    ///
    /// # Errors
    /// Names the field that cannot be read. Whether it makes sense is for
    /// [`AnyPosition::new`](crate::AnyPosition::new) to say.
    pub fn parse(variant: Variant, text: &str) -> Result<Self, SetupError> {
        Self::read(variant, text, &mut Reading::Strict)
    }

    /// Reads a FEN or FEN4 as sites and engines write them (`docs/NOTATION.md`), and says what it dropped: among
    /// others castling rights for which king and rook do not stand, and en passant rights that are gone.
    ///
    /// # Errors
    /// Names the field that cannot be read. Whether it makes sense is for
    /// [`AnyPosition::new`](crate::AnyPosition::new) to say.
    pub fn parse_lenient(variant: Variant, text: &str) -> Result<(Self, Vec<SetupWarning>), SetupError> {
        let mut reading = Reading::Lenient(Vec::new());
        let mut setup = Self::read(variant, text, &mut reading)?;
        let mut warnings = reading.into_warnings();
        setup.drop_impossible_castling(&mut warnings);
        setup.drop_impossible_en_passant(&mut warnings);
        Ok((setup, warnings))
    }

    fn read(variant: Variant, text: &str, reading: &mut Reading) -> Result<Self, SetupError> {
        if variant.colors().len() == 2 {
            fen::parse(text, reading)
        } else {
            fen4::parse(variant, text, reading)
        }
    }
}

/// The FEN or FEN4.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.variant.colors().len() == 2 { fen::write(self, f) } else { fen4::write(self, f) }
    }
}

/// A number in digits alone, without leading zeros.
fn parse_number(field: Field, text: &str) -> Result<u32, SetupError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let number = if digits { text.parse().ok() } else { None };
    number.ok_or_else(|| SetupError::new(field, text, "is not a number"))
}
