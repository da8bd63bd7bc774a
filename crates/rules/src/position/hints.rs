//! Facts that explain the rules to the players: pins, mates to come, and captures that are legal in
//! ordinary chess but not here.

use alloc::vec::Vec;

use super::attacks::checkers_and_pinned;
use super::{BitsOf, Position};
use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::Geometry;
use crate::mv::Move;
use crate::role::Role;
use crate::square::Square;
use crate::variant::{VariantRules, opposite, side};
use crate::verdict::Verdict;

impl<V: VariantRules> Position<V> {
    /// The pinned pieces of the player to move, in the order of squares. A pinned piece is the only
    /// piece between its king and an attacker (rule G6).
    pub fn pinned(&self) -> impl Iterator<Item = Square> + use<V> {
        let me = self.turn_index();
        let (own_pieces, occupied) = (self.colors[me], self.occupied());
        let (_, pinned) =
            checkers_and_pinned(self, me, self.king(me), own_pieces, occupied & !own_pieces, occupied);
        (0..BitsOf::<V>::WORDS).flat_map(move |word| pinned.word(word)).map(V::Geometry::square)
    }

    /// The players, without the player to move, who would be mated if it were their turn now (rule
    /// D8). The list is in turn order from White or Red. Players whose turn comes earlier may still
    /// prevent the mate.
    pub fn facing_mate(&self) -> impl Iterator<Item = Color> + '_ {
        let waiting_players = self.checks().filter(|color| color.index() != self.turn_index());
        waiting_players.filter(|color| self.on_turn_of(color.index()).verdict() == Verdict::Mated)
    }

    /// Returns the captures en passant of a neighbor's pawn that the player to move could make if
    /// rule D3 allowed them. The rule allows only the capture of the opposite player's pawn. The
    /// captured pawn has just advanced two squares.
    #[must_use]
    pub fn neighbor_en_passant(&self) -> Vec<Move> {
        let me = self.turn_index();
        let mut captures = Vec::new();
        for color in (0..V::COLORS.len()).filter(|&color| color != me && color != opposite::<V>(me)) {
            let Some(passed) = self.passed(color) else { continue };
            let back = (side::<V>(me) as usize + 2) % 4;
            let ready =
                V::Geometry::TABLES.pawn[back][usize::from(passed)] & self.role(Role::Pawn) & self.colors[me];
            ready.for_each(|from| {
                captures.push(Move::new(V::Geometry::square(from), V::Geometry::square(passed)));
            });
        }
        captures
    }

    /// Returns this position with another player to move. It is used to find the moves and mates of
    /// that player. Play never continues from it.
    fn on_turn_of(&self, color: usize) -> Self {
        let mut position = *self;
        position.turn = color as u8;
        position
    }
}
