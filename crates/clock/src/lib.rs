#![doc = include_str!("../README.md")]

mod clock;
mod entropy;
mod stall_detector;
mod steering;

pub use clock::Clock;
pub use entropy::Entropy;
pub use stall_detector::{STALL_LIMIT, Stall};
pub use steering::{SteeredTime, TimeSample};
