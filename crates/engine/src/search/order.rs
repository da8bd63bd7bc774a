//! In which order moves are looked at, and how much less deep the later ones.

use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::{Deed, PlacedMove};
use quadrex_rules::{Position, Role, VariantRules};

use super::{Worker, exchange, is_promotion};
use crate::evaluation::{Valued, piece_value};
use crate::table::MoveKey;

/// The rank of the move that is known to be best, from an earlier look.
const KNOWN: i32 = 4_000_000;
/// Captures that lose nothing are ranked from here on.
pub(super) const GOOD: i32 = 1_000_000;
const KILLER: i32 = 900_000;
/// Captures that lose something are ranked around here.
const LOSING: i32 = -1_000_000;

/// Whether a move neither takes nor promotes.
pub(super) fn is_quiet<V: VariantRules>(position: &Position<V>, mv: PlacedMove) -> bool {
    !position.occupied().has(mv.to) && !is_promotion(mv) && mv.deed != Deed::EnPassant
}

/// Brings the move of the highest rank from `index` on to `index`; of equals the first.
pub(super) fn bring_best(moves: &mut [PlacedMove], ranks: &mut [i32], index: usize) {
    // The highest first and then where it stands: so both loops are without a branch.
    let rest = &ranks[index..];
    let highest = rest.iter().copied().fold(i32::MIN, i32::max);
    let best = index + rest.iter().position(|&rank| rank == highest).unwrap_or(0);
    moves.swap(index, best);
    ranks.swap(index, best);
}

/// How many plies less deep a late move is looked at first.
pub(super) fn reduction(depth: i32, index: usize) -> i32 {
    // 0.7 + ln(depth) ln(index) / 2.3, by logarithms to the base 2 in sixteenths.
    let log = |value: u32| {
        let whole = value.ilog2();
        (whole * 16 + ((value << 4 >> whole) - 16)) as i32
    };
    let product = log(depth.max(1) as u32) * log(index.max(1) as u32);
    (180 + product * 53 / 256) / 256
}

impl<V: Valued> Worker<'_, V> {
    /// Ranks moves: the known one, captures of much by little, killers, quiet ones by what was good elsewhere, losing
    /// captures.
    pub(super) fn rank(
        &self,
        position: &Position<V>,
        moves: &[PlacedMove],
        ranks: &mut Vec<i32>,
        known: MoveKey,
        ply: usize,
    ) {
        let color = position.turn_index();
        let before = self.before(ply);
        let killers = self.frames[ply].killers;
        let is_mine = color == self.me;
        ranks.clear();
        ranks.extend(moves.iter().map(|&mv| {
            let key = MoveKey::from(mv);
            if key == known {
                KNOWN
            } else if !is_quiet(position, mv) {
                let taken = exchange::taken(position, mv);
                // Opponents who take from each other do the one who asks no harm.
                let harmless = !is_mine && taken > 0 && !position.owned(self.me).has(mv.to);
                let promoted = match mv.deed {
                    Deed::Promotion(Role::Queen) => 800,
                    Deed::Promotion(_) => -500,
                    _ => 0,
                };
                let gain = 16 * (taken + promoted) - piece_value(mv.deed.role()).min(1_000);
                if harmless {
                    gain
                } else if taken >= piece_value(mv.deed.role()) || exchange::gains(position, mv, 0) {
                    GOOD + gain
                } else {
                    LOSING + gain
                }
            } else if key == killers[0] {
                KILLER
            } else if key == killers[1] {
                KILLER - 1
            } else {
                self.history.get(color, before, mv)
            }
        }));
    }
}
