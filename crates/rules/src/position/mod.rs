//! A playable position.

mod attacks;
mod equality;
mod hints;
mod make;
mod stalemates;
mod to_setup;
mod validation;

pub(crate) use attacks::{attackers, can_capture_en_passant, checkers_and_pinned, is_attacked};
pub(crate) use make::castling_path;

use core::num::{NonZeroU8, NonZeroU32};

use crate::bits::Bits;
use crate::castling_side::CastlingSide;
use crate::color::Color;
use crate::geometry::Geometry;
use crate::reserve::Reserve;
use crate::role::{Piece, Role};
use crate::square::Square;
use crate::variant::VariantRules;

/// The set type of a variant's board.
pub type BitsOf<V> = <<V as VariantRules>::Geometry as Geometry>::Bits;

/// A playable position of one variant.
///
/// It is made from a [`Setup`](crate::Setup), and changed by legal moves and eliminations. All
/// state is updated incrementally, without allocation.
///
/// Equality follows the repetition rule (rule G10).
#[derive(Clone, Copy, Debug)]
pub struct Position<V: VariantRules> {
    /// Cells by role.
    pub(crate) roles: [BitsOf<V>; 6],
    /// Cells by owner.
    pub(crate) colors: V::PerColor<BitsOf<V>>,
    /// The hash without en passant rights. En passant rights count only if a capture is possible
    /// (rule G10), so [`Position::hash`] adds them to this key.
    key: u64,
    /// The cell of each king. Meaningless for an eliminated player.
    kings: V::PerColor<u8>,
    /// The cells of the rooks that may castle, by castling side. Meaningless if the castling right
    /// does not exist.
    rooks: V::PerColor<[u8; 2]>,
    /// For each color, the cell that a pawn of this color skipped with a double step, if the pawn
    /// may be captured en passant there (rules C2, D3).
    passed: V::PerColor<Option<NonZeroU8>>,
    reserves: V::PerColor<Reserve>,
    /// The castling rights: two bits for each color, the short side first.
    castling: u8,
    turn: u8,
    /// The players still in the match: one bit for each color.
    active_players: u8,
    /// The index of the color whose move starts a round.
    beginner: u8,
    /// The number of plies since the last pawn move, capture or elimination.
    clock: u32,
    /// The number of the round, if known.
    number: Option<NonZeroU32>,
}

