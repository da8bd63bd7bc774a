//! Static evaluation.
//!
//! An evaluation is a sum of terms, and each term is a weight times a count. The sum is linear in
//! the weights, so the weights can be fitted to game results. [`classic`] and [`cross`] count the
//! terms, and `weights` contains the weights.

mod classic;
mod cross;
mod weights;
mod win_odds;

use std::sync::LazyLock;

use quadrex_rules::{Classic, Position, Role, Variant, VariantRules, for_each_variant, with_rules};

use win_odds::log_odds;
pub(crate) use win_odds::{ODDS_SCALE, even_score};

/// The weight of a term in the opening and in the end game, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weight {
    /// The weight with all pieces on the board.
    pub(crate) opening: i32,
    /// The weight with kings and pawns only.
    pub(crate) endgame: i32,
}

impl Weight {
    /// Converts a list of opening and end-game weights.
    const fn all<const N: usize>(parts: [[i32; 2]; N]) -> [Self; N] {
        let mut all = [Self { opening: 0, endgame: 0 }; N];
        let mut index = 0;
        while index < N {
            all[index] = Self { opening: parts[index][0], endgame: parts[index][1] };
            index += 1;
        }
        all
    }
}

/// A receiver of the counts of an evaluation.
pub(crate) trait TermCounter {
    /// Adds `count` to a term of the player with this index in the turn order.
    fn add(&mut self, player: usize, term: usize, count: i32);
}

/// The weighted sum of each player's terms.
struct WeightedSum<'a> {
    weights: &'a [Weight],
    sums: [Weight; 4],
}

impl<'a> WeightedSum<'a> {
    fn new(weights: &'a [Weight]) -> Self {
        Self { weights, sums: [Weight::default(); 4] }
    }

    /// Returns a player's sum, interpolated by the game phase of 0 to `PHASE_MAX`.
    fn tapered(&self, player: usize, phase: i32) -> i32 {
        let sum = self.sums[player];
        (sum.opening * phase + sum.endgame * (PHASE_MAX - phase)) / PHASE_MAX
    }
}

impl TermCounter for WeightedSum<'_> {
    #[inline(always)]
    fn add(&mut self, player: usize, term: usize, count: i32) {
        let weight = self.weights[term];
        self.sums[player].opening += weight.opening * count;
        self.sums[player].endgame += weight.endgame * count;
    }
}

/// The game phase with all pieces on the board. With only kings and pawns the game phase is 0.
pub(crate) const PHASE_MAX: i32 = 256;

/// The two sets of evaluation weights. They differ only on the cross boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvaluationSet {
    /// Weights set by hand.
    Basic,
    /// Weights tuned in games.
    Full,
}

/// A variant with a static evaluation.
pub(crate) trait Evaluate: VariantRules {
    /// Returns the value of a position for each player, in centipawns. The value of an eliminated
    /// player is meaningless.
    fn player_values(position: &Position<Self>, weights: &[Weight]) -> [i32; 4];

    /// Returns a bonus that is added to a player's value: for eliminations, and for driving bare
    /// kings toward mate.
    fn mop_up(_: &Position<Self>, _: usize, _: &[Weight]) -> i32 {
        0
    }

    /// Counts all terms of a position and returns its game phase, 0 to [`PHASE_MAX`].
    fn count<T: TermCounter>(position: &Position<Self>, counter: &mut T) -> i32;

    /// Returns the weights of the terms.
    fn weights(evaluation_set: EvaluationSet) -> &'static [Weight];

    /// Returns the groups of the terms: each group's name and first term.
    fn groups() -> &'static [(&'static str, usize)];
}

impl Evaluate for Classic {
    fn player_values(position: &Position<Self>, weights: &[Weight]) -> [i32; 4] {
        let mut sum = WeightedSum::new(weights);
        let phase = Self::count(position, &mut sum);
        let [mut white, mut black] = [0, 1].map(|player| sum.tapered(player, phase));
        classic::scale(position, &mut white, &mut black);
        [white, black, 0, 0]
    }

    fn count<T: TermCounter>(position: &Position<Self>, counter: &mut T) -> i32 {
        classic::count(position, counter)
    }

