//! Weights as source text.

use std::fmt::Write as _;

use quadrex_engine::fit;
use quadrex_rules::Variant;

/// The file that holds a variant's weights.
pub(crate) fn write(variant: Variant, weights: &[[i32; 2]]) -> String {
    let (what, module) = match variant {
        Variant::Classic => ("`classic`", "classic"),
        Variant::Dilkel | Variant::DilkelCompact => ("the crosses", "cross"),
    };
    let mut text = format!(
        "//! What the terms of {what} count for, early and late, in hundredths of a pawn: fitted to games by\n\
         //! `cargo xtask bench fit`.\n\n\
         use super::super::Weight;\n\
         use super::super::{module}::term::COUNT;\n\n\
         pub(crate) static WEIGHTS: [Weight; COUNT] = Weight::all([\n"
    );
    for (name, terms) in fit::groups(variant) {
        writeln!(text, "    // {name}").expect("a string takes all");
        for row in weights[terms].chunks(8) {
            let row: Vec<String> = row.iter().map(|[early, late]| format!("[{early}, {late}]")).collect();
            writeln!(text, "    {},", row.join(", ")).expect("a string takes all");
        }
    }
    text + "]);\n"
}
