//! Formatting of an error with its causes on one line.

use std::error::Error;
use std::fmt::Write;

/// Returns an error and all its causes on one line. A cause is left out if the text before it
/// already ends with the same words.
pub fn chain(error: &dyn Error) -> String {
    let mut text = one_line(&error.to_string());
    let mut cause = error.source();
    while let Some(error) = cause {
        let line = one_line(&error.to_string());
        if !text.ends_with(&line) {
            write!(text, ": {line}").expect("writing to a string cannot fail");
        }
        cause = error.source();
    }
    text
}

/// Returns the message of the database, or the error of the connection to it.
pub(crate) fn reason(error: &sqlx::Error) -> String {
    error.as_database_error().map_or_else(|| chain(error), |database| one_line(database.message()))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
    fn each_cause_is_written_once_and_on_one_line() {
        let line = |texts: &[&'static str]| chain(&*layers(texts).unwrap());
        assert_eq!(line(&["cannot open", "disk: full", "errno 28"]), "cannot open: disk: full: errno 28");
        assert_eq!(line(&["cannot open", "disk: full", "full"]), "cannot open: disk: full");
        assert_eq!(line(&["cannot open", "at\n  line 2"]), "cannot open: at line 2");
    }
}
