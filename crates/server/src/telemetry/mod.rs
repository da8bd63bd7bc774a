//! The log of the process.

mod log;

pub use log::{TelemetryError, filter, init};
