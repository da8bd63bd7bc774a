//! Pseudorandom numbers for simulated players, and rotation of moves.

pub use quadrex_engine::Rng;
use quadrex_rules::{Move, Square, Variant};

/// Rotates a move of a cross-shaped board with the board, clockwise by quarter turns. A move of Red
/// becomes the corresponding move of Blue (1), Yellow (2) or Green (3). The start position of
/// `dilkel` is symmetric under this rotation (RULES D1), so every game can be rotated.
pub fn turned(mv: Move, variant: Variant, quarter_turns: usize) -> Move {
    let last = variant.board().files - 1;
    let turn = |square: Square| {
        (0..quarter_turns).fold(square, |square, _| {
            Square::new(square.rank(), last - square.file()).expect("a rotated board has the same size")
        })
    };
    Move { from: turn(mv.from), to: turn(mv.to), promotion: mv.promotion }
}
