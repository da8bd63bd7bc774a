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

/// Returns the material that a move gains at once, by capture and promotion, in centipawns.
pub(crate) fn material_gain<V: VariantRules>(position: &Position<V>, mv: InternalMove) -> i32 {
    let promotion = match mv.kind {
        MoveKind::Promotion(role) => piece_value(role) - piece_value(Role::Pawn),
        _ => 0,
    };
    captured_value(position, mv) + promotion
}

/// Returns whether a move gains at least `threshold` centipawns when both sides go on capturing on
/// its square with their least valuable piece for as long as it pays.
///
/// The player who moves stands against all others together: any of three opponents may recapture.
pub(super) fn gains<V: VariantRules>(position: &Position<V>, mv: InternalMove, threshold: i32) -> bool {
    let me = position.turn_index();
    let single = BitsOf::<V>::single;
    let mut standing = match mv.kind {
        MoveKind::Castling(_) => return threshold <= 0,
        MoveKind::Promotion(role) => role,
        kind => kind.role(),
    };
    let mut balance = material_gain(position, mv) - threshold;
    if balance < 0 {
        return false;
    }
    if balance >= piece_value(standing) {
        return true;
    }
    let mut occupied = position.occupied() & !single(mv.from) | single(mv.to);
    let mut is_mine = true;
    loop {
        is_mine = !is_mine;
        // A side that is content with the balance need not capture.
        if is_mine == (balance >= 0) {
            return is_mine;
        }
        let attackers = position.attackers_of(mv.to, occupied) & !single(mv.to);
        let own = attackers & position.owned(me);
        let (capturers, defenders) = if is_mine { (own, attackers & !own) } else { (attackers & !own, own) };
        let least = Role::ALL.into_iter().find(|&role| !(capturers & position.role(role)).is_empty());
        let Some(role) = least else { break };
        if role == Role::King && !defenders.is_empty() {
            break;
        }
        balance += if is_mine { piece_value(standing) } else { -piece_value(standing) };
        standing = role;
        occupied &= !single((capturers & position.role(role)).lowest());
    }
    // A side that cannot capture has to live with the balance.
    balance >= 0
}
