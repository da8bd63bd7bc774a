//! The story of a simulation: what each actor did, and when.

use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quadrex_rules::Timestamp;
use tokio::time::Instant;

/// The time of day at which a simulation begins.
pub(crate) const BEGIN: Timestamp = Timestamp::from_millis(1_767_225_600_000);

/// The story of a simulation. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Trace(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    began: Instant,
    digest: DefaultHasher,
    lines: u64,
    /// The lines, if they are kept.
    kept: Option<String>,
}

impl Trace {
    pub(crate) fn new(is_kept: bool) -> Self {
        let (began, digest) = (virtual_now(), DefaultHasher::new());
        let state = State { began, digest, lines: 0, kept: is_kept.then(String::new) };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Adds a line: an actor and what happened.
    pub(crate) fn add(&self, actor: impl fmt::Display, event: impl fmt::Display) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = virtual_now().saturating_duration_since(state.began);
        let line = format!("{} {actor}: {event}\n", StoryTime(at));
        state.digest.write(line.as_bytes());
        state.lines += 1;
        if let Some(kept) = &mut state.kept {
            kept.push_str(&line);
        }
    }

    /// Returns the time of day, which is right everywhere in the world except on servers whose clocks
    /// are wrong.
    pub(crate) fn time_of_day(&self) -> Timestamp {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        BEGIN + virtual_now().saturating_duration_since(state.began)
    }

    /// Returns the number of lines, their digest, and the lines if they were kept.
    pub(crate) fn end(&self) -> (u64, u64, Option<String>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (state.lines, state.digest.finish(), state.kept.take())
    }
}

/// Returns a time of day as stories show it: since the beginning.
pub(crate) fn story_time(at: Timestamp) -> impl fmt::Display {
    StoryTime(at.since(BEGIN))
}

/// A time since the beginning, as hours, minutes, seconds and milliseconds.
struct StoryTime(Duration);

impl fmt::Display for StoryTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, millis) = (self.0.as_secs(), self.0.subsec_millis());
        write!(f, "{:02}:{:02}:{:02}.{millis:03}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
    }
}

/// Returns the virtual time.
#[expect(clippy::disallowed_methods, reason = "the virtual time of the simulation")]
pub(crate) fn virtual_now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_story_has_the_time_of_each_line() {
        let trace = Trace::new(true);
        trace.add("Ann", "comes");
        tokio::time::advance(Duration::from_millis(7_384_005)).await;
        trace.clone().add("Ben", format_args!("leaves {}", 1));
        let (lines, _, story) = trace.end();
        assert_eq!(lines, 2);
        assert_eq!(story.as_deref(), Some("00:00:00.000 Ann: comes\n02:03:04.005 Ben: leaves 1\n"));
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_of_day_goes_on_with_the_virtual_time() {
        tokio::time::advance(Duration::from_secs(5)).await;
        let trace = Trace::new(false);
        assert_eq!(trace.time_of_day(), BEGIN);
        tokio::time::advance(Duration::from_secs(90)).await;
        assert_eq!(trace.time_of_day(), BEGIN + Duration::from_secs(90));
    }

    #[test]
    fn a_time_of_day_is_shown_since_the_beginning() {
        assert_eq!(story_time(BEGIN + Duration::from_millis(7_384_005)).to_string(), "02:03:04.005");
        assert_eq!(story_time(Timestamp::from_millis(0)).to_string(), "00:00:00.000", "a clock was set back");
    }

    /// Returns the end of a story with these lines of one actor.
    fn end(is_kept: bool, lines: &[&str]) -> (u64, u64, Option<String>) {
        let trace = Trace::new(is_kept);
        lines.iter().for_each(|line| trace.add("Ann", line));
        trace.end()
    }

    #[tokio::test(start_paused = true)]
    async fn the_digest_depends_on_every_line_and_not_on_their_keeping() {
        let (lines, digest, story) = end(false, &["sits", "moves"]);
        assert_eq!((lines, story), (2, None));
        assert_eq!(end(true, &["sits", "moves"]).1, digest);
        for others in [&["moves", "sits"][..], &["sits"], &["sits", "moves", "moves"], &["sits", "moved"]] {
            assert_ne!(end(false, others).1, digest, "{others:?}");
        }
        let late = Trace::new(false);
        late.add("Ann", "sits");
        tokio::time::advance(Duration::from_millis(1)).await;
        late.add("Ann", "moves");
        assert_ne!(late.end().1, digest, "the time is a part of the line");
    }
}
