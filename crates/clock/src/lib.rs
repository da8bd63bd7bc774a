#![doc = include_str!("../README.md")]

mod clock;
mod entropy;
#[cfg(feature = "simulation")]
mod simulated;
mod stall_detector;
mod steering;

pub use clock::Clock;
pub use entropy::Entropy;
#[cfg(feature = "simulation")]
pub use simulated::SimulatedHardware;
pub use stall_detector::{STALL_LIMIT, Stall};
pub use steering::{SteeredTime, TimeSample};
