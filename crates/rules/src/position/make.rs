//! Changes of a position: moves and eliminations.

use core::num::NonZeroU8;

use super::{BitsOf, Position};
use crate::bits::Bits;
use crate::castling_side::CastlingSide;
use crate::geometry::{Direction, Geometry};
use crate::role::Role;
use crate::variant::{DefeatRule, PromotionRule, VariantRules, opposite, side};
use crate::zobrist::KEYS;

impl<V: VariantRules> Position<V> {
    /// Moves a knight, bishop, rook, queen or king of `mover`, and passes the turn.
    #[inline(always)]
    pub(crate) fn make_piece(&mut self, mover: usize, role: Role, from: u8, to: u8) {
        self.clock += 1;
        self.capture(mover, to);
        self.move_piece(mover, role, from, to);
        if role == Role::King {
            self.kings[mover] = to;
            self.remove_castling_rights(3 << (2 * mover));
        } else if role == Role::Rook {
            self.remove_castling_right_of_rook(mover, from);
        }
        self.end_turn(mover);
    }

    /// Moves a pawn of `mover` one square forward or diagonally onto a piece, and passes the turn.
    #[inline(always)]
    pub(crate) fn make_pawn(&mut self, mover: usize, from: u8, to: u8) {
        self.capture(mover, to);
        self.move_piece(mover, Role::Pawn, from, to);
        self.clock = 0;
        self.end_turn(mover);
    }

    /// Moves a pawn of `mover` two squares and passes the turn. The opposite player may capture it
    /// en passant on its next turn (rules C2, D3).
    #[inline(always)]
    pub(crate) fn make_double_step(&mut self, mover: usize, from: u8, to: u8) {
        self.move_piece(mover, Role::Pawn, from, to);
        self.clock = 0;
        self.end_turn(mover);
        if self.is_playing(opposite::<V>(mover)) {
            self.passed[mover] = NonZeroU8::new(V::Geometry::ahead(side::<V>(mover), from));
        }
    }

    /// Moves a pawn of `mover` to a baseline where it becomes `role`, and passes the turn.
    #[inline(always)]
    pub(crate) fn make_promotion(&mut self, mover: usize, from: u8, to: u8, role: Role) {
        self.capture(mover, to);
        self.toggle(mover, Role::Pawn, from);
        self.toggle(mover, role, to);
        if V::PROMOTION == PromotionRule::Reserve {
            self.change_reserve(mover, role, u8::wrapping_sub);
        }
        self.clock = 0;
        self.end_turn(mover);
    }

    /// Captures en passant the pawn that the player opposite `mover` has moved two squares, and
    /// passes the turn.
    #[inline(always)]
    pub(crate) fn make_en_passant(&mut self, mover: usize, from: u8, to: u8) {
        let victim = opposite::<V>(mover);
        self.toggle(victim, Role::Pawn, V::Geometry::ahead(side::<V>(victim), to));
        self.move_piece(mover, Role::Pawn, from, to);
        self.clock = 0;
        self.end_turn(mover);
    }

    /// Castles and passes the turn. The king moves two squares toward the rook, and the rook moves
    /// to the square that the king crossed.
    #[inline(always)]
    pub(crate) fn make_castling(&mut self, mover: usize, castling: CastlingSide) {
        let (king, rook) = (self.kings[mover], self.rooks[mover][castling as usize]);
        let (crossed, reached) = castling_path::<V>(king, rook);
        self.clock += 1;
        self.move_piece(mover, Role::King, king, reached);
        self.move_piece(mover, Role::Rook, rook, crossed);
        self.kings[mover] = reached;
        self.remove_castling_rights(3 << (2 * mover));
        self.end_turn(mover);
    }

    /// Eliminates a player who is still in the match (rules D8, D11). The player's pieces leave the
    /// board. If the player was to move, the turn passes. The half-move clock restarts (rule D14).
    pub fn eliminate(&mut self, color: usize) {
        for role in Role::ALL {
            (self.role(role) & self.colors[color]).for_each(|cell| self.toggle(color, role, cell));
        }
        for role in [Role::Knight, Role::Bishop, Role::Rook] {
            self.change_reserve(color, role, |_, _| 0);
        }
        self.remove_castling_rights(3 << (2 * color));
        self.passed[color] = None;
        self.passed[opposite::<V>(color)] = None;
        self.clock = 0;
        if self.turn_index() == color {
            self.pass_turn(color);
        }
        self.active_players &= !(1 << color);
        self.key ^= KEYS.active_players[color];
    }

    /// Passes the turn without a move, for the null moves of a search. En passant rights expire as
    /// after a move. The player to move must not be in check.
    pub fn pass(&mut self) {
        self.clock += 1;
        self.end_turn(self.turn_index());
    }

    /// Puts a piece on an empty cell, or removes the piece from its cell.
    #[inline(always)]
    pub(super) fn toggle(&mut self, color: usize, role: Role, cell: u8) {
        let bit = BitsOf::<V>::single(cell);
        self.colors[color] ^= bit;
        self.roles[role as usize] ^= bit;
        self.key ^= KEYS.pieces[color][role as usize][usize::from(cell)];
    }

