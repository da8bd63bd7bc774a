//! The simulated operating system: the order of tasks, processes, and sockets in memory.
//!
//! A simulation runs in one thread, on a Tokio runtime with one thread and paused time. Tokio polls
//! tasks in the order in which they were woken. Here each task that was woken first lets a random
//! number of other tasks pass, so that the seed of [`activate`] determines the order.

mod order;
mod planted;
mod process;
mod sockets;
mod task;
#[cfg(test)]
mod tests;

pub(crate) use order::next_number;
pub use order::{activate, is_active, split_mix};
pub use planted::{PlantedFault, is_planted, plant};
pub use process::Process;
pub use sockets::{
    Connector, Delivery, PipeControl, SimulatedListener, SimulatedReadHalf, SimulatedSocket,
    SimulatedWriteHalf, listen, pipe,
};
pub(crate) use task::Task;
