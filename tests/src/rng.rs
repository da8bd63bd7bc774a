//! Choices of simulated players: random numbers from a seed, and moves turned with the board.

use quadrex_rules::{Move, Square, Variant};

/// Numbers that look random and are the same for a seed on every machine: SplitMix64 (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is small beside 2^64: the bias does not matter here.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("it is below a usize")
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }

    /// `count` different numbers below `bound`, ascending.
    pub fn sample(&mut self, count: usize, bound: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..bound).collect();
        for i in 0..count {
            let j = i + self.below(bound - i);
            numbers.swap(i, j);
        }
        numbers.truncate(count);
        numbers.sort_unstable();
        numbers
    }
}

/// A move of a cross board turned with it by quarter turns clockwise, as seen from above: what Red's move becomes for
/// Blue (1), Yellow (2) and Green (3). The set-up of `dilkel` turns into itself so (RULES D1), and with it every game.
pub fn turned(mv: Move, variant: Variant, quarter_turns: usize) -> Move {
    let last = variant.board().files - 1;
    let turn = |square: Square| {
        (0..quarter_turns).fold(square, |square, _| {
            Square::new(square.rank(), last - square.file()).expect("a turned board has the same size")
        })
    };
    Move { from: turn(mv.from), to: turn(mv.to), promotion: mv.promotion }
}
