//! Tests of the bars on a terminal that stores what is written to it.

use std::sync::{Arc, Mutex};

use indicatif::TermLike;

use super::*;

/// A terminal that stores all that is written to it.
#[derive(Clone, Debug, Default)]
struct Screen(Arc<Mutex<String>>);

impl Screen {
    fn add(&self, text: &str) -> io::Result<()> {
        self.0.lock().unwrap().push_str(text);
        Ok(())
    }

    fn text(&self) -> String {
        self.0.lock().unwrap().clone()
    }

    /// Returns a progress on this terminal.
    fn progress(&self, total: Option<u64>, template: &str) -> Progress {
        let target = ProgressDrawTarget::term_like(Box::new(self.clone()));
        Progress::on(target, total, template, &"round 1")
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
    let progress = screen.progress(Some(4), STEPS);
    assert!(progress.is_shown());
    progress.set(2);
    progress.add(1);
    progress.warn(|| screen.add("a line\n").unwrap());
    progress.describe("round 2");
    progress.warn(|| ());
    drop(progress);
    let text = screen.text();
    assert!(text.contains("round 1 [") && text.contains("] 0/4  "), "{text:?}");
    assert!(text.contains("] 3/4  ") && text.contains("/s  ") && text.contains(" left"), "{text:?}");
    assert!(text.contains("a line\n") && text.contains("round 2 ["), "{text:?}");
    assert!(text.ends_with("<clear>"), "{text:?}");
}

#[test]
fn bytes_that_are_read_count_as_progress() {
    let source = [0; 3 * 1024];
    for (total, expected) in [(Some(source.len() as u64), "] 3.00 KiB/3.00 KiB  "), (None, "  3.00 KiB  ")] {
        let screen = Screen::default();
        let template = if total.is_some() { BYTES } else { STREAM };
        let progress = screen.progress(total, template);
        let read = io::copy(&mut progress.reading(&source[..]), &mut io::sink()).unwrap();
        progress.warn(|| ());
        assert_eq!(read, source.len() as u64);
        let text = screen.text();
        assert!(text.contains(expected) && text.contains("/s  "), "{text:?}");
        assert_eq!(text.contains(" left"), total.is_some(), "{text:?}");
    }
}

#[test]
fn a_file_gets_no_progress_bar() {
    for progress in
        [Progress::on(ProgressDrawTarget::hidden(), Some(4), STEPS, &"round 1"), Progress::hidden()]
    {
        progress.add(1);
        progress.describe("round 2");
        assert!(!progress.is_shown());
        assert_eq!(progress.print(|| 7) + progress.warn(|| 1), 8);
    }
}
