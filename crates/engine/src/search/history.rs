//! Which moves have been good elsewhere: the order in which quiet moves are looked at.

use quadrex_rules::VariantRules;
use quadrex_rules::bits::Bits;
use quadrex_rules::geometry::Geometry;
use quadrex_rules::movegen::PlacedMove;

/// No entry grows beyond it.
const MOST: i32 = 16_384;

/// What was gained by moving a role to a place: at all, and as answer to a move.
#[derive(Debug)]
pub(super) struct History {
    places: usize,
    /// By color, role and target.
    plain: Vec<i16>,
    /// By role and target of the move before, then role and target.
    answers: Vec<i16>,
}

/// A move as far as it matters as the one before: a role and a target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before(usize);

impl Before {
    pub(super) fn of(mv: PlacedMove, places: usize) -> Self {
        Self(mv.deed.role() as usize * places + usize::from(mv.to))
    }
}

impl History {
    pub(super) fn new<V: VariantRules>() -> Self {
        let places = 64 * <V::Geometry as Geometry>::Bits::WORDS;
        let kinds = 6 * places;
        Self { places, plain: vec![0; 4 * kinds], answers: vec![0; kinds * kinds] }
    }

    pub(super) fn places(&self) -> usize {
        self.places
    }

    pub(super) fn get(&self, color: usize, before: Option<Before>, mv: PlacedMove) -> i32 {
        let (plain, answer) = self.indexes(color, before, mv);
        i32::from(self.plain[plain]) + answer.map_or(0, |answer| i32::from(self.answers[answer]))
    }

    /// A move was good (or bad, with a bonus below zero).
    pub(super) fn learn(&mut self, color: usize, before: Option<Before>, mv: PlacedMove, bonus: i32) {
        let (plain, answer) = self.indexes(color, before, mv);
        nudge(&mut self.plain[plain], bonus);
        if let Some(answer) = answer {
            nudge(&mut self.answers[answer], bonus);
        }
    }

    fn indexes(&self, color: usize, before: Option<Before>, mv: PlacedMove) -> (usize, Option<usize>) {
        let kinds = 6 * self.places;
        let kind = Before::of(mv, self.places).0;
        (color * kinds + kind, before.map(|before| before.0 * kinds + kind))
    }
}

/// Moves an entry toward the bonus, the less the farther it is that way already.
fn nudge(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / MOST) as i16;
}
