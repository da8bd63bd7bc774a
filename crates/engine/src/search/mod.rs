//! Alpha-beta search for one player against all others.
//!
//! The root player stands against all opponents as if they were one side (paranoid search;
//! Sturtevant and Korf, "On pruning techniques for multi-player games", 2000), except that an
//! opponent among several does not sacrifice material for the others. With two players that is the
//! ordinary search, so one code serves both. Scores are those of the side to move, that is the root
//! player or its opponents; where the same side moves again they keep their sign.

mod alpha_beta;
mod best_reply;
mod history;
mod iterative_deepening;
mod mate_solver;
mod max_n;
mod move_picker;
mod parameters;
mod pruning;
mod quiescence;
mod score;
mod shared_state;
mod stack;
mod static_exchange;
mod window;
mod worker;

pub(crate) use iterative_deepening::{RootMove, RootParams};
pub(crate) use shared_state::SharedState;
pub(crate) use static_exchange::material_gain;
pub(crate) use worker::Worker;
