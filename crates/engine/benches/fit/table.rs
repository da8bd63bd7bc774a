//! Weights as source text.

use std::fmt::Write as _;

use quadrex_engine::tuning;
use quadrex_rules::Variant;

/// Returns the source file of a variant's weights.
pub(crate) fn write(variant: Variant, weights: &[[i32; 2]]) -> String {
    let (what, module) = match variant {
        Variant::Classic => ("`classic`", "classic"),
        Variant::Dilkel | Variant::DilkelCompact => ("`cross`", "cross"),
    };
    let mut text = format!(
        "//! The weights of the terms of {what} in the opening and in the end game, in centipawns, fitted to games by\n\
         //! `cargo xtask bench fit`.\n\n\
         use super::super::Weight;\n\
         use super::super::{module}::term::COUNT;\n\n\
         pub(crate) static WEIGHTS: [Weight; COUNT] = Weight::all([\n"
    );
    for (name, terms) in tuning::groups(variant) {
        writeln!(text, "    // {name}").expect("a string takes all");
        for row in weights[terms].chunks(8) {
            let row: Vec<String> =
                row.iter().map(|[opening, endgame]| format!("[{opening}, {endgame}]")).collect();
            writeln!(text, "    {},", row.join(", ")).expect("a string takes all");
        }
    }
    text + "]);\n"
}
