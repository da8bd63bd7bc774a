//! A fault of ours: logged once, with its chain of causes; the client gets its number and nothing else.

use std::error::Error;
use std::fmt::Write;

use quadrex_rules::Timestamp;
use uuid::Uuid;

use crate::entropy::Entropy;

/// A fault that stands in the log under this id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("internal error {0}")]
pub struct Fault(Uuid);

impl Fault {
    /// Logs an error where it ends. `doing` says what could not be done, as a verb with its object.
    pub fn log(entropy: &Entropy, now: Timestamp, doing: &str, error: &dyn Error) -> Self {
        let id = entropy.uuid(now);
        tracing::error!(fault.id = %id, "cannot {doing}: {}", chain(error));
        Self(id)
    }
}

/// An error and all its causes on one line.
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        write!(text, ": {error}").expect("a string takes all");
        cause = error.source();
    }
    text
}
