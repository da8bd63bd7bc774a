//! History scores of quiet moves: plain and continuation history.

use quadrex_rules::VariantRules;
use quadrex_rules::bits::Bits;
use quadrex_rules::geometry::Geometry;
use quadrex_rules::movegen::InternalMove;

use super::parameters::HISTORY_LIMIT;

/// The scores of moves by role and target: for themselves, and as replies to a previous move.
#[derive(Debug)]
pub(super) struct History {
    cells: usize,
    /// By color, role and target.
    plain: Vec<i16>,
    /// By role and target of the previous move, then role and target.
    continuation: Vec<i16>,
}

/// A role and a target cell, as an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreviousMove(usize);

impl PreviousMove {
    pub(super) fn new(mv: InternalMove, cells: usize) -> Self {
        Self(mv.kind.role() as usize * cells + usize::from(mv.to))
    }
}

impl History {
    pub(super) fn new<V: VariantRules>() -> Self {
        let cells = 64 * <V::Geometry as Geometry>::Bits::WORDS;
        let kinds = 6 * cells;
        Self { cells, plain: vec![0; 4 * kinds], continuation: vec![0; kinds * kinds] }
    }

    /// Returns the number of cells that targets are counted by.
    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    #[inline(always)]
    pub(super) fn get(&self, color: usize, previous: Option<PreviousMove>, mv: InternalMove) -> i32 {
        let (plain, reply) = self.indexes(color, previous, mv);
        i32::from(self.plain[plain]) + reply.map_or(0, |reply| i32::from(self.continuation[reply]))
    }

    /// Rewards a move, or punishes it with a negative bonus.
    pub(super) fn update(
        &mut self,
        color: usize,
        previous: Option<PreviousMove>,
        mv: InternalMove,
        bonus: i32,
    ) {
        let (plain, reply) = self.indexes(color, previous, mv);
        apply_gravity(&mut self.plain[plain], bonus);
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
        let kinds = 6 * self.cells;
        let kind = PreviousMove::new(mv, self.cells).0;
        (color * kinds + kind, previous.map(|previous| previous.0 * kinds + kind))
    }
}

/// Moves a score toward a bonus, the less the farther it is that way already.
fn apply_gravity(score: &mut i16, bonus: i32) {
    let value = i32::from(*score);
    *score = (value + bonus - value * bonus.abs() / HISTORY_LIMIT) as i16;
}
