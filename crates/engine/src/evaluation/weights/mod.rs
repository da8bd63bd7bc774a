//! The weights of the evaluation terms.

mod classic;
mod cross;

pub(super) use classic::WEIGHTS as CLASSIC;
pub(super) use cross::{BASIC as CROSS_BASIC, WEIGHTS as CROSS};
