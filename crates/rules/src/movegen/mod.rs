//! Legal moves, for any board and any number of opponents.
//!
//! One generator serves all variants: opponents are a mask, the player to move is a const generic,
//! and a [`Sink`] receives the moves.

mod internal_move;
mod king;
mod legality;
mod list;
mod pawns;
mod sink;

pub use internal_move::{InternalMove, InternalMoveList, MoveKind};
pub use list::MoveList;
pub(crate) use sink::Counter;
pub use sink::{PawnMove, PawnTargets, Promotions, Sink};

use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::position::{BitsOf, Position, checkers_and_pinned};
use crate::role::Role;
use crate::variant::VariantRules;

/// The facts about the board that the generation of one player's moves needs.
struct Context<'a, V: VariantRules> {
    position: &'a Position<V>,
    own: BitsOf<V>,
    enemies: BitsOf<V>,
    occupied: BitsOf<V>,
    king: u8,
    /// Own pieces that shield the king: they may only move along the line to it (G6).
    pinned: BitsOf<V>,
    /// The squares where a piece other than the king may land: not on an own piece, not on a king
    /// (G5), and while in check only where that ends it.
    targets: BitsOf<V>,
}

impl<V: VariantRules> Position<V> {
    /// Passes every legal move of the player to move to a sink, always in the same order.
    pub fn generate<S: Sink<V>>(&self, sink: &mut S) {
        match self.turn_index() {
            0 => generate_for::<V, 0, S>(self, sink),
            1 => generate_for::<V, 1, S>(self, sink),
            2 if V::COLORS.len() > 2 => generate_for::<V, 2, S>(self, sink),
            3 if V::COLORS.len() > 2 => generate_for::<V, 3, S>(self, sink),
            _ => unreachable!("the turn is a index in the turn order"),
        }
    }
}

#[inline]
fn generate_for<V: VariantRules, const ME: usize, S: Sink<V>>(position: &Position<V>, sink: &mut S) {
    let own = position.colors[ME];
    let occupied = position.occupied();
    let enemies = occupied & !own;
    let king = position.king(ME);
    let (checkers, pinned) = checkers_and_pinned(position, ME, king, own, enemies, occupied);

    let landing = V::Geometry::TABLES.board & !own & !position.role(Role::King);
    let mut context = Context { position, own, enemies, occupied, king, pinned, targets: landing };
    let safe = king::walk::<V, ME, S>(&context, landing, sink);
    if checkers.is_empty() {
        if position.may_castle(ME) {
            king::castle::<V, ME, S>(&context, safe, sink);
        }
    } else if checkers.has_two() {
        return;
    } else {
        context.targets &= V::Geometry::between(king, checkers.lowest()) | checkers;
    }
    pieces::<V, ME, S>(&context, sink);
    pawns::advance::<V, ME, S>(&context, sink);
    pawns::capture_passed::<V, ME, S>(&context, sink);
}

/// Generates the moves of knights, bishops, rooks and queens.
#[inline(always)]
fn pieces<V: VariantRules, const ME: usize, S: Sink<V>>(context: &Context<'_, V>, sink: &mut S) {
    let free = context.own & !context.pinned;
    free_pieces::<V, ME, S>(Role::Knight, context, free, sink);
    free_pieces::<V, ME, S>(Role::Bishop, context, free, sink);
    free_pieces::<V, ME, S>(Role::Rook, context, free, sink);
    free_pieces::<V, ME, S>(Role::Queen, context, free, sink);
    if !(context.pinned & !context.position.role(Role::Pawn)).is_empty() {
        pinned_pieces::<V, ME, S>(context, sink);
    }
}

/// Generates the moves of pieces that are not pinned. Called once a role rather than in a loop, so
/// that the role is known at compile time.
#[inline(always)]
fn free_pieces<V: VariantRules, const ME: usize, S: Sink<V>>(
    role: Role,
    context: &Context<'_, V>,
    free: BitsOf<V>,
    sink: &mut S,
) {
    let set = context.position.role(role) & free;
    for word in 0..BitsOf::<V>::WORDS {
        for from in set.word(word) {
            if role == Role::Knight || !(first_steps::<V>(role, from) & !context.own).is_empty() {
                let targets = reach::<V>(role, from, context.occupied) & context.targets;
                sink.piece::<ME>(role, from, targets);
            }
        }
    }
}

/// Returns the squares next to a sliding piece in its directions. If its own side occupies them
/// all, the piece has no move: true of most in the opening, and cheaper to see than the ends of its
/// lines. Perft from the start takes 0.65 of the time in `dilkel` and 0.9 in `classic`; an open
/// position of `classic`, where it rarely helps, takes 1.07.
#[inline(always)]
fn first_steps<V: VariantRules>(role: Role, from: u8) -> BitsOf<V> {
    let tables = V::Geometry::TABLES;
    let near = tables.king[usize::from(from)];
    match role {
        Role::Bishop => near & tables.diagonal[usize::from(from)],
        Role::Rook => near & tables.orthogonal[usize::from(from)],
        _ => near,
    }
}

/// Generates the moves of pinned bishops, rooks and queens along their line; a pinned knight has
/// none.
#[inline(never)]
fn pinned_pieces<V: VariantRules, const ME: usize, S: Sink<V>>(context: &Context<'_, V>, sink: &mut S) {
    for role in [Role::Bishop, Role::Rook, Role::Queen] {
        (context.position.role(role) & context.pinned).for_each(|from| {
            let line = V::Geometry::line(context.king, from);
            let targets = reach::<V>(role, from, context.occupied) & context.targets & line;
            sink.piece::<ME>(role, from, targets);
        });
    }
}

/// Returns the cells that a piece attacks: empty cells and the first occupied one on each line. Not
/// for pawns, whose side matters ([`Tables::pawn`](crate::geometry::Tables)).
#[must_use]
#[inline(always)]
pub fn reach<V: VariantRules>(role: Role, from: u8, occupied: BitsOf<V>) -> BitsOf<V> {
    let tables = V::Geometry::TABLES;
    match role {
        Role::Knight => tables.knight[usize::from(from)],
        Role::Bishop => V::Geometry::bishop(from, occupied),
        Role::Rook => V::Geometry::rook(from, occupied),
        Role::Queen => V::Geometry::bishop(from, occupied) | V::Geometry::rook(from, occupied),
        Role::King => tables.king[usize::from(from)],
        Role::Pawn => unreachable!("pawns depend on their side"),
    }
}
