//! What a position is worth, from what stands on it.
//!
//! Every term is a weight times how often something is there, so a position's worth is linear in the weights and they
//! can be fitted to the outcomes of games. [`classic`] and [`cross`] say what is counted, `weights` what it counts for.

mod classic;
mod cross;
mod odds;
mod weights;

use std::sync::LazyLock;

use quadrex_rules::Variant;
use quadrex_rules::{Classic, Dilkel, DilkelCompact, Position, Role, VariantRules};

pub(crate) use odds::{SCALE, even_odds, odds};

/// What a term adds while the board is full, and what at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weight {
    /// With all pieces on the board.
    pub(crate) early: i32,
    /// With kings and pawns only.
    pub(crate) late: i32,
}

impl Weight {
    /// A list of weights from their two parts.
    const fn all<const N: usize>(parts: [[i32; 2]; N]) -> [Self; N] {
        let mut all = [Self { early: 0, late: 0 }; N];
        let mut index = 0;
        while index < N {
            all[index] = Self { early: parts[index][0], late: parts[index][1] };
            index += 1;
        }
        all
    }
}

/// Takes in what an evaluation counts.
pub(crate) trait Tally {
    /// The player at this place in the turn order has something of this number `count` times.
    fn add(&mut self, player: usize, term: usize, count: i32);
}

/// Adds up what each player's terms weigh.
struct Sum<'a> {
    weights: &'a [Weight],
    of: [Weight; 4],
}

impl<'a> Sum<'a> {
    fn new(weights: &'a [Weight]) -> Self {
        Self { weights, of: [Weight::default(); 4] }
    }

    /// What a player's terms come to when so many of `FULL` parts are early.
    fn tapered(&self, player: usize, early: i32) -> i32 {
        let of = self.of[player];
        (of.early * early + of.late * (FULL - early)) / FULL
    }
}

impl Tally for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, player: usize, term: usize, count: i32) {
        let weight = self.weights[term];
        self.of[player].early += weight.early * count;
        self.of[player].late += weight.late * count;
    }
}

/// The parts in which the way from early to late is told.
pub(crate) const FULL: i32 = 256;

/// How much of what counts a player knows. It makes a difference on the crosses only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Knowledge {
    /// What somebody set down who had thought about it.
    Basic,
    /// What many games have told.
    Whole,
}

/// A variant whose positions can be valued.
pub(crate) trait Valued: VariantRules {
    /// What a position is worth to each player, in hundredths of a pawn; of no meaning for players who are out.
    fn values(position: &Position<Self>, weights: &[Weight]) -> [i32; 4];

    /// What a player has gained by those who are out and on bare kings, beyond its value.
    fn pursuit(_: &Position<Self>, _: usize, _: &[Weight]) -> i32 {
        0
    }

    /// Everything that is counted in a position, and how early it is, of [`FULL`].
    fn count<T: Tally>(position: &Position<Self>, tally: &mut T) -> i32;

    /// The weights of the terms.
    fn weights(knowledge: Knowledge) -> &'static [Weight];
}

impl Valued for Classic {
    fn values(position: &Position<Self>, weights: &[Weight]) -> [i32; 4] {
        let mut sum = Sum::new(weights);
        let early = Self::count(position, &mut sum);
        let [mut white, mut black] = [0, 1].map(|player| sum.tapered(player, early));
        classic::scale(position, &mut white, &mut black);
        [white, black, 0, 0]
    }

    fn count<T: Tally>(position: &Position<Self>, tally: &mut T) -> i32 {
        classic::count(position, tally)
    }

    fn weights(_: Knowledge) -> &'static [Weight] {
        &weights::CLASSIC
    }
}

/// The crosses are valued alike.
macro_rules! valued_cross {
    ($variant:ty) => {
        impl Valued for $variant {
            fn values(position: &Position<Self>, weights: &[Weight]) -> [i32; 4] {
                let mut sum = Sum::new(weights);
                let early = Self::count(position, &mut sum);
                [0, 1, 2, 3].map(|player| sum.tapered(player, early))
            }

            fn pursuit(position: &Position<Self>, player: usize, weights: &[Weight]) -> i32 {
                cross::pursuit(position, player, weights)
            }

            fn count<T: Tally>(position: &Position<Self>, tally: &mut T) -> i32 {
                static VIEWS: LazyLock<cross::Views> = LazyLock::new(cross::Views::new::<$variant>);
                cross::count(position, &VIEWS, tally)
            }

            fn weights(knowledge: Knowledge) -> &'static [Weight] {
                match knowledge {
                    Knowledge::Basic => &weights::CROSS_BASIC,
                    Knowledge::Whole => &weights::CROSS,
                }
            }
        }
    };
}

valued_cross!(Dilkel);
valued_cross!(DilkelCompact);

/// The weights of a variant's terms.
pub(crate) fn weights_of(variant: Variant) -> &'static [Weight] {
    match variant {
        Variant::Classic => Classic::weights(Knowledge::Whole),
        Variant::Dilkel => Dilkel::weights(Knowledge::Whole),
        Variant::DilkelCompact => DilkelCompact::weights(Knowledge::Whole),
    }
}

/// The groups of a variant's terms, by their first.
pub(crate) fn groups_of(variant: Variant) -> &'static [(&'static str, usize)] {
    match variant {
        Variant::Classic => classic::term::GROUPS,
        Variant::Dilkel | Variant::DilkelCompact => cross::term::GROUPS,
    }
}

/// What a position is worth to one player against the others still in, in hundredths of a pawn: of two the
/// difference, of more what the odds of winning come to.
pub(crate) fn worth<V: Valued>(position: &Position<V>, player: usize, weights: &[Weight]) -> i32 {
    against_others(position, &V::values(position, weights), player) + V::pursuit(position, player, weights)
}

/// What a position of these values is worth to each player by what stands on it, and not what it is worth to play on;
/// `None` for players who are out.
pub(crate) fn worth_to_each<V: Valued>(position: &Position<V>) -> [Option<i32>; 4] {
    let values = V::values(position, V::weights(Knowledge::Whole));
    core::array::from_fn(|player| {
        let is_in = player < V::COLORS.len() && position.is_in(player);
        is_in.then(|| against_others(position, &values, player))
    })
}

fn against_others<V: Valued>(position: &Position<V>, values: &[i32; 4], player: usize) -> i32 {
    let others = (0..V::COLORS.len()).filter(|&other| other != player && position.is_in(other));
    odds(values[player], others.map(|other| values[other]))
}

/// What a piece is about worth, in hundredths of a pawn: for the order in which moves are looked at, and for exchanges.
/// The king is never captured (G5).
pub(crate) const fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 340,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 20_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_games_have_told_makes_a_difference_on_the_crosses_only() {
        fn values<V: Valued>() -> [[i32; 4]; 2] {
            let position = Position::<V>::start();
            [Knowledge::Basic, Knowledge::Whole].map(|knowledge| V::values(&position, V::weights(knowledge)))
        }
        let [[basic, whole], [classic, same]] = [values::<Dilkel>(), values::<Classic>()];
        assert_ne!(basic, whole);
        assert_eq!(classic, same);
    }
}
