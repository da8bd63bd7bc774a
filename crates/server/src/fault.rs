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

/// An error and all its causes on one line. A cause that the error above it has told already is not told again.
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let told = error.to_string();
        if !text.ends_with(&told) {
            write!(text, ": {told}").expect("a string takes all");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{text}")]
    struct Layer {
        text: &'static str,
        source: Option<Box<Self>>,
    }

    fn layers(texts: &[&'static str]) -> Option<Box<Layer>> {
        let (text, below) = texts.split_first()?;
        Some(Box::new(Layer { text, source: layers(below) }))
    }

    #[test]
    fn each_cause_is_told_once() {
        let told = |texts: &[&'static str]| chain(&*layers(texts).unwrap());
        assert_eq!(told(&["cannot open", "disk: full", "errno 28"]), "cannot open: disk: full: errno 28");
        assert_eq!(told(&["cannot open", "disk: full", "full"]), "cannot open: disk: full");
    }
}
