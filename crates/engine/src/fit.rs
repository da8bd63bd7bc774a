//! What the evaluation counts, for who fits its weights to the outcomes of games (`cargo xtask bench fit`) or looks for better
//! ones by chance (`cargo xtask bench engine -- tune`).

use std::ops::Range;

use quadrex_rules::{AnyPosition, Variant};

use crate::evaluation::{self, FULL, Tally, Valued, Weight};

/// What is counted in a position.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// How early it is, from 0 to 1: what the two weights of a term are mixed by.
    pub early: f32,
    /// Player, term, how often.
    pub terms: Vec<(u8, u16, i8)>,
}

impl Tally for Counted {
    fn add(&mut self, player: usize, term: usize, count: i32) {
        if count != 0 {
            self.terms.push((player as u8, term as u16, count as i8));
        }
    }
}

/// Counts everything in a position.
#[must_use]
pub fn count(position: &AnyPosition) -> Counted {
    let mut counted = Counted::default();
    let early = match position {
        AnyPosition::Classic(position) => Valued::count(position, &mut counted),
        AnyPosition::Dilkel(position) => Valued::count(position, &mut counted),
        AnyPosition::DilkelCompact(position) => Valued::count(position, &mut counted),
    };
    counted.early = early as f32 / FULL as f32;
    counted
}

/// What the terms of a variant count for, to a player who is asked to go by it ([`Task::weights`](crate::Task::weights)).
#[derive(Clone, Debug)]
pub struct Weights(pub(crate) Vec<Weight>);

impl Weights {
    /// Those of full strength.
    #[must_use]
    pub fn of(variant: Variant) -> Self {
        Self(evaluation::weights_of(variant).to_vec())
    }

    /// Multiplies those of some terms.
    ///
    /// # Panics
    /// When there are not so many terms.
    pub fn scale(&mut self, terms: Range<usize>, by: f64) {
        let scaled = |weight: i32| (f64::from(weight) * by).round() as i32;
        for weight in &mut self.0[terms] {
            *weight = Weight { early: scaled(weight.early), late: scaled(weight.late) };
        }
    }
}

/// The weights of a variant's terms, early and late, in hundredths of a pawn.
#[must_use]
pub fn weights(variant: Variant) -> Vec<[i32; 2]> {
    evaluation::weights_of(variant).iter().map(|weight| [weight.early, weight.late]).collect()
}

/// The groups of a variant's terms: a name, and the numbers of its terms.
#[must_use]
pub fn groups(variant: Variant) -> Vec<(&'static str, Range<usize>)> {
    let groups = evaluation::groups_of(variant);
    let ends = groups.iter().skip(1).map(|&(_, first)| first).chain([evaluation::weights_of(variant).len()]);
    groups.iter().zip(ends).map(|(&(name, first), end)| (name, first..end)).collect()
}
