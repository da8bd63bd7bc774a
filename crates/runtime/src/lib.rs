#![doc = include_str!("../README.md")]

#[cfg(feature = "simulation")]
pub mod simulation;
mod monotonic;
mod socket;
mod spawn;

pub use monotonic::monotonic;
pub use socket::{Listener, ReadHalf, Socket, WriteHalf};
pub use spawn::{is_simulated, run_blocking, spawn, spawn_in};
