//! The rules, one test or more for each number of `docs/RULES.md`. D15 is about chat and stands with the tables.

mod agreement;
mod claims;
mod classic;
mod clocks;
mod counting;
mod elimination;
mod endings;
mod movement;
mod pawns;
mod play;
mod setups;
mod takeback;
