//! The verdict on a position after the turn has passed (RULES, "What is judged when the turn
//! passes").

use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::position::Position;
use crate::role::Role;
use crate::variant::{DefeatRule, VariantRules};

/// The verdict on the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The player has a legal move.
    Plays,
    /// The player is in check without a legal move (rules C4, D8).
    Mated,
    /// The player is not in check and has no legal move (rules C4, D9).
    Stalemated,
}

impl<V: VariantRules> Position<V> {
    /// Returns the verdict on the player to move.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.has_legal_move() {
            Verdict::Plays
        } else if self.checkers(self.turn_index()).is_empty() {
            Verdict::Stalemated
        } else {
            Verdict::Mated
        }
    }

    /// Returns true if a defeated player is eliminated while the other players play on, and false
    /// if a defeat ends the match.
    pub(crate) fn goes_on_after_defeat(&self) -> bool {
        V::DEFEAT == DefeatRule::Eliminates
    }

    /// Eliminates the player to move if this player is checkmated and checkmate eliminates a player
    /// in this variant (rule D8). Returns whether the player was eliminated.
    pub(crate) fn eliminate_if_mated(&mut self) -> bool {
        let goes_out = self.goes_on_after_defeat()
            && self.players_left() > 1
            && !self.checkers(self.turn_index()).is_empty()
            && !self.has_legal_move();
        if goes_out {
            self.eliminate(self.turn_index());
        }
        goes_out
    }

    /// Returns whether no player can checkmate any more. With two players left, this depends on the
    /// material (rule C5). With more players, it is true if only bare kings are left (rule D13).
    #[must_use]
    pub fn is_dead(&self) -> bool {
        let [pawns, knights, bishops, rooks, queens] =
            [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(|role| self.role(role));
        if !(pawns | rooks | queens).is_empty() {
            return false;
        }
        let minors = (knights | bishops).count();
        match self.players_left() {
            2 => minors < 2 || knights.is_empty() && self.stand_on_one_color(bishops),
            _ => minors == 0,
        }
    }

    /// Returns whether a color has only its king left (rule C6).
    #[must_use]
    pub(crate) fn has_bare_king(&self, color: usize) -> bool {
        self.colors[color].count() == 1
    }

    /// Returns whether all squares of a set have the same shade.
    fn stand_on_one_color(&self, set: <V::Geometry as Geometry>::Bits) -> bool {
        let mut seen = [false; 2];
        set.for_each(|cell| {
            let square = V::Geometry::square(cell);
            seen[usize::from((square.file() + square.rank()) % 2)] = true;
        });
        seen != [true, true]
    }
}
