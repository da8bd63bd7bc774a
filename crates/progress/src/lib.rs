//! The progress of long tasks. If standard error is a terminal, a bar, the rate and the time left
//! are shown there. Otherwise nothing is shown.
//!
//! ```
//! use quadrex_progress::Progress;
//!
//! let progress = Progress::of_steps(3, "games");
//! for game in 1..=3 {
//!     progress.print(|| println!("game {game}"));
//!     progress.add(1);
//! }
//! ```

use std::fmt::Display;
use std::io::{self, IsTerminal, Read};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// The template for a known number of steps.
const STEPS: &str = "{msg} [{wide_bar}] {human_pos}/{human_len}  {per_sec}  {eta} left";

/// The template for a known number of bytes.
const BYTES: &str = "{msg} [{wide_bar}] {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left";

/// The template for an unknown number of bytes.
const STREAM: &str = "{spinner} {msg}  {bytes}  {bytes_per_sec}  {elapsed}";

/// The template for a task that reports no steps.
const ENDLESS: &str = "{spinner} {msg}  {elapsed}";

/// The progress of a task. It is removed from the terminal when it is dropped.
#[derive(Clone, Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// True if standard output is a terminal too, so that output must not overwrite the bar.
    shares_terminal: bool,
}

impl Progress {
    /// The time between two updates of the display.
    pub const TICK: Duration = Duration::from_millis(200);

    /// Returns a progress that counts `total` steps. `about` describes the work.
    #[must_use]
    pub fn of_steps(total: u64, about: impl Display) -> Self {
        Self::on(target(), Some(total), STEPS, &about)
    }

    /// Returns a progress that counts bytes. `total` is the number of bytes, if it is known.
    #[must_use]
    pub fn of_bytes(total: Option<u64>, about: impl Display) -> Self {
        let template = if total.is_some() { BYTES } else { STREAM };
        Self::on(target(), total, template, &about)
    }

    /// Returns a progress that shows the elapsed time, for a task of unknown length.
    #[must_use]
    pub fn endless(about: impl Display) -> Self {
        Self::on(target(), None, ENDLESS, &about)
    }

    /// Returns a progress that is not shown.
    #[must_use]
    pub fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), shares_terminal: false }
    }

    fn on(target: ProgressDrawTarget, total: Option<u64>, template: &str, about: &dyn Display) -> Self {
        let style = ProgressStyle::with_template(template).expect("the templates above are well-formed");
        let bar = ProgressBar::with_draw_target(total, target)
            .with_style(style.progress_chars("=> "))
            .with_message(about.to_string())
            .with_finish(ProgressFinish::AndClear);
        if !bar.is_hidden() {
            bar.tick();
            bar.enable_steady_tick(Self::TICK);
        }
        Self { bar, shares_terminal: io::stdout().is_terminal() }
    }

    /// Returns whether it is shown.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Describes the current work.
    pub fn describe(&self, text: impl Display) {
        if self.is_shown() {
            self.bar.set_message(text.to_string());
        }
    }

    /// Adds to the number of steps or bytes that are done.
    pub fn add(&self, count: u64) {
        self.bar.inc(count);
    }

    /// Sets the number of steps or bytes that are done.
    pub fn set(&self, position: u64) {
        self.bar.set_position(position);
    }

    /// Returns a source whose bytes count as progress when they are read.
    pub fn reading<R: Read>(&self, source: R) -> impl Read + use<R> {
        self.bar.wrap_read(source)
    }

    /// Prints to standard output without disturbing the bar.
    pub fn print<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.shares_terminal { self.bar.suspend(print) } else { print() }
    }

    /// Prints to standard error without disturbing the bar.
    pub fn warn<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

/// Returns standard error if it is a terminal.
fn target() -> ProgressDrawTarget {
    if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
}

#[cfg(test)]
mod tests;
