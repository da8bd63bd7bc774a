//! What a move does to the other kings, for the signs written behind it.

use crate::any::AnyPosition;
use crate::color::Color;
use crate::mv::Move;
use crate::role::{Piece, Role};
use crate::setup::{DoubleStep, Setup};
use crate::square::Square;

use super::castling::Castling;

/// How many kings a move puts in check, and how many players it leaves without escape.
///
/// Judged on the board as the move leaves it, before anybody's going out: in Dilkel a mate may still be undone
/// by a third player (D8), and the player mated next is gone from the position that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forecast {
    /// Kings attacked now that were not attacked before.
    pub(super) checks: usize,
    /// Players in check who would have no legal move if it were their turn, and would have had one before.
    pub(super) mates: usize,
}

impl Forecast {
    /// What the legal move `mv` brings.
    pub(super) fn of(position: &AnyPosition, mv: Move) -> Self {
        let mut forecast = Self { checks: 0, mates: 0 };
        let after = board_after(position, mv);
        let Ok(seen) = AnyPosition::new(&with_turn(&after, next_in(position))) else {
            return forecast;
        };
        let before = position.setup();
        for color in seen.checks().filter(|&color| color != position.turn()) {
            forecast.checks += usize::from(!position.checks().any(|checked| checked == color));
            forecast.mates += usize::from(is_stuck(&after, color) && !is_stuck(&before, color));
        }
        forecast
    }
}

/// Whether `color` is in check and without a legal move, were it its turn.
fn is_stuck(board: &Setup, color: Color) -> bool {
    AnyPosition::new(&with_turn(board, color)).is_ok_and(|position| {
        position.checks().any(|checked| checked == color) && position.legal_moves().is_empty()
    })
}

/// The board with another player to move and only what matters to an escape: castling is none (G8), and of the
/// en passant rights only the one that `color` may use (C2, D3).
fn with_turn(board: &Setup, color: Color) -> Setup {
    let mut setup = board.clone().with_turn(color);
    setup.castling = Default::default();
    let stepper = opposite(board, color);
    let usable = setup.double_steps[stepper];
    setup.double_steps = Default::default();
    setup.double_steps[stepper] = usable;
    setup
}

/// The player across the board; the opponent in `classic`.
fn opposite(board: &Setup, color: Color) -> Color {
    let colors = board.variant.colors();
    colors[(color.index() + colors.len() / 2) % colors.len()]
}

/// The next player still in after the one to move.
fn next_in(position: &AnyPosition) -> Color {
    let turn = position.turn();
    let later = position.players_in().find(|color| color.index() > turn.index());
    later.or_else(|| position.players_in().next()).unwrap_or(turn)
}

/// The pieces after a move, with the en passant rights then pending. The turn has not passed and nobody is
/// judged.
fn board_after(position: &AnyPosition, mv: Move) -> Setup {
    let mut board = position.setup();
    let castling = Castling::of(position, mv);
    let Some(piece) = board.pieces.remove(&mv.from) else {
        return board;
    };
    let captured = board.pieces.insert(mv.to, Piece { role: mv.promotion.unwrap_or(piece.role), ..piece });
    if let Some(castling) = castling {
        if let Some(rook) = board.pieces.remove(&castling.rook_from) {
            board.pieces.insert(castling.rook_to, rook);
        }
    }
    let is_diagonal = mv.from.file() != mv.to.file() && mv.from.rank() != mv.to.rank();
    if piece.role == Role::Pawn && is_diagonal && captured.is_none() {
        let stepper = opposite(&board, piece.color);
        if let Some(step) = board.double_steps[stepper] {
            board.pieces.remove(&step.pawn);
        }
    }
    for &color in board.variant.colors() {
        let pending = board.double_steps[color].filter(|step| {
            let pawn = Piece { color, role: Role::Pawn };
            board.pieces.get(&step.pawn) == Some(&pawn) && !board.pieces.contains_key(&step.passed)
        });
        board.double_steps[color] = pending;
    }
    board.double_steps[piece.color] = double_step(piece, mv);
    board
}

/// The right that a pawn's move of two squares leaves behind.
fn double_step(piece: Piece, mv: Move) -> Option<DoubleStep> {
    let files = mv.from.file().abs_diff(mv.to.file());
    let ranks = mv.from.rank().abs_diff(mv.to.rank());
    let middle = |a: u8, b: u8| a.midpoint(b);
    let passed = Square::new(middle(mv.from.file(), mv.to.file()), middle(mv.from.rank(), mv.to.rank()))?;
    (piece.role == Role::Pawn && files.max(ranks) == 2).then_some(DoubleStep { passed, pawn: mv.to })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::Variant;

    fn forecast(variant: Variant, text: &str, mv: &str) -> Forecast {
        let position = AnyPosition::new(&Setup::parse(variant, text).unwrap()).unwrap();
        Forecast::of(&position, mv.parse().unwrap())
    }

    #[test]
    fn a_check_that_can_be_met_is_no_mate() {
        let seen = forecast(Variant::Classic, "7k/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8");
        assert_eq!(seen, Forecast { checks: 1, mates: 0 });
    }

    #[test]
    fn a_back_rank_mate_is_check_and_mate() {
        let seen = forecast(Variant::Classic, "7k/6pp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8");
        assert_eq!(seen, Forecast { checks: 1, mates: 1 });
    }

    /// The only answer to the check is to take the pawn in passing.
    #[test]
    fn a_capture_in_passing_is_an_escape() {
        let board = "8/8/8/1k6/1p6/8/P7/K7 w - - 0 1";
        let seen = forecast(Variant::Classic, board, "a2a4");
        assert_eq!(seen, Forecast { checks: 1, mates: 0 });
    }
}
