//! Recognition of castling among the king's moves, on any board.

use crate::any::AnyPosition;
use crate::castling_side::CastlingSide;
use crate::mv::Move;
use crate::role::Role;
use crate::square::Square;

/// A king's move that is castling, with the move of the rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Castling {
    /// The castling side.
    pub(super) side: CastlingSide,
    /// The square of the rook.
    pub(super) rook_from: Square,
    /// The square the king crosses, where the rook lands.
    pub(super) rook_to: Square,
}

impl Castling {
    /// Returns the castling if `mv` is a castling move: a king's move of two squares along its row
    /// toward a rook (rule G8).
    pub(super) fn of(position: &AnyPosition, mv: Move) -> Option<Self> {
        let king = position.piece_at(mv.from).filter(|piece| piece.role == Role::King)?;
        let direction = match (distance(mv.from.file(), mv.to.file()), distance(mv.from.rank(), mv.to.rank()))
        {
            (2, 0) => (1, 0),
            (-2, 0) => (-1, 0),
            (0, 2) => (0, 1),
            (0, -2) => (0, -1),
            _ => return None,
        };
        let rook_to = step(mv.from, direction)?;
        let mut rook_from = rook_to;
        let mut between = 0;
        while position.piece_at(rook_from).is_none() {
            rook_from = step(rook_from, direction)?;
            between += 1;
        }
        let rook = position.piece_at(rook_from)?;
        let side = if between == 2 { CastlingSide::Short } else { CastlingSide::Long };
        (rook.role == Role::Rook && rook.color == king.color).then_some(Self { side, rook_from, rook_to })
    }
}

/// Returns the legal castling on one side.
pub(super) fn find(position: &AnyPosition, side: CastlingSide) -> Option<Move> {
    let king =
        position.pieces().find(|(_, piece)| piece.color == position.turn() && piece.role == Role::King)?.0;
    let mut moves = position.moves_from(king).into_iter();
    moves.find(|&mv| Castling::of(position, mv).is_some_and(|castling| castling.side == side))
}

fn distance(from: u8, to: u8) -> i8 {
    to.cast_signed() - from.cast_signed()
}

fn step(square: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    Square::new(square.file().checked_add_signed(files)?, square.rank().checked_add_signed(ranks)?)
}
