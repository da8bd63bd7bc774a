//! Windows of scores.

use super::score::{INFINITY, to_root};
use crate::transposition::{Bound, Entry};

/// An alpha-beta window: the score that the side to move is sure of, and the one that its opponent
/// is sure of.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: -INFINITY, beta: INFINITY };

    pub(super) const fn new(alpha: i32, beta: i32) -> Self {
        Self { alpha, beta }
    }

    /// The null window above a score.
    pub(super) const fn null(alpha: i32) -> Self {
        Self::new(alpha, alpha + 1)
    }

    /// The same window seen by the other side.
    #[inline(always)]
    pub(super) const fn reversed(self) -> Self {
        Self::new(-self.beta, -self.alpha)
    }

    pub(super) const fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }

    /// Returns how a score found with this window relates to the exact score.
    #[inline(always)]
    pub(super) const fn bound(self, score: i32) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Returns the score of a stored entry, `ply` plies below the root, if it decides a search with
    /// this window. Nodes with an open window are searched in any case, since their line is wanted
    /// too.
    #[inline(always)]
    pub(super) fn cutoff(self, entry: Entry, ply: usize) -> Option<i32> {
        let score = to_root(entry.score, ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= self.beta,
            Bound::Upper => score <= self.alpha,
        };
        (decides && self.is_null()).then_some(score)
    }
}
