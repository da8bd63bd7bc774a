//! The checks and checkmates of a move, for the signs written after it.

use crate::any::AnyPosition;
use crate::color::Color;
use crate::mv::Move;

/// The number of kings that a move puts in check, and the number of players that the move leaves
/// without escape.
///
/// Both numbers are computed on the board right after the move, before any elimination. With more
/// than two players, another player may still prevent the mate (rule D8). If the mated player is
/// eliminated, the next position does not contain this player any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CheckSuffix {
    /// The number of kings that are attacked by a player who did not attack them before. A king
    /// that is already in check may be checked again.
    pub(super) checks: usize,
    /// The number of players in check who would have no legal move if it were their turn. A player
    /// who was in this situation before the move already does not count.
    pub(super) mates: usize,
}

impl CheckSuffix {
    /// Computes the suffix of the legal move `mv`.
    pub(super) fn of(position: &AnyPosition, mv: Move) -> Self {
        let mut after = position.clone();
        let is_legal = after.make(mv);
        debug_assert!(is_legal, "{mv} is not legal");
        let is_attacked_anew = |&color: &Color| {
            let mut attackers = after.checked_by(color);
            attackers.any(|attacker| position.checked_by(color).all(|before| before != attacker))
        };
        let is_newly_mated =
            |&color: &Color| would_be_mated(&after, color) && !would_be_mated(position, color);
        Self {
            checks: after.checks().filter(is_attacked_anew).count(),
            mates: after.checks().filter(is_newly_mated).count(),
        }
    }
}

/// Returns whether `color` would be in check and without a legal move if it were its turn on this
/// board.
fn would_be_mated(position: &AnyPosition, color: Color) -> bool {
    if position.checked_by(color).next().is_none() {
        return false;
    }
    let mut setup = position.setup().with_turn(color);
    // Castling cannot end a check (rule G8). A capture en passant can end a check only if it
    // captures the opposite player's pawn (rules C2, D3).
    setup.castling = Default::default();
    let colors = position.variant().colors();
    let opposite = colors[(color.index() + colors.len() / 2) % colors.len()];
    let usable = setup.double_steps[opposite];
    setup.double_steps = Default::default();
    setup.double_steps[opposite] = usable;
    AnyPosition::new(&setup).is_ok_and(|position| position.legal_moves().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;
    use crate::variant::Variant;

    fn suffix(variant: Variant, text: &str, mv: &str) -> CheckSuffix {
        let position = AnyPosition::new(&Setup::parse(variant, text).unwrap()).unwrap();
        CheckSuffix::of(&position, mv.parse().unwrap())
    }

    #[test]
    fn a_check_that_can_be_met_is_no_mate() {
        let seen = suffix(Variant::Classic, "7k/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8");
        assert_eq!(seen, CheckSuffix { checks: 1, mates: 0 });
    }

    #[test]
    fn a_back_rank_mate_is_check_and_mate() {
        let seen = suffix(Variant::Classic, "7k/6pp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8");
        assert_eq!(seen, CheckSuffix { checks: 1, mates: 1 });
    }

    /// The capture of the pawn en passant is the only move that ends the check.
    #[test]
    fn a_capture_in_passing_is_an_escape() {
        let board = "8/8/8/1k6/1p6/8/P7/K7 w - - 0 1";
        let seen = suffix(Variant::Classic, board, "a2a4");
        assert_eq!(seen, CheckSuffix { checks: 1, mates: 0 });
    }
}
