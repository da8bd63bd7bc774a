//! A position of any variant, for callers that do not know which at compile time.

use alloc::vec::Vec;

use crate::color::Color;
use crate::mv::Move;
use crate::reserve::Reserve;
use crate::role::Piece;
use crate::setup::{Setup, SetupError};
use crate::square::Square;
use crate::variant::Variant;

/// A playable position of any variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyPosition {}

impl AnyPosition {
    /// Checks a set-up.
    ///
    /// # Errors
    /// Names the field that makes no sense, and why.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        let _ = setup;
        unimplemented!()
    }

    /// Which rules.
    #[must_use]
    pub fn variant(&self) -> Variant {
        unimplemented!()
    }

    /// Who is to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        unimplemented!()
    }

    /// What stands on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let _ = square;
        unimplemented!()
    }

    /// Every piece with its square, in the order of squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        core::iter::empty()
    }

    /// The players still in, in turn order from White or Red.
    pub fn players_in(&self) -> impl Iterator<Item = Color> + '_ {
        core::iter::empty()
    }

    /// The colors whose king is attacked by a player still in, in turn order (G7).
    pub fn checks(&self) -> impl Iterator<Item = Color> + '_ {
        core::iter::empty()
    }

    /// What a player may have back by promotion (D5). Empty in `classic`.
    #[must_use]
    pub fn reserve(&self, color: Color) -> Reserve {
        let _ = color;
        unimplemented!()
    }

    /// Every legal move of the player to move, in an order that is the same each run.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        unimplemented!()
    }

    /// The legal moves of the piece on one square.
    #[must_use]
    pub fn moves_from(&self, from: Square) -> Vec<Move> {
        let _ = from;
        unimplemented!()
    }

    /// Whether a move is legal, without listing the others.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let _ = mv;
        unimplemented!()
    }

    /// Plays a legal move and takes out whoever is then mated on its turn (D8).
    ///
    /// # Panics
    /// When the move is not legal.
    pub fn play(&mut self, mv: Move) {
        let _ = mv;
        unimplemented!()
    }

    /// The position written down.
    #[must_use]
    pub fn setup(&self) -> Setup {
        unimplemented!()
    }

    /// A key of what G10 compares: equal positions have equal keys, on every machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        unimplemented!()
    }

    /// Plies since the last pawn move, capture or going out (D14).
    #[must_use]
    pub fn halfmove_clock(&self) -> u32 {
        unimplemented!()
    }

    /// The number of legal move sequences of `depth` moves (RULES section 4).
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        let _ = depth;
        unimplemented!()
    }
}
