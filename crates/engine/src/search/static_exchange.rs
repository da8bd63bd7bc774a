//! Static exchange evaluation: the outcome of all captures on one square.

use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::{InternalMove, MoveKind};
use quadrex_rules::position::BitsOf;
use quadrex_rules::{Position, Role, VariantRules};

use crate::evaluation::piece_value;

/// Returns the value of the piece that a move captures, in centipawns.
#[inline(always)]
pub(super) fn captured_value<V: VariantRules>(position: &Position<V>, mv: InternalMove) -> i32 {
    match mv.kind {
        MoveKind::Castling(_) => 0,
        MoveKind::EnPassant => piece_value(Role::Pawn),
        _ if position.occupied().has(mv.to) => position.role_at(mv.to).map_or(0, piece_value),
        _ => 0,
    }
}

/// Returns the immediate gain of a move by capture and promotion, in centipawns.
pub(crate) fn material_gain<V: VariantRules>(position: &Position<V>, mv: InternalMove) -> i32 {
    let promotion = match mv.kind {
        MoveKind::Promotion(role) => piece_value(role) - piece_value(Role::Pawn),
        _ => 0,
    };
    captured_value(position, mv) + promotion
}

/// Returns true if a move gains at least `threshold` centipawns after all captures on its target
/// square.
///
/// The mover and its opponents capture in turn with their least valuable piece, and stop when a
/// capture does not pay. All opponents count as one side.
pub(super) fn gains_at_least<V: VariantRules>(
    position: &Position<V>,
    mv: InternalMove,
    threshold: i32,
) -> bool {
    let player = position.turn_index();
    let single = BitsOf::<V>::single;
    let mut piece_on_target = match mv.kind {
        MoveKind::Castling(_) => return threshold <= 0,
        MoveKind::Promotion(role) => role,
        kind => kind.role(),
    };
    let mut balance = material_gain(position, mv) - threshold;
    if balance < 0 {
        return false;
    }
    if balance >= piece_value(piece_on_target) {
        return true;
    }
    let mut occupied = position.occupied() & !single(mv.from) | single(mv.to);
    let mut is_movers_turn = true;
    loop {
        is_movers_turn = !is_movers_turn;
        // The side to capture already has enough, and need not capture again.
        if is_movers_turn == (balance >= 0) {
            return is_movers_turn;
        }
        let attackers = position.attackers_of(mv.to, occupied) & !single(mv.to);
        let own_attackers = attackers & position.owned(player);
        let (capturers, defenders) = if is_movers_turn {
            (own_attackers, attackers & !own_attackers)
        } else {
            (attackers & !own_attackers, own_attackers)
        };
        let least_valuable =
            Role::ALL.into_iter().find(|&role| !(capturers & position.role(role)).is_empty());
        let Some(role) = least_valuable else { break };
        if role == Role::King && !defenders.is_empty() {
            break;
        }
        balance += if is_movers_turn { piece_value(piece_on_target) } else { -piece_value(piece_on_target) };
        piece_on_target = role;
        occupied &= !single((capturers & position.role(role)).lowest());
    }
    // The side to capture has no piece left that could capture, so the balance is final.
    balance >= 0
}
