//! The program's log. It is written to stderr, as text for people or as JSON for programs.

use std::io::{self, IsTerminal};

use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::filter::{ParseError, filter_fn};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use super::metrics::METRICS;
use crate::config::{LogConfig, LogFormat};

/// The reason for which logging could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The setting `log.filter` is invalid.
    #[error("log.filter {filter:?} is no filter: {source}")]
    Filter {
        /// The value of the setting.
        filter: String,
        /// The error of the parser.
        source: ParseError,
    },
    /// Logging was set up in this process already.
    #[error("logging was set up before")]
    Twice,
}

/// Parses a filter of log entries.
///
/// # Errors
/// Returns [`TelemetryError::Filter`] if the text is not a valid filter.
pub fn filter(text: &str) -> Result<EnvFilter, TelemetryError> {
    EnvFilter::try_new(text).map_err(|source| TelemetryError::Filter { filter: text.to_owned(), source })
}

/// Sets up logging for the whole process. Must be called once, before anything is logged.
///
/// # Errors
/// Returns [`TelemetryError`] if the filter is invalid, or logging was set up already.
pub fn init(config: &LogConfig) -> Result<(), TelemetryError> {
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter(&config.filter)?)
        .with_span_events(FmtSpan::NONE)
        .with_writer(io::stderr);
    let is_loggable = filter_fn(is_loggable);
    let result = match config.format {
        LogFormat::Text => {
            let subscriber = builder.with_ansi(io::stderr().is_terminal()).finish();
            subscriber.with(is_loggable).with(EntryCounter).try_init()
        }
        LogFormat::Json => {
            let subscriber = builder.json().flatten_event(true).finish();
            subscriber.with(is_loggable).with(EntryCounter).try_init()
        }
    };
    result.map_err(|_| TelemetryError::Twice)
}

/// Returns whether an entry may be logged, whatever the filter is. Entries of dependencies at the
/// level `trace` contain whole frames, and with them tokens and messages.
fn is_loggable(metadata: &Metadata<'_>) -> bool {
    let is_own = metadata.target().starts_with("quadrex") || metadata.target() == "audit";
    is_own || *metadata.level() != Level::TRACE
}

/// A layer that counts entries by their level.
struct EntryCounter;

impl<S: Subscriber> Layer<S> for EntryCounter {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        match *event.metadata().level() {
            Level::ERROR => METRICS.log_entries.inc("error"),
            Level::WARN => METRICS.log_entries.inc("warn"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_for_an_invalid_filter_is_one_line() {
        assert!(filter("info,quadrex_server=debug").is_ok());
        let error = filter("quadrex_server=loud").unwrap_err().to_string();
        assert!(error.contains("log.filter") && error.contains("loud") && !error.contains('\n'), "{error}");
    }
}
