//! The rules, with at least one test for each number of `docs/RULES.md`. D15 is about chat and is
//! tested with the tables.

mod agreement;
mod claims;
mod classic;
mod clocks;
mod counting;
mod elimination;
mod endings;
mod hints;
mod movement;
mod pawns;
mod play;
mod setups;
mod takeback;
