//! Alpha-beta search for one player against all other players.
//!
//! All opponents of the root player count as one side (paranoid search; Sturtevant and Korf, "On
//! pruning techniques for multi-player games", 2000). There is one exception: an opponent does not
//! sacrifice material for the benefit of another opponent. With two players this is the ordinary
//! search.
//!
//! Every score is from the view of the side to move: the root player, or all its opponents
//! together. A score changes its sign between two plies only if the side changes.

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
