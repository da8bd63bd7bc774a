#![doc = include_str!("../README.md")]

mod monotonic;
#[cfg(feature = "simulation")]
pub mod simulation;
mod socket;
mod spawn;

pub use monotonic::monotonic;
pub use socket::{Listener, ReadHalf, Socket, WriteHalf};
pub use spawn::{is_simulated, run_blocking, spawn, spawn_in};
