//! What comes of taking on a square until nobody takes back (static exchange evaluation).

use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::{Deed, PlacedMove};
use quadrex_rules::{Position, Role, VariantRules};

use crate::evaluation::piece_value;

/// What a move takes, in hundredths of a pawn.
pub(super) fn taken<V: VariantRules>(position: &Position<V>, mv: PlacedMove) -> i32 {
    match mv.deed {
        Deed::Castling(_) => 0,
        Deed::EnPassant => piece_value(Role::Pawn),
        _ if position.occupied().has(mv.to) => position.role_at(mv.to).map_or(0, piece_value),
        _ => 0,
    }
}

/// What a move takes, and what it makes of a pawn, in hundredths of a pawn.
pub(crate) fn takes<V: VariantRules>(position: &Position<V>, mv: PlacedMove) -> i32 {
    let promoted = match mv.deed {
        Deed::Promotion(role) => piece_value(role) - piece_value(Role::Pawn),
        _ => 0,
    };
    taken(position, mv) + promoted
}

/// Whether a move gains at least `least` hundredths of a pawn when each side goes on taking on its square with what is
/// worth least, as long as it pays.
///
/// The one who moves stands against all others together: of three opponents any may take back.
pub(super) fn gains<V: VariantRules>(position: &Position<V>, mv: PlacedMove, least: i32) -> bool {
    let me = position.turn_index();
    let single = <quadrex_rules::position::BitsOf<V> as Bits>::single;
    let mut standing = match mv.deed {
        Deed::Castling(_) => return least <= 0,
        Deed::Promotion(role) => role,
        deed => deed.role(),
    };
    let mut balance = takes(position, mv) - least;
    if balance < 0 {
        return false;
    }
    if balance >= piece_value(standing) {
        return true;
    }
    let mut occupied = position.occupied() & !single(mv.from) | single(mv.to);
    let mut mine = true;
    loop {
        mine = !mine;
        // Who is content with the balance need not take.
        if mine == (balance >= 0) {
            return mine;
        }
        let attackers = position.attackers_of(mv.to, occupied) & !single(mv.to);
        let own = attackers & position.owned(me);
        let (takers, answerers) = if mine { (own, attackers & !own) } else { (attackers & !own, own) };
        let role = Role::ALL.into_iter().find(|&role| !(takers & position.role(role)).is_empty());
        let Some(role) = role else { break };
        if role == Role::King && !answerers.is_empty() {
            break;
        }
        balance += if mine { piece_value(standing) } else { -piece_value(standing) };
        standing = role;
        occupied &= !single((takers & position.role(role)).lowest());
    }
    // Who cannot take has to live with the balance as it is.
    balance >= 0
}
