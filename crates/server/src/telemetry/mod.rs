//! The log, the audit log and the metrics of the process.

pub(crate) mod audit;
mod log;
pub(crate) mod metrics;

pub use log::{TelemetryError, filter, init};
