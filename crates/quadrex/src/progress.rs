//! Progress of long commands. If standard error is a terminal, a bar, the rate and the time left
//! are displayed there. Otherwise nothing is displayed.

use std::convert::Infallible;
use std::fmt::Display;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// The time between two updates of the display.
const TICK: Duration = Duration::from_millis(200);

/// The template for a known number of bytes.
const BYTES: &str = "{msg} [{wide_bar}] {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left";
/// The template for an unknown number of bytes.
const STREAM: &str = "{spinner} {msg}  {bytes}  {bytes_per_sec}  {elapsed}";
/// The template for a known number of steps.
const STEPS: &str = "{msg} [{wide_bar}] {pos}/{len}  {elapsed}  {eta} left";

/// The progress of one command. It is removed from the terminal when it is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// True if standard output is a terminal too. Output must then not overwrite the bar.
    shares_terminal: bool,
}

impl Progress {
    /// Returns a progress that counts bytes. `total` is the number of bytes, if it is known.
    /// `about` describes the work.
    pub(crate) fn of_bytes(total: Option<u64>, about: impl Display) -> Self {
        let template = if total.is_some() { BYTES } else { STREAM };
        Self::new(total, template, &about)
    }

    /// Returns a progress that counts `total` steps. `about` describes the first step.
    pub(crate) fn of_steps(total: u64, about: impl Display) -> Self {
        Self::new(Some(total), STEPS, &about)
    }

    /// Returns a progress that is not displayed, for input that a person types.
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

    /// Describes the current work.
    pub(crate) fn describe(&self, text: impl Display) {
        if !self.bar.is_hidden() {
            self.bar.set_message(text.to_string());
        }
    }

    /// Sets the number of bytes or steps that are done.
    pub(crate) fn set(&self, position: u64) {
        self.bar.set_position(position);
    }

    /// Wraps a source so that the bytes read from it count as progress.
    pub(crate) fn reading<R: Read>(&self, source: R) -> impl Read + use<R> {
        self.bar.wrap_read(source)
    }

    /// Sets the progress to the length of a file, again and again while the file is written.
    pub(crate) async fn follow(&self, file: &Path) -> Infallible {
        let mut interval = tokio::time::interval(TICK);
        loop {
            interval.tick().await;
            if let Ok(metadata) = std::fs::metadata(file) {
                self.set(metadata.len());
            }
        }
    }

    /// Prints to standard output without disturbing the bar.
    pub(crate) fn print<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.shares_terminal { self.bar.suspend(print) } else { print() }
    }

    /// Prints to standard error without disturbing the bar.
    pub(crate) fn warn<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}
