//! Equality of positions by the repetition rule, and the matching hash key (rule G10).

use super::attacks::can_capture_en_passant;
use super::{BitsOf, Position};
use crate::bits::Bits;
use crate::castling_side::CastlingSide;
use crate::geometry::Geometry;
use crate::role::Role;
use crate::variant::{VariantRules, opposite, side};
use crate::zobrist::KEYS;

/// Compares positions by the repetition rule (rule G10).
///
/// Equal positions have the same pieces on the same squares, the same player to move, the same
/// castling rights, the same possible en passant captures, the same players still in the match, and
/// the same reserves. The half-move clock, the number of the round, the color that began, en
/// passant rights that nobody can use, and the rook of a lost castling right are ignored.
impl<V: VariantRules> PartialEq for Position<V> {
    fn eq(&self, other: &Self) -> bool {
        self.roles == other.roles
            && self.colors == other.colors
            && self.turn == other.turn
            && self.castling == other.castling
            && self.active_players == other.active_players
            && self.reserves == other.reserves
            && (0..V::COLORS.len()).all(|color| {
                self.possible_en_passant(color) == other.possible_en_passant(color)
                    && CastlingSide::BOTH.into_iter().all(|castling| {
                        self.castling_rook(color, castling) == other.castling_rook(color, castling)
                    })
            })
    }
}

impl<V: VariantRules> Eq for Position<V> {}

impl<V: VariantRules> Position<V> {
    /// Returns a hash of the position. Equal positions (rule G10) have equal hashes, on every
    /// machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = self.key;
        for (color, keys) in KEYS.en_passant.iter().enumerate().take(V::COLORS.len()) {
            if let Some(passed) = self.possible_en_passant(color) {
                hash ^= keys[usize::from(passed)];
            }
        }
        hash
    }

    /// Returns the cell that a pawn of `color` skipped with a double step, if a capture en passant
    /// is possible (rule G10). If the capturing player is to move, the capture must be legal. If
    /// the turn of the capturing player comes later, this player must have a pawn that attacks the
    /// cell.
    pub(super) fn possible_en_passant(&self, color: usize) -> Option<u8> {
        let passed = self.passed(color)?;
        let capturer = opposite::<V>(color);
        let ready = V::Geometry::TABLES.pawn[side::<V>(color) as usize][usize::from(passed)]
            & self.role(Role::Pawn)
            & self.colors[capturer];
        let mut possible = !ready.is_empty();
        if possible && self.turn_index() == capturer {
            possible = false;
            ready.for_each(|from| possible |= can_capture_en_passant(self, capturer, from, passed));
        }
        possible.then_some(passed)
    }

    /// Computes the incremental part of the key from scratch.
    pub(super) fn key_from_scratch(&self) -> u64 {
        let mut key = KEYS.turn[self.turn_index()] ^ super::make::castling_key::<V>(self.castling);
        for color in 0..V::COLORS.len() {
            for role in Role::ALL {
                let pieces: BitsOf<V> = self.role(role) & self.colors[color];
                pieces.for_each(|cell| {
                    key ^= KEYS.pieces[color][role as usize][usize::from(cell)];
                });
            }
            if self.is_playing(color) {
                key ^= KEYS.active_players[color];
            }
            let reserve = self.reserves[color];
            let [knight, bishop, rook] = KEYS.reserve[color];
            key ^= knight.wrapping_mul(u64::from(reserve.knights))
                ^ bishop.wrapping_mul(u64::from(reserve.bishops))
                ^ rook.wrapping_mul(u64::from(reserve.rooks));
        }
        key
    }
}
