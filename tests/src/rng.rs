//! Pseudorandom numbers for simulated players, and rotation of moves.

use quadrex_rules::{Move, Square, Variant};

/// A pseudorandom number generator that gives the same numbers for a seed on every machine:
/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Returns a generator with this seed.
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

    /// Returns a number below `bound`. The bias does not matter, because `bound` is small compared
    /// with 2^64.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("it is below a usize")
    }

    /// Returns a random element.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }

    /// Returns `count` different numbers below `bound`, in ascending order.
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

/// Rotates a move of a cross-shaped board with the board, clockwise by quarter turns. A move of Red
/// becomes the corresponding move of Blue (1), Yellow (2) or Green (3). The start position of
/// `dilkel` is symmetric under this rotation (RULES D1), so every game can be rotated.
pub fn turned(mv: Move, variant: Variant, quarter_turns: usize) -> Move {
    let last = variant.board().files - 1;
    let turn = |square: Square| {
        (0..quarter_turns).fold(square, |square, _| {
            Square::new(square.rank(), last - square.file()).expect("a turned board has the same size")
        })
    };
    Move { from: turn(mv.from), to: turn(mv.to), promotion: mv.promotion }
}
