//! Weights as source text.

use std::fmt::Write as _;

use quadrex_engine::tuning;
use quadrex_rules::Variant;

/// Returns the source file of a variant's weights.
pub(crate) fn source(variant: Variant, weights: &[[i32; 2]]) -> String {
    let module = if variant.player_count() == 2 { "classic" } else { "cross" };
    let mut text = format!(
        "//! The weights of the terms of `{module}` in the opening and in the end game, in centipawns, fitted\n\
         //! to games by `cargo xtask bench fit`.\n\n\
         use super::super::Weight;\n\
         use super::super::{module}::term::COUNT;\n\n\
         pub(crate) static WEIGHTS: [Weight; COUNT] = Weight::all([\n"
    );
    for (name, terms) in tuning::groups(variant) {
        writeln!(text, "    // {name}").expect("writing to a string succeeds");
        for row in weights[terms].chunks(8) {
            let row: Vec<String> =
                row.iter().map(|[opening, endgame]| format!("[{opening}, {endgame}]")).collect();
            writeln!(text, "    {},", row.join(", ")).expect("writing to a string succeeds");
        }
    }
    text + "]);\n"
}
