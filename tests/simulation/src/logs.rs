//! The logs of servers, as lines of the story.

use std::io;

use anyhow::{Context, Result};
use quadrex_runtime::simulation::Process;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::trace::Trace;

/// Adds the log messages of this thread to the story until the returned value is dropped. `filter` is
/// a level or a filter like that of the setting `RUST_LOG`.
///
/// # Errors
/// If the filter is not valid.
pub(crate) fn add_to(trace: &Trace, filter: &str) -> Result<DefaultGuard> {
    let filter = EnvFilter::try_new(filter).with_context(|| format!("reading the filter {filter}"))?;
    let lines = Lines(trace.clone());
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(lines).with_ansi(false);
    Ok(tracing::subscriber::set_default(subscriber.without_time().finish()))
}

/// Writes each log message as a line of the story, with the process that wrote it.
struct Lines(Trace);

impl<'a> MakeWriter<'a> for Lines {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

impl io::Write for &Lines {
    fn write(&mut self, message: &[u8]) -> io::Result<usize> {
        let process = Process::current();
        let name = process.as_ref().map_or("the world", Process::name);
        self.0.add(name, format_args!("logs {}", String::from_utf8_lossy(message).trim()));
        Ok(message.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
