//! Internal errors. Such an error is logged once, with its causes. The client receives only the id
//! under which it was logged.

use std::error::Error;

use quadrex_clock::Entropy;
use quadrex_rules::Timestamp;
use quadrex_store::error_chain::chain;
use uuid::Uuid;

use crate::telemetry::metrics::METRICS;

/// The id of an internal error in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("internal error {0}")]
pub struct Fault(Uuid);

impl Fault {
    /// Returns the error that another server has logged under this id.
    #[must_use]
    pub fn of_other_server(id: Uuid) -> Self {
        Self(id)
    }

    /// Returns the id.
    #[must_use]
    pub fn id(self) -> Uuid {
        self.0
    }

    /// Logs an error. Must be called where the error is handled and not passed on, so that it is
    /// logged once. `doing` is the failed operation, as a verb with its object.
    pub fn log(entropy: &Entropy, now: Timestamp, doing: &str, error: &dyn Error) -> Self {
        let id = entropy.uuid(now);
        METRICS.faults.inc();
        tracing::error!(fault.id = %id, "cannot {doing}: {}", chain(error));
        Self(id)
    }
}
