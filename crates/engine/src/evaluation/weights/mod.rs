//! What the terms count for, as `cargo xtask bench fit` has found it.

mod classic;
mod cross;

pub(super) use classic::WEIGHTS as CLASSIC;
pub(super) use cross::WEIGHTS as CROSS;
