//! The tests of the measurements, which a benchmark without a harness cannot run itself.

#[expect(dead_code, reason = "only what has a test is called here")]
#[path = "../../benches/engine/main.rs"]
mod engine;

mod arguments;
mod contest;
mod duel;
mod game;
mod ladder;
mod levels;
mod opening;
mod program;
mod random;
mod statistics;
mod tally;