    #[inline(always)]
    fn move_piece(&mut self, color: usize, role: Role, from: u8, to: u8) {
        let bits = BitsOf::<V>::single(from) | BitsOf::<V>::single(to);
        self.colors[color] ^= bits;
        self.roles[role as usize] ^= bits;
        let keys = &KEYS.pieces[color][role as usize];
        self.key ^= keys[usize::from(from)] ^ keys[usize::from(to)];
    }

    /// Removes the piece of another color on the cell that `mover` moves to.
    #[inline(always)]
    fn capture(&mut self, mover: usize, cell: u8) {
        for color in 0..V::COLORS.len() {
            if color != mover && self.colors[color].has(cell) {
                self.remove_captured(color, cell);
                return;
            }
        }
    }

    #[inline]
    fn remove_captured(&mut self, color: usize, cell: u8) {
        let role = self.role_at(cell).expect("a cell of a color holds a piece");
        self.toggle(color, role, cell);
        self.clock = 0;
        if V::PROMOTION == PromotionRule::Reserve {
            self.change_reserve(color, role, u8::wrapping_add);
        }
        if role == Role::Rook {
            self.remove_castling_right_of_rook(color, cell);
        }
    }

    /// Changes the number of pieces of a role in a reserve by one. Queens and pawns are not counted
    /// (rule D5).
    #[inline(always)]
    pub(super) fn change_reserve(&mut self, color: usize, role: Role, change: fn(u8, u8) -> u8) {
        let reserve = &mut self.reserves[color];
        let (count, key) = match role {
            Role::Knight => (&mut reserve.knights, KEYS.reserve[color][0]),
            Role::Bishop => (&mut reserve.bishops, KEYS.reserve[color][1]),
            Role::Rook => (&mut reserve.rooks, KEYS.reserve[color][2]),
            Role::Pawn | Role::Queen | Role::King => return,
        };
        self.key ^= key.wrapping_mul(u64::from(*count));
        *count = change(*count, 1);
        self.key ^= key.wrapping_mul(u64::from(*count));
    }

    /// Removes the castling right of a rook that moved from a cell or was captured there (rule G8).
    #[inline(always)]
    fn remove_castling_right_of_rook(&mut self, color: usize, cell: u8) {
        for castling in CastlingSide::BOTH {
            if self.rooks[color][castling as usize] == cell {
                self.remove_castling_rights(castling.bit(color));
            }
        }
    }

    #[inline(always)]
    fn remove_castling_rights(&mut self, rights: u8) {
        let dropped = self.castling & rights;
        if dropped != 0 {
            self.castling ^= dropped;
            self.key ^= castling_key::<V>(dropped);
        }
    }

    /// Ends the turn after a move of `mover`: removes expired en passant rights, and passes the
    /// turn to the next player.
    #[inline(always)]
    fn end_turn(&mut self, mover: usize) {
        for color in 0..V::COLORS.len() {
            if color != mover && self.passed[color].is_some() {
                self.expire_en_passant(mover, color);
            }
        }
        self.pass_turn(mover);
    }

    /// Removes the right to capture a pawn of `color` en passant if it has expired with a move of
    /// `mover` (rule D3): the opposite player's turn is over, the pawn has been captured, or a
    /// piece stands on the skipped square.
    #[inline]
    fn expire_en_passant(&mut self, mover: usize, color: usize) {
        let Some(passed) = self.passed(color) else { return };
        let pawn = V::Geometry::ahead(side::<V>(color), passed);
        let stands = self.role(Role::Pawn).has(pawn) && self.colors[color].has(pawn);
        if mover == opposite::<V>(color) || !stands || self.occupied().has(passed) {
            self.passed[color] = None;
        }
    }

    /// Returns the player whose turn follows that of `mover`.
    #[inline(always)]
    pub(super) fn next_player(&self, mover: usize) -> usize {
        let count = V::COLORS.len();
        let mut next = (mover + 1) % count;
        while V::DEFEAT == DefeatRule::Eliminates && !self.is_playing(next) {
            next = (next + 1) % count;
        }
        next
    }

    #[inline(always)]
    fn pass_turn(&mut self, mover: usize) {
        let (count, next) = (V::COLORS.len(), self.next_player(mover));
        let turns_after_beginner = |color: usize| (color + count - usize::from(self.beginner)) % count;
        if turns_after_beginner(next) <= turns_after_beginner(mover) {
            self.number = self.number.map(|number| number.saturating_add(1));
        }
        self.key ^= KEYS.turn[mover] ^ KEYS.turn[next];
        self.turn = next as u8;
    }
}

/// Returns the square that a castling king crosses, and the square that it reaches (rule G8).
#[inline(always)]
pub(crate) fn castling_path<V: VariantRules>(king: u8, rook: u8) -> (u8, u8) {
    let direction: Direction = V::Geometry::direction(king, rook);
    let stride = V::Geometry::stride(direction) as i8;
    let crossed = king.wrapping_add_signed(stride);
    (crossed, crossed.wrapping_add_signed(stride))
}

/// Returns the key of a set of castling rights.
pub(super) fn castling_key<V: VariantRules>(rights: u8) -> u64 {
    let mut key = 0;
    for (color, keys) in KEYS.castling.iter().enumerate().take(V::COLORS.len()) {
        for castling in CastlingSide::BOTH {
            if rights & castling.bit(color) != 0 {
                key ^= keys[castling as usize];
            }
        }
    }
    key
}
