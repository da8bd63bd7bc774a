//! Access to the evaluation's terms and weights, for fitting them to game results (`cargo xtask
//! bench fit`) and for tuning them in tournaments (`cargo xtask bench engine -- tune`).

use std::ops::Range;

use quadrex_rules::{AnyPosition, Variant, with_position};

use crate::evaluation::{self, Evaluate, PHASE_MAX, TermCounter, Weight};

/// The terms of a position.
#[derive(Clone, Debug, Default)]
pub struct TermCounts {
    /// The game phase, from 0 (end game) to 1 (opening). It interpolates between the two weights of
    /// a term.
    pub phase: f32,
    /// Player, term and count.
    pub terms: Vec<(u8, u16, i8)>,
}

impl TermCounter for TermCounts {
    fn add(&mut self, player: usize, term: usize, count: i32) {
        if count != 0 {
            self.terms.push((player as u8, term as u16, count as i8));
        }
    }
}

/// Counts the terms of a position.
#[must_use]
pub fn count(position: &AnyPosition) -> TermCounts {
    let mut counted = TermCounts::default();
    let phase = with_position!(position, position => Evaluate::count(position, &mut counted));
    counted.phase = phase as f32 / PHASE_MAX as f32;
    counted
}

/// Weights of a variant's terms, for a search that uses them
/// ([`SearchRequest::weights`](crate::SearchRequest::weights)).
#[derive(Clone, Debug)]
pub struct Weights(pub(crate) Vec<Weight>);

impl Weights {
    /// Returns the weights of full strength.
    #[must_use]
    pub fn of(variant: Variant) -> Self {
        Self(evaluation::weights_of(variant).to_vec())
    }

    /// Multiplies the weights of some terms.
    ///
    /// # Panics
    /// Panics if a term does not exist.
    pub fn scale(&mut self, terms: Range<usize>, by: f64) {
        let scaled = |weight: i32| (f64::from(weight) * by).round() as i32;
        for weight in &mut self.0[terms] {
            *weight = Weight { opening: scaled(weight.opening), endgame: scaled(weight.endgame) };
        }
    }
}

/// Returns the weights of a variant's terms in the opening and in the end game, in centipawns.
#[must_use]
pub fn weights(variant: Variant) -> Vec<[i32; 2]> {
    evaluation::weights_of(variant).iter().map(|weight| [weight.opening, weight.endgame]).collect()
}

/// Returns the groups of a variant's terms: each group's name, and the numbers of its terms.
#[must_use]
pub fn groups(variant: Variant) -> Vec<(&'static str, Range<usize>)> {
    let groups = evaluation::groups_of(variant);
    let ends = groups.iter().skip(1).map(|&(_, first)| first).chain([evaluation::weights_of(variant).len()]);
    groups.iter().zip(ends).map(|(&(name, first), end)| (name, first..end)).collect()
}