    fn weights(_: EvaluationSet) -> &'static [Weight] {
        &weights::CLASSIC
    }

    fn groups() -> &'static [(&'static str, usize)] {
        classic::term::GROUPS
    }
}

/// Implements [`Evaluate`] for every variant without an evaluation of its own, with the terms and
/// weights of the cross boards.
macro_rules! evaluate_by_default {
    ($($module:ident::$variant:ident,)+) => {
        $(evaluate_by_default!($variant);)+
    };
    (Classic) => {};
    ($variant:ident) => {
        impl Evaluate for quadrex_rules::$variant {
            fn player_values(position: &Position<Self>, weights: &[Weight]) -> [i32; 4] {
                let mut sum = WeightedSum::new(weights);
                let phase = Self::count(position, &mut sum);
                [0, 1, 2, 3].map(|player| sum.tapered(player, phase))
            }

            fn mop_up(position: &Position<Self>, player: usize, weights: &[Weight]) -> i32 {
                cross::mop_up(position, player, weights)
            }

            fn count<T: TermCounter>(position: &Position<Self>, counter: &mut T) -> i32 {
                static VIEWS: LazyLock<cross::Views> = LazyLock::new(cross::Views::new::<quadrex_rules::$variant>);
                cross::count(position, &VIEWS, counter)
            }

            fn weights(evaluation_set: EvaluationSet) -> &'static [Weight] {
                match evaluation_set {
                    EvaluationSet::Basic => &weights::CROSS_BASIC,
                    EvaluationSet::Full => &weights::CROSS,
                }
            }

            fn groups() -> &'static [(&'static str, usize)] {
                cross::term::GROUPS
            }
        }
    };
}

for_each_variant!([evaluate_by_default]);

/// Returns the tuned weights of a variant's terms.
pub(crate) fn weights_of(variant: Variant) -> &'static [Weight] {
    with_rules!(variant, V => V::weights(EvaluationSet::Full))
}

/// Returns the groups of a variant's terms: each group's name and first term.
pub(crate) fn groups_of(variant: Variant) -> &'static [(&'static str, usize)] {
    with_rules!(variant, V => V::groups())
}

/// Returns the evaluation of a position for one player against all other players left, in
/// centipawns. With two players the evaluation is the difference of the players' values. With more
/// players it is the logarithm of the player's odds of winning.
pub(crate) fn evaluate<V: Evaluate>(position: &Position<V>, player: usize, weights: &[Weight]) -> i32 {
    against_others(position, &V::player_values(position, weights), player)
        + V::mop_up(position, player, weights)
}

/// Returns the evaluation for each player without the mop-up bonus; `None` for eliminated players.
pub(crate) fn evaluate_each<V: Evaluate>(position: &Position<V>) -> [Option<i32>; 4] {
    let values = V::player_values(position, V::weights(EvaluationSet::Full));
    core::array::from_fn(|player| {
        let is_playing = player < V::COLORS.len() && position.is_playing(player);
        is_playing.then(|| against_others(position, &values, player))
    })
}

fn against_others<V: Evaluate>(position: &Position<V>, values: &[i32; 4], player: usize) -> i32 {
    let others = (0..V::COLORS.len()).filter(|&other| other != player && position.is_playing(other));
    log_odds(values[player], others.map(|other| values[other]))
}

/// Returns the approximate value of a piece in centipawns, for move ordering and static exchange
/// evaluation. Kings are never captured (rule G5).
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
    use quadrex_rules::Dilkel;

    use super::*;

    #[test]
    fn tuned_weights_differ_on_the_cross_boards_only() {
        fn values<V: Evaluate>() -> [[i32; 4]; 2] {
            let position = Position::<V>::start();
            [EvaluationSet::Basic, EvaluationSet::Full]
                .map(|evaluation_set| V::player_values(&position, V::weights(evaluation_set)))
        }
        let [[basic, full], [classic, same]] = [values::<Dilkel>(), values::<Classic>()];
        assert_ne!(basic, full);
        assert_eq!(classic, same);
    }
}
