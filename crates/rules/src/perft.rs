//! Perft: counting legal move sequences (RULES, "Counting sequences").

use crate::bits::Bits;
use crate::castling_side::CastlingSide;
use crate::movegen::{MoveCounter, PawnMove, PawnTargets, Promotions, Sink};
use crate::position::{BitsOf, Position};
use crate::role::Role;
use crate::variant::VariantRules;

impl<V: VariantRules> Position<V> {
    /// Returns the number of legal move sequences of `depth` moves.
    ///
    /// A promotion counts as one move for each role to which the pawn may be promoted. A player who
    /// is checkmated on its turn is eliminated as part of the previous move (rule D8). A player who
    /// is checkmated at the start is eliminated first, as when a set-up is loaded (rule S1).
    ///
    /// A sequence ends early if nobody can move or one player is left. Draws by dead position,
    /// repetition or move count do not end a sequence.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        sequences_from(self, depth, Leaves::Counted)
    }

    /// Returns the same number as [`Self::perft`], but makes every single move. This function is
    /// slower. Tests compare the results of the two functions.
    #[must_use]
    pub fn perft_by_making(&self, depth: u32) -> u64 {
        sequences_from(self, depth, Leaves::Made)
    }
}

/// Counts the sequences from any position, including a position with a single player left.
fn sequences_from<V: VariantRules>(position: &Position<V>, depth: u32, leaves: Leaves) -> u64 {
    match depth {
        0 => 1,
        _ if position.players_left() < 2 => 0,
        _ => sequences(position, depth, leaves),
    }
}

/// The treatment of the moves of the last ply.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaves {
    /// The moves are counted in sets.
    Counted,
    /// Every move is made.
    Made,
}

/// Counts the sequences of one move or more.
fn sequences<V: VariantRules>(position: &Position<V>, depth: u32, leaves: Leaves) -> u64 {
    let nodes = if depth == 1 && leaves == Leaves::Counted {
        MoveCounter::count(position)
    } else {
        let mut walk = Walk { position, depth, leaves, nodes: 0 };
        position.generate(&mut walk);
        walk.nodes
    };
    if nodes == 0 { sequences_after_mate(position, depth, leaves) } else { nodes }
}

/// Counts the sequences of a position without a legal move: the player to move may be checkmated
/// while others play on.
#[inline(never)]
fn sequences_after_mate<V: VariantRules>(position: &Position<V>, depth: u32, leaves: Leaves) -> u64 {
    let mut after = *position;
    if after.eliminate_if_mated() && after.players_left() > 1 { sequences(&after, depth, leaves) } else { 0 }
}

/// A sink that makes each move and counts the sequences after it.
struct Walk<'a, V: VariantRules> {
    position: &'a Position<V>,
    depth: u32,
    leaves: Leaves,
    nodes: u64,
}

impl<V: VariantRules> Walk<'_, V> {
    #[inline(always)]
    fn visit(&mut self, make: impl FnOnce(&mut Position<V>)) {
        let mut next = *self.position;
        make(&mut next);
        self.nodes += if self.depth == 1 {
            core::hint::black_box(&next);
            1
        } else {
            sequences(&next, self.depth - 1, self.leaves)
        };
    }
}

impl<V: VariantRules> Sink<V> for Walk<'_, V> {
    #[inline(always)]
    fn piece<const MOVER: usize>(&mut self, role: Role, from: u8, targets: BitsOf<V>) {
        for word in 0..BitsOf::<V>::WORDS {
            for to in targets.word(word) {
                self.visit(|next| next.make_piece(MOVER, role, from, to));
            }
        }
    }

    #[inline(always)]
    fn pawns<const MOVER: usize>(&mut self, targets: PawnTargets<BitsOf<V>>) {
        for (kind, back, targets) in targets.by_kind::<V, MOVER>() {
            for word in 0..BitsOf::<V>::WORDS {
                for to in targets.word(word) {
                    let from = to.wrapping_add_signed(back as i8);
                    self.visit(|next| match kind {
                        PawnMove::Step | PawnMove::Capture => next.make_pawn(MOVER, from, to),
                        PawnMove::DoubleStep => next.make_double_step(MOVER, from, to),
                    });
                }
            }
        }
    }

    #[inline(never)]
    fn promotions<const MOVER: usize>(&mut self, back: i16, targets: BitsOf<V>, choices: Promotions) {
        targets.for_each(|to| {
            let from = to.wrapping_add_signed(back as i8);
            for role in choices.roles() {
                self.visit(|next| next.make_promotion(MOVER, from, to, role));
            }
        });
    }

    #[inline(never)]
    fn en_passant<const MOVER: usize>(&mut self, from: u8, to: u8) {
        self.visit(|next| next.make_en_passant(MOVER, from, to));
    }

    #[inline(never)]
    fn castling<const MOVER: usize>(&mut self, castling: CastlingSide, _: u8, _: u8) {
        self.visit(|next| next.make_castling(MOVER, castling));
    }
}
