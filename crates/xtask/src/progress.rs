//! The progress of long tasks. On a terminal, standard error shows a bar, the rate and the
//! remaining time. Otherwise it shows nothing.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

const TEMPLATE: &str = "{msg} [{wide_bar}] {human_pos}/{human_len}  {per_sec}  {eta} left";

/// The template of a task of unknown length.
const ENDLESS: &str = "{spinner} {msg}  {elapsed}";

/// The interval between two updates of the display.
const TICK: Duration = Duration::from_millis(200);

/// The progress of a task. Dropping it clears it from the terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Returns the progress of the task `about`, which has `total` steps.
    pub(crate) fn new(about: &str, total: u64) -> Self {
        Self::on(target(), about, Some(total))
    }

    /// Returns the progress of a task of unknown length, which shows the elapsed time.
    pub(crate) fn endless(about: &str) -> Self {
        Self::on(target(), about, None)
    }

    /// Returns a hidden progress.
    pub(crate) fn hidden() -> Self {
        Self::on(ProgressDrawTarget::hidden(), "", None)
    }

    fn on(target: ProgressDrawTarget, about: &str, total: Option<u64>) -> Self {
        let template = if total.is_some() { TEMPLATE } else { ENDLESS };
        let style = ProgressStyle::with_template(template).expect("the templates are well-formed");
        let bar = ProgressBar::with_draw_target(total, target)
            .with_style(style.progress_chars("=> "))
            .with_message(about.to_owned())
            .with_finish(ProgressFinish::AndClear);
        if !bar.is_hidden() {
            bar.tick();
            bar.enable_steady_tick(TICK);
        }
        Self(bar)
    }

    /// Returns whether the progress is displayed.
    pub(crate) fn is_shown(&self) -> bool {
        !self.0.is_hidden()
    }

    /// Adds a finished step.
    pub(crate) fn step(&self) {
        self.0.inc(1);
    }

    /// Sets the number of finished steps.
    pub(crate) fn set(&self, position: u64) {
        self.0.set_position(position);
    }

    /// Prints a text without disturbing the bar.
    pub(crate) fn print<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }
}

fn target() -> ProgressDrawTarget {
    if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    /// A terminal that stores everything written to it.
    #[derive(Clone, Debug, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl Screen {
        fn add(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.add(text).and_then(|()| self.add("\n"))
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.add(text)
        }
        fn clear_line(&self) -> io::Result<()> {
            self.add("<clear>")
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_terminal_gets_a_bar_that_is_cleared_at_the_end() {
        let screen = Screen::default();
        let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
        let progress = Progress::on(target, "round 1", Some(4));
        assert!(progress.is_shown());
        progress.set(2);
        progress.step();
        progress.print(|| screen.add("a line\n").unwrap());
        drop(progress);
        let text = screen.0.lock().unwrap().clone();
        assert!(text.contains("round 1 [") && text.contains("] 0/4  "), "{text:?}");
        assert!(text.contains("] 3/4  ") && text.contains(" left"), "{text:?}");
        assert!(text.contains("a line\n") && text.ends_with("<clear>"), "{text:?}");
    }

    #[test]
    fn a_file_gets_no_progress_bar() {
        let progress = Progress::on(ProgressDrawTarget::hidden(), "round 1", Some(4));
        progress.step();
        assert!(!progress.is_shown());
        assert_eq!(progress.print(|| 7), 7);
    }
}
