//! History scores of quiet moves: main history and continuation history.

use quadrex_rules::VariantRules;
use quadrex_rules::bits::Bits;
use quadrex_rules::geometry::Geometry;
use quadrex_rules::movegen::InternalMove;

use super::parameters::HISTORY_LIMIT;

/// The scores of moves by role and target cell, alone and as replies to the previous move.
#[derive(Debug)]
pub(super) struct History {
    cell_count: usize,
    /// The scores by color, role and target.
    main: Vec<i16>,
    /// The scores by role and target of the previous move, then by role and target of the move.
    continuation: Vec<i16>,
}

/// The index of the role and the target cell of a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreviousMove(usize);

impl PreviousMove {
    pub(super) fn new(mv: InternalMove, cell_count: usize) -> Self {
        Self(mv.kind.role() as usize * cell_count + usize::from(mv.to))
    }
}

impl History {
    pub(super) fn new<V: VariantRules>() -> Self {
        let cell_count = 64 * <V::Geometry as Geometry>::Bits::WORDS;
        let piece_target_count = 6 * cell_count;
        Self {
            cell_count,
            main: vec![0; 4 * piece_target_count],
            continuation: vec![0; piece_target_count * piece_target_count],
        }
    }

    /// Returns the number of target cells for each role.
    pub(super) fn cell_count(&self) -> usize {
        self.cell_count
    }

    #[inline(always)]
    pub(super) fn get(&self, color: usize, previous: Option<PreviousMove>, mv: InternalMove) -> i32 {
        let (main, reply) = self.indexes(color, previous, mv);
        i32::from(self.main[main]) + reply.map_or(0, |reply| i32::from(self.continuation[reply]))
    }

    /// Adds a bonus, which may be negative, to the scores of a move.
    pub(super) fn update(
        &mut self,
        color: usize,
        previous: Option<PreviousMove>,
        mv: InternalMove,
        bonus: i32,
    ) {
        let (main, reply) = self.indexes(color, previous, mv);
        apply_gravity(&mut self.main[main], bonus);
        if let Some(reply) = reply {
            apply_gravity(&mut self.continuation[reply], bonus);
        }
    }

    #[inline(always)]
    fn indexes(
        &self,
        color: usize,
        previous: Option<PreviousMove>,
        mv: InternalMove,
    ) -> (usize, Option<usize>) {
        let piece_target_count = 6 * self.cell_count;
        let piece_target = PreviousMove::new(mv, self.cell_count).0;
        (
            color * piece_target_count + piece_target,
            previous.map(|previous| previous.0 * piece_target_count + piece_target),
        )
    }
}

/// Adds a bonus to a score. The change shrinks as the score approaches [`HISTORY_LIMIT`].
fn apply_gravity(score: &mut i16, bonus: i32) {
    let value = i32::from(*score);
    *score = (value + bonus - value * bonus.abs() / HISTORY_LIMIT) as i16;
}
