//! Set-ups: positions as text, valid or not, in FEN or FEN4.

mod board;
mod fen;
mod fen4;
mod fields;
mod options;
mod piece;
mod warning;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub use piece::PieceError;
pub(crate) use warning::Reading;
pub use warning::{Dropped, SetupWarning};

use crate::color::{ByColor, Color};
use crate::elimination::Cause;
use crate::reserve::Reserve;
use crate::role::Piece;
use crate::square::Square;
use crate::variant::{Notation, Variant, VariantRules};
use crate::with_rules;

/// The castling rights of a color. A right exists as long as the king and the rook have not moved
/// (rule G8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    /// True if the color may castle `O-O`, with two squares between king and rook.
    pub short: bool,
    /// True if the color may castle `O-O-O`, with three squares between king and rook.
    pub long: bool,
    /// The rook of the short right, if it is not the default rook (rule D7). There may be rooks on
    /// both sides with two squares between king and rook; the rook at the end of the row is the
    /// default. The long right needs no such field, because in a row of eight squares only one rook
    /// can have three squares between it and the king.
    pub short_rook: Option<Square>,
}

/// A double step that may be captured en passant (rules C2, D3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DoubleStep {
    /// The square that the pawn skipped.
    pub passed: Square,
    /// The square on which the pawn stands.
    pub pawn: Square,
}

/// The content of a written position, valid or not. [`AnyPosition::new`](crate::AnyPosition::new)
/// validates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The variant.
    pub variant: Variant,
    /// The pieces by square.
    pub pieces: BTreeMap<Square, Piece>,
    /// The player to move.
    pub turn: Color,
    /// The eliminated players with the causes, in the order of their elimination.
    pub eliminated: Vec<(Color, Cause)>,
    /// Castling rights.
    pub castling: ByColor<CastlingRights>,
    /// The pending en passant rights, by the color whose pawn has made the double step.
    pub double_steps: ByColor<Option<DoubleStep>>,
    /// Captured pieces that promotions may bring back (rule D5).
    pub reserves: ByColor<Reserve>,
    /// The number of plies since the last pawn move, capture or elimination.
    pub halfmove_clock: u32,
    /// The number of the present round. A FEN always contains it, and a FEN4 may contain it.
    pub move_number: Option<u32>,
}

/// An invalid written position: the field and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct SetupError {
    /// The field of the FEN or FEN4.
    pub field: Field,
    /// The reason.
    pub reason: String,
}

/// A field of a written position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The text as a whole.
    Text,
    /// The piece placement.
    Board,
    /// The player to move.
    Turn,
    /// The flags of eliminated players.
    Dead,
    /// Castling rights.
    Castling,
    /// Scores of other sites.
    Points,
    /// En passant rights.
    EnPassant,
    /// Reserves.
    Reserve,
    /// The order and the causes of eliminations.
    Out,
    /// The number of plies since the last pawn move, capture or elimination.
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
    /// An error about a text in a field.
    fn new(field: Field, text: &str, what: &str) -> Self {
        Self { field, reason: format!("{text:?} {what}") }
    }
}

impl Setup {
    /// The variant's own set-up, with White or Red to move (rules C1, D1, S5).
    #[must_use]
    pub fn start(variant: Variant) -> Self {
        with_rules!(variant, V => Self::start_of::<V>())
    }

    /// The set-up of rules that are known at compile time, with their start pieces and the first
    /// color to move.
    #[must_use]
    pub fn start_of<V: VariantRules>() -> Self {
        Self {
            variant: V::VARIANT,
            pieces: V::start_pieces(),
            turn: V::COLORS[0],
            eliminated: Vec::new(),
            castling: ByColor::from_fn(|color| {
                let allowed = V::STARTS_WITH_CASTLING && color < V::COLORS.len();
                CastlingRights { short: allowed, long: allowed, short_rook: None }
            }),
            double_steps: ByColor::from_fn(|_| None),
            reserves: ByColor::from_fn(|_| Reserve::EMPTY),
            halfmove_clock: 0,
            move_number: (V::COLORS.len() == 2).then_some(1),
        }
    }

    /// Returns the set-up with another color to move. Any color may begin (rule D2).
    #[must_use]
    pub fn with_turn(self, turn: Color) -> Self {
        Self { turn, ..self }
    }

    /// Parses a FEN (two players) or FEN4 (four players), strictly.
    ///
    /// # Errors
    /// Returns a [`SetupError`] if a field cannot be read.
    /// [`AnyPosition::new`](crate::AnyPosition::new) decides whether the set-up makes sense.
    pub fn parse(variant: Variant, text: &str) -> Result<Self, SetupError> {
        Self::read(variant, text, &mut Reading::Strict)
    }

    pub(crate) fn read(variant: Variant, text: &str, reading: &mut Reading) -> Result<Self, SetupError> {
        match variant.notation() {
            Notation::Pgn => fen::parse(variant, text, reading),
            Notation::Pgn4 => fen4::parse(variant, text, reading),
        }
    }
}

/// Writes the FEN or FEN4.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.variant.notation() {
            Notation::Pgn => fen::write(self, f),
            Notation::Pgn4 => fen4::write(self, f),
        }
    }
}

/// Parses a number that consists of digits only, without leading zeros.
fn parse_number(field: Field, text: &str) -> Result<u32, SetupError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let number = if digits { text.parse().ok() } else { None };
    number.ok_or_else(|| SetupError::new(field, text, "is not a number"))
}
