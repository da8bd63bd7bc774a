//! A suite of mates and defences, and a solver to find and check them.

mod solver;
mod suite;

pub use solver::{Budget, BudgetExceeded, endangers, forces, forcing};
pub use suite::{Kind, Problem};
