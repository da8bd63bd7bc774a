//! Alpha-beta windows.

use super::score::{INFINITY, score_from_table};
use crate::transposition::{Bound, Entry};

/// An alpha-beta window. Only scores between alpha and beta are exact.
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// The score that the side to move already has elsewhere in the tree.
    pub(super) alpha: i32,
    /// The score from which on the opponent avoids this node.
    pub(super) beta: i32,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: -INFINITY, beta: INFINITY };

    pub(super) const fn new(alpha: i32, beta: i32) -> Self {
        Self { alpha, beta }
    }

    /// The narrowest window above a score. A search with this window only shows whether the exact
    /// score is greater than `alpha`.
    pub(super) const fn null(alpha: i32) -> Self {
        Self::new(alpha, alpha + 1)
    }

    /// Returns the same window from the view of the other side.
    #[inline(always)]
    pub(super) const fn reversed(self) -> Self {
        Self::new(-self.beta, -self.alpha)
    }

    pub(super) const fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }

    /// Returns the relation of a score, found with this window, to the exact score.
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

    /// Returns the score of a table entry if the entry makes a search with this window unnecessary.
    /// `ply` is the distance from the root. A node whose window is not a null window is always
    /// searched, because its principal variation is needed.
    #[inline(always)]
    pub(super) fn cutoff(self, entry: Entry, ply: usize) -> Option<i32> {
        let score = score_from_table(entry.score, ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= self.beta,
            Bound::Upper => score <= self.alpha,
        };
        (decides && self.is_null()).then_some(score)
    }
}