impl<V: VariantRules> Position<V> {
    /// The player to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        V::COLORS[usize::from(self.turn)]
    }

    /// The index of the player to move in the turn order.
    #[must_use]
    #[inline(always)]
    pub fn turn_index(&self) -> usize {
        usize::from(self.turn)
    }

    /// Returns the piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        if !V::Geometry::SHAPE.contains(square) {
            return None;
        }
        let cell = V::Geometry::cell(square);
        let color = V::COLORS.iter().find(|color| self.colors[color.index()].has(cell))?;
        let role = self.role_at(cell)?;
        Some(Piece { color: *color, role })
    }

    /// Every piece with its square, in the order of squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        V::Geometry::SHAPE.squares().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// Returns the squares whose content differs between the two positions, with their present
    /// content, in the order of cells.
    pub fn changed_since<'a>(
        &'a self,
        before: &Self,
    ) -> impl Iterator<Item = (Square, Option<Piece>)> + use<'a, V> {
        let mut changed = BitsOf::<V>::EMPTY;
        for (now, then) in self.roles.iter().zip(&before.roles) {
            changed |= *now ^ *then;
        }
        for color in 0..V::COLORS.len() {
            changed |= self.colors[color] ^ before.colors[color];
        }
        let cells = (0..BitsOf::<V>::WORDS).flat_map(move |index| changed.word(index));
        cells.map(V::Geometry::square).map(|square| (square, self.piece_at(square)))
    }

    /// The players still in the match, in turn order from White or Red.
    pub fn active_players(&self) -> impl Iterator<Item = Color> + '_ {
        V::COLORS.iter().copied().filter(|color| self.is_playing(color.index()))
    }

    /// Returns the number of players still in the match.
    #[must_use]
    pub fn players_left(&self) -> u32 {
        self.active_players.count_ones()
    }

    /// The colors whose king is attacked by a player still in the match, in turn order (rule G7).
    pub fn checks(&self) -> impl Iterator<Item = Color> + '_ {
        self.active_players().filter(|color| !self.checkers(color.index()).is_empty())
    }

    /// The players whose pieces attack the king of `color`, in turn order. Empty for an eliminated
    /// player and for a color of another variant.
    pub fn checked_by(&self, color: Color) -> impl Iterator<Item = Color> + '_ {
        let has_king = V::COLORS.contains(&color) && self.is_playing(color.index());
        let checkers = if has_king { self.checkers(color.index()) } else { BitsOf::<V>::EMPTY };
        self.active_players().filter(move |other| !(self.colors[other.index()] & checkers).is_empty())
    }

    /// Returns every attack on the king of a player still in the match (rule G7), as the attacker's
    /// square and the king's square. The kings are in turn order. The attackers of the same king
    /// are in the order of squares.
    pub fn attacks_on_kings(&self) -> impl Iterator<Item = (Square, Square)> + '_ {
        self.active_players().flat_map(|color| {
            let king = V::Geometry::square(self.king(color.index()));
            let checkers = self.checkers(color.index());
            (0..BitsOf::<V>::WORDS)
                .flat_map(move |word| checkers.word(word))
                .map(move |checker| (V::Geometry::square(checker), king))
        })
    }

    /// Returns the pieces that a promotion may bring back (rule D5). The reserve is empty in
    /// `classic`, for eliminated players and for colors of other variants.
    #[must_use]
    pub fn reserve(&self, color: Color) -> Reserve {
        if V::COLORS.contains(&color) { self.reserves[color.index()] } else { Reserve::EMPTY }
    }

    /// The number of plies since the last pawn move, capture or elimination (rule D14).
    #[must_use]
    pub fn halfmove_clock(&self) -> u32 {
        self.clock
    }

    /// Returns whether the color with this index in the turn order is still in the match.
    #[must_use]
    #[inline(always)]
    pub fn is_playing(&self, color: usize) -> bool {
        self.active_players >> color & 1 != 0
    }

    /// Returns the reserve of the color with this index in the turn order.
    #[must_use]
    #[inline(always)]
    pub fn reserve_of(&self, color: usize) -> Reserve {
        self.reserves[color]
    }

    /// Returns the cell of the king of a player still in the match.
    #[must_use]
    #[inline(always)]
    pub fn king(&self, color: usize) -> u8 {
        self.kings[color]
    }

    /// The cells of all pieces.
    #[must_use]
    #[inline(always)]
    pub fn occupied(&self) -> BitsOf<V> {
        let mut occupied = self.colors[0];
        for color in 1..V::COLORS.len() {
            occupied |= self.colors[color];
        }
        occupied
    }

    /// The cells of one role.
    #[must_use]
    #[inline(always)]
    pub fn role(&self, role: Role) -> BitsOf<V> {
        self.roles[role as usize]
    }

    /// The cells of one color, by its index in the turn order.
    #[must_use]
    #[inline(always)]
    pub fn owned(&self, color: usize) -> BitsOf<V> {
        self.colors[color]
    }

    /// Returns the pieces of every color that attack a cell, on a board where only the cells of
    /// `occupied` are occupied. A piece also attacks through a cell that is occupied in this
    /// position but not in `occupied`.
    #[must_use]
    #[inline]
    pub fn attackers_of(&self, cell: u8, occupied: BitsOf<V>) -> BitsOf<V> {
        attackers(self, V::COLORS.len(), cell, occupied, occupied)
    }

    /// Returns the role of the piece on a cell.
    #[must_use]
    #[inline(always)]
    pub fn role_at(&self, cell: u8) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.role(role).has(cell))
    }

    /// Returns the pieces that attack the king of a player still in the match.
    #[must_use]
    pub fn checkers(&self, color: usize) -> BitsOf<V> {
        let occupied = self.occupied();
        attackers(self, color, self.king(color), occupied & !self.colors[color], occupied)
    }

    /// Returns the rook of a castling right, if the right still exists.
    #[inline(always)]
    pub(crate) fn castling_rook(&self, color: usize, castling: CastlingSide) -> Option<u8> {
        (self.castling & castling.bit(color) != 0).then(|| self.rooks[color][castling as usize])
    }

    /// Returns whether a color has any castling right.
    #[inline(always)]
    pub(crate) fn may_castle(&self, color: usize) -> bool {
        self.castling >> (2 * color) & 3 != 0
    }

    /// Returns the cell that a pawn of `color` skipped with a double step, if the pawn may be
    /// captured en passant there.
    #[must_use]
    #[inline(always)]
    pub fn passed(&self, color: usize) -> Option<u8> {
        self.passed[color].map(NonZeroU8::get)
    }
}
