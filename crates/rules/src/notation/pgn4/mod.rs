//! Four-player games in PGN4.

mod replay;
mod start;
mod write;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub use replay::replay;
pub use start::site_setup;
pub use write::write;

use crate::color::Color;
use crate::game::Outcome;

/// Returns the places, `Red 1 - Blue 4 - Yellow 2 - Green 3`, or `*` for an unfinished game.
#[must_use]
pub fn result_text(outcome: Option<&Outcome>) -> String {
    let Some(outcome) = outcome else {
        return String::from("*");
    };
    let places: Vec<String> =
        outcome.places.iter().map(|(color, place)| format!("{} {place}", capitalized(color))).collect();
    places.join(" - ")
}

/// Returns a color's name as it is written in tags.
fn capitalized(color: Color) -> String {
    let name = color.name();
    let (first, rest) = name.split_at(1);
    format!("{}{rest}", first.to_ascii_uppercase())
}
