//! Receivers of generated moves.

use crate::bits::Bits;
use crate::castling_side::CastlingSide;
use crate::geometry::{Direction, Geometry};
use crate::position::{BitsOf, Position};
use crate::role::Role;
use crate::variant::{PromotionRule, VariantRules, side};

/// A receiver of the legal moves of one position.
///
/// It receives moves in sets, which may be empty. `MOVER` is the moving player's index in the turn
/// order.
pub trait Sink<V: VariantRules> {
    /// Receives moves of one knight, bishop, rook, queen or king.
    fn piece<const MOVER: usize>(&mut self, role: Role, from: u8, targets: BitsOf<V>);

    /// Receives moves of several pawns without promotion.
    fn pawns<const MOVER: usize>(&mut self, targets: PawnTargets<BitsOf<V>>);

    /// Receives promotions of several pawns. Each pawn may become any role of `choices`. The cell
    /// that a pawn leaves is its target cell plus `back`.
    fn promotions<const MOVER: usize>(&mut self, back: i16, targets: BitsOf<V>, choices: Promotions);

    /// Receives a capture en passant. `to` is the cell that the captured pawn skipped.
    fn en_passant<const MOVER: usize>(&mut self, from: u8, to: u8);

    /// Receives castling of the king from `from` to `to`.
    fn castling<const MOVER: usize>(&mut self, castling: CastlingSide, from: u8, to: u8);
}

/// The targets of pawns that are not promoted, by kind of move.
#[derive(Clone, Copy, Debug)]
pub struct PawnTargets<B> {
    /// Empty squares one step ahead.
    pub steps: B,
    /// Empty squares two steps ahead.
    pub double_steps: B,
    /// Squares of captured pieces, by direction in the order of [`Direction::captures`].
    pub captures: [B; 2],
}

impl<B: Copy> PawnTargets<B> {
    /// Returns each kind of move with its targets and with the offset from a target to the cell
    /// that the pawn leaves. `MOVER` is the moving player's index in the turn order.
    #[inline(always)]
    pub fn by_kind<V: VariantRules, const MOVER: usize>(self) -> [(PawnMove, i16, B); 4] {
        let forward = V::Geometry::stride(Direction::forward(side::<V>(MOVER)));
        let [left, right] = Direction::captures(side::<V>(MOVER)).map(V::Geometry::stride);
        [
            (PawnMove::Step, -forward, self.steps),
            (PawnMove::DoubleStep, -2 * forward, self.double_steps),
            (PawnMove::Capture, -left, self.captures[0]),
            (PawnMove::Capture, -right, self.captures[1]),
        ]
    }
}

/// The kind of a pawn move without promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PawnMove {
    /// One square forward.
    Step,
    /// Two squares forward.
    DoubleStep,
    /// A diagonal capture.
    Capture,
}

/// The roles to which a pawn may be promoted: always queen, and some of rook, bishop and knight
/// (rules C3, D5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promotions {
    rook: bool,
    bishop: bool,
    knight: bool,
}

impl Promotions {
    /// Returns the roles to which the pawns of `mover` may be promoted in `position`. `mover` is an
    /// index in the turn order.
    #[inline]
    pub(crate) fn of<V: VariantRules>(position: &Position<V>, mover: usize) -> Self {
        match V::PROMOTION {
            PromotionRule::Any => Self { rook: true, bishop: true, knight: true },
            PromotionRule::Reserve => {
                let reserve = position.reserve_of(mover);
                Self { rook: reserve.rooks > 0, bishop: reserve.bishops > 0, knight: reserve.knights > 0 }
            }
        }
    }

    /// Returns the number of roles.
    #[must_use]
    pub fn count(self) -> u32 {
        1 + u32::from(self.rook) + u32::from(self.bishop) + u32::from(self.knight)
    }

    /// Returns whether a pawn may be promoted to `role`.
    #[must_use]
    pub fn has(self, role: Role) -> bool {
        match role {
            Role::Queen => true,
            Role::Rook => self.rook,
            Role::Bishop => self.bishop,
            Role::Knight => self.knight,
            Role::Pawn | Role::King => false,
        }
    }

    /// Returns the roles, the queen first.
    pub fn roles(self) -> impl Iterator<Item = Role> {
        [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].into_iter().filter(move |&role| self.has(role))
    }
}

/// A sink that counts moves in sets, without visiting them one by one.
///
/// A square is a target at most 20 times: along eight lines, by eight knight moves and by four
/// kinds of pawn moves. A [`Bits::Tally`] can count a square 31 times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveCounter<V: VariantRules> {
    sets: <BitsOf<V> as Bits>::Tally,
    /// The number of promotions, captures en passant and castling moves.
    counted_singly: u64,
}

impl<V: VariantRules> MoveCounter<V> {
    /// Returns the number of legal moves of a position.
    #[inline(always)]
    pub(crate) fn count(position: &Position<V>) -> u64 {
        let mut counter = Self { sets: Default::default(), counted_singly: 0 };
        position.generate(&mut counter);
        BitsOf::<V>::total(counter.sets) + counter.counted_singly
    }
}

impl<V: VariantRules> Sink<V> for MoveCounter<V> {
    #[inline(always)]
    fn piece<const MOVER: usize>(&mut self, _: Role, _: u8, targets: BitsOf<V>) {
        targets.tally(&mut self.sets);
    }

    #[inline(always)]
    fn pawns<const MOVER: usize>(&mut self, targets: PawnTargets<BitsOf<V>>) {
        // Steps end on empty squares and captures on pieces, so that no square is in both sets.
        (targets.steps | targets.captures[0]).tally(&mut self.sets);
        (targets.double_steps | targets.captures[1]).tally(&mut self.sets);
    }

    #[inline(always)]
    fn promotions<const MOVER: usize>(&mut self, _: i16, targets: BitsOf<V>, choices: Promotions) {
        self.counted_singly += u64::from(targets.count() * choices.count());
    }

    #[inline(always)]
    fn en_passant<const MOVER: usize>(&mut self, _: u8, _: u8) {
        self.counted_singly += 1;
    }

    #[inline(always)]
    fn castling<const MOVER: usize>(&mut self, _: CastlingSide, _: u8, _: u8) {
        self.counted_singly += 1;
    }
}
