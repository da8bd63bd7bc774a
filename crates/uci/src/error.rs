//! Errors of commands.

use quadrex_rules::{Rejection, SetupError};

use super::action::Action;
use super::lines::LineError;

/// The error of a line that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CommandError {
    #[error(transparent)]
    Line(#[from] LineError),
    #[error("unknown command {}", quoted(word))]
    Unknown { word: String },
    #[error("{command}: {reason}")]
    Malformed { command: &'static str, reason: String },
    #[error("position: {}", clipped(&error.to_string()))]
    Setup { error: SetupError },
    #[error("position: {action} (number {number} after moves): {reason}")]
    Action { action: Action, number: usize, reason: Rejection },
    #[error("{command}: a search is still going on, stop it first")]
    Searching { command: &'static str },
}

impl CommandError {
    pub(super) fn malformed(command: &'static str, reason: impl Into<String>) -> Self {
        Self::Malformed { command, reason: reason.into() }
    }
}

/// The number of characters of an invalid word that an error repeats.
const MAX_QUOTED_CHARS: usize = 60;

/// Returns an invalid word in a form that can be a part of a one-line answer.
pub(super) fn quoted(word: &str) -> String {
    match word.char_indices().nth(MAX_QUOTED_CHARS) {
        Some((end, _)) => format!("{:?}...", &word[..end]),
        None => format!("{word:?}"),
    }
}

/// Returns a message, which may repeat invalid input, without control characters and with limited
/// length.
pub(super) fn clipped(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).take(5 * MAX_QUOTED_CHARS).collect()
}
