//! The tables of a cluster: each node publishes its own, and merges those of all nodes.

mod merged;
mod own;

pub use merged::{ListEffect, ListedTable, MergedTableList};
pub use own::OwnTableList;
