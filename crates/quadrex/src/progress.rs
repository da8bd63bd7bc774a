//! Progress of long commands: a bar, the rate and the time left, on standard error while that is a terminal, and nothing
//! otherwise.

use std::convert::Infallible;
use std::fmt::Display;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// The time between two drawings while nothing else happens.
const TICK: Duration = Duration::from_millis(200);

/// Bytes of a known number.
const BYTES: &str = "{msg} [{wide_bar}] {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left";
/// Bytes of an unknown number.
const STREAM: &str = "{spinner} {msg}  {bytes}  {bytes_per_sec}  {elapsed}";
/// Steps of a known number.
const STEPS: &str = "{msg} [{wide_bar}] {pos}/{len}  {elapsed}  {eta} left";

/// The progress of one command. Dropped, it leaves nothing on the terminal.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Standard output is a terminal too: what is printed there must not run into the bar.
    shares_terminal: bool,
}

impl Progress {
    /// Progress through bytes, of which there are `total` if that is known; `about` names what is under way.
    pub(crate) fn of_bytes(total: Option<u64>, about: impl Display) -> Self {
        let template = if total.is_some() { BYTES } else { STREAM };
        Self::new(total, template, &about)
    }

    /// Progress through `total` steps; `about` names the first.
    pub(crate) fn of_steps(total: u64, about: impl Display) -> Self {
        Self::new(Some(total), STEPS, &about)
    }

    /// No progress, for commands that people type the input of.
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), shares_terminal: false }
    }

    fn new(total: Option<u64>, template: &str, about: &dyn Display) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template(template).expect("the templates above are well-formed");
        let bar = ProgressBar::with_draw_target(total, target)
            .with_style(style.progress_chars("=> "))
            .with_message(about.to_string())
            .with_finish(ProgressFinish::AndClear);
        if !bar.is_hidden() {
            bar.tick();
            bar.enable_steady_tick(TICK);
        }
        Self { bar, shares_terminal: io::stdout().is_terminal() }
    }

    /// Names what is under way now.
    pub(crate) fn describe(&self, text: impl Display) {
        if !self.bar.is_hidden() {
            self.bar.set_message(text.to_string());
        }
    }

    /// Sets how much is done.
    pub(crate) fn set(&self, position: u64) {
        self.bar.set_position(position);
    }

    /// A source whose bytes count as progress when they are read.
    pub(crate) fn reading<R: Read>(&self, source: R) -> impl Read + use<R> {
        self.bar.wrap_read(source)
    }

    /// Follows the length of a file that is being written.
    pub(crate) async fn follow(&self, file: &Path) -> Infallible {
        let mut interval = tokio::time::interval(TICK);
        loop {
            interval.tick().await;
            if let Ok(metadata) = std::fs::metadata(file) {
                self.set(metadata.len());
            }
        }
    }

    /// Prints to standard output, with the bar out of the way.
    pub(crate) fn print<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.shares_terminal { self.bar.suspend(print) } else { print() }
    }

    /// Prints to standard error, with the bar out of the way.
    pub(crate) fn warn<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}
