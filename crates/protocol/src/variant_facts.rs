//! The facts of variants, generated for the browser client.

use std::collections::BTreeMap;

use quadrex_rules::notation::Notation;
use quadrex_rules::{BoardShape, Color, Variant};
use serde::Serialize;
use ts_rs::TS;

use crate::view::Side;
use crate::vocabulary::ColorText;

/// The facts of a variant.
#[derive(Serialize, TS)]
pub(crate) struct VariantFacts {
    /// The name of the variant for people, in English.
    title: &'static str,
    /// The notation of the variant's games.
    #[ts(type = "\"PGN\" | \"PGN4\"")]
    notation: &'static str,
    /// The shape of the board; `corner` is the width of each corner that is cut out.
    #[ts(type = "{ files: number, ranks: number, corner: number }")]
    board: BoardShape,
    /// The seats of the variant, in turn order.
    seats: Vec<SeatFacts>,
}

/// The facts of a seat.
#[derive(Serialize, TS)]
struct SeatFacts {
    /// The color of the seat.
    #[ts(as = "ColorText")]
    color: Color,
    /// The side of the board at which the color sits.
    side: Side,
}

/// Returns TypeScript constants with the facts of all variants.
pub(crate) fn typescript() -> String {
    let facts: BTreeMap<_, _> =
        Variant::ALL.into_iter().map(|variant| (variant.name(), facts(variant))).collect();
    let facts = serde_json::to_string_pretty(&facts).expect("facts are plain JSON");
    let default = Variant::DEFAULT;
    format!(
        "\n/** The facts of each variant. */\n\
         export const VARIANT_FACTS: {{ readonly [variant in Variant]: VariantFacts }} = {facts};\n\
         \n/** The variant of requests that name none. */\n\
         export const DEFAULT_VARIANT: Variant = \"{default}\";\n"
    )
}

fn facts(variant: Variant) -> VariantFacts {
    let notation = match variant.notation() {
        Notation::Pgn => "PGN",
        Notation::Pgn4 => "PGN4",
    };
    let seat = |&color: &Color| SeatFacts { color, side: color.side().into() };
    let seats = variant.colors().iter().map(seat).collect();
    VariantFacts { title: variant.title(), notation, board: variant.board(), seats }
}
