//! The log and the metrics of the process.

mod log;
pub(crate) mod metrics;

pub use log::{TelemetryError, filter, init};
