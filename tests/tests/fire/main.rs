//! The server under load and under fire: many tables at once, and whoever dies, nothing that was acknowledged is
//! lost, doubled or reordered.

mod kills;
mod planted;
