#![doc = include_str!("../README.md")]

mod machine;
mod monotonic;
mod numbers;
#[cfg(feature = "simulation")]
pub mod simulation;
mod socket;
mod spawn;

pub use machine::{host_name, process_name, processors};
pub use monotonic::monotonic;
pub use numbers::unique_number;
pub use socket::{Listener, ReadHalf, Socket, WriteHalf};
pub use spawn::{is_simulated, run_blocking, spawn, spawn_in};

/// Returns whether a simulation has planted this fault of
/// [`PlantedFault`](crate::simulation::PlantedFault). Always false without the feature `simulation`.
#[cfg(feature = "simulation")]
#[macro_export]
macro_rules! has_planted {
    ($fault:ident) => {
        $crate::simulation::is_planted($crate::simulation::PlantedFault::$fault)
    };
}

/// Returns false, because faults are planted only in simulations.
#[cfg(not(feature = "simulation"))]
#[macro_export]
macro_rules! has_planted {
    ($fault:ident) => {
        false
    };
}
