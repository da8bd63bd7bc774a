//! The moves that end a match because the next player is stalemated.

use alloc::vec::Vec;

use super::attacks::checkers_and_pinned;
use super::{BitsOf, Position};
use crate::bits::Bits;
use crate::geometry::{Direction, Geometry};
use crate::movegen::{first_steps, promotion_zone, reach};
use crate::mv::Move;
use crate::role::Role;
use crate::variant::{VariantRules, opposite, side};
use crate::verdict::Verdict;

/// The number of pieces of another player, without the king, that a move can deprive of their moves
/// if it gives no check: it captures one, pins one, unveils a pin of another, and blocks one pawn.
/// En passant and castling can do more.
const MAX_IMMOBILIZED: u32 = 4;

impl<V: VariantRules> Position<V> {
    /// Returns those of `legal_moves` that end the match as a draw because the next player is
    /// stalemated (rules C4, D9), in their order. `legal_moves` are the moves of
    /// [`Position::legal_moves`].
    ///
    /// Most moves need not be made to see that they do not stalemate. A next player with many
    /// mobile pieces is stalemated only behind a mate: that player is mated and eliminated, and the
    /// player after is stalemated. This needs a check.
    #[must_use]
    pub fn stalemating_moves(&self, legal_moves: &[Move]) -> Vec<Move> {
        let checks = PossibleChecks::of(self, self.next_player(self.turn_index()));
        let needs_check = checks.as_ref().is_some_and(|checks| self.remains_mobile(checks));
        let is_candidate = |mv: &Move| match &checks {
            Some(checks) if needs_check => checks.contains(self, *mv),
            _ => true,
        };
        legal_moves.iter().copied().filter(is_candidate).filter(|&mv| self.stalemates(mv)).collect()
    }

    /// Returns whether a legal move ends the match because the next player is stalemated.
    fn stalemates(&self, mv: Move) -> bool {
        let mut after = *self;
        after.play(mv);
        after.players_left() > 1 && !after.is_dead() && after.verdict() == Verdict::Stalemated
    }

    /// Returns whether the next player has a legal move after every move that gives no check, other
    /// than en passant and castling. If it returns false, this is unknown.
    fn remains_mobile(&self, checks: &PossibleChecks<V>) -> bool {
        let color = checks.of;
        let own = self.colors[color];
        let (unpinned, kings) = (own & !checks.shields, self.role(Role::King));
        let forward = Direction::forward(side::<V>(color));
        let pawns = V::Geometry::step(unpinned & self.role(Role::Pawn), forward);
        let steps = pawns & V::Geometry::TABLES.board & !self.occupied() & !promotion_zone::<V>(color);
        let mut mobile = steps.count();
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            if mobile > MAX_IMMOBILIZED {
                return true;
            }
            (self.role(role) & unpinned).for_each(|from| {
                let targets = match role {
                    Role::Knight => V::Geometry::TABLES.knight[usize::from(from)],
                    _ => first_steps::<V>(role, from),
                };
                mobile += u32::from(!(targets & !own & !kings).is_empty());
            });
        }
        mobile > MAX_IMMOBILIZED
    }
}

/// The squares by which a move can give check to one player. Some of these moves give no check.
struct PossibleChecks<V: VariantRules> {
    /// The player, as an index in the turn order.
    of: usize,
    /// The pieces of all colors that alone stand between the king and an enemy slider.
    shields: BitsOf<V>,
    /// The squares from which a pawn of the player to move attacks the king.
    pawn: BitsOf<V>,
    knight: BitsOf<V>,
    diagonal: BitsOf<V>,
    orthogonal: BitsOf<V>,
}

impl<V: VariantRules> PossibleChecks<V> {
    /// Returns the squares, or `None` if the player is in check already.
    fn of(position: &Position<V>, of: usize) -> Option<Self> {
        let (king, occupied) = (position.king(of), position.occupied());
        let enemies = occupied & !position.colors[of];
        let (checkers, shields) = checkers_and_pinned(position, of, king, occupied, enemies, occupied);
        let back = (side::<V>(position.turn_index()) as usize + 2) % 4;
        checkers.is_empty().then(|| Self {
            of,
            shields,
            pawn: V::Geometry::TABLES.pawn[back][usize::from(king)],
            knight: V::Geometry::TABLES.knight[usize::from(king)],
            diagonal: reach::<V>(Role::Bishop, king, occupied),
            orthogonal: reach::<V>(Role::Rook, king, occupied),
        })
    }

    /// Returns whether a legal move of the player to move may give check. Promotions, en passant
    /// and castling are not examined and always may.
    fn contains(&self, position: &Position<V>, mv: Move) -> bool {
        let (from, to) = (V::Geometry::cell(mv.from), V::Geometry::cell(mv.to));
        if mv.promotion.is_some() || self.shields.has(from) {
            return true;
        }
        match position.role_at(from) {
            Some(Role::Pawn) => {
                let passed = position.passed(opposite::<V>(position.turn_index()));
                self.pawn.has(to) || passed == Some(to)
            }
            Some(Role::Knight) => self.knight.has(to),
            Some(Role::Bishop) => self.diagonal.has(to),
            Some(Role::Rook) => self.orthogonal.has(to),
            Some(Role::Queen) => self.diagonal.has(to) || self.orthogonal.has(to),
            Some(Role::King) => !V::Geometry::TABLES.king[usize::from(from)].has(to),
            None => true,
        }
    }
}
