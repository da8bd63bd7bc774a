//! The universal chess interface (UCI), a text interface to the rules and the engine. `quadrex uci`
//! provides it.
//!
//! `docs/UCI.md` describes the extensions for four players: the options `UCI_Variant` and `Draws`,
//! FEN4 positions, elimination tokens among the moves, four clocks, four scores, and `d`.
//!
//! [`run`] reads lines from one stream and writes the answers to another stream. A [`Session`]
//! answers one line at a time, without threads or a clock.
//!
//! ```
//! let mut output = Vec::new();
//! let input = &b"position startpos moves e2e4\ngo perft 1\nquit\n"[..];
//! quadrex_uci::run(input, &mut output, || std::time::Duration::ZERO)?;
//! assert!(output.ends_with(b"\nNodes searched: 20\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod action;
mod command;
mod description;
mod error;
mod go;
mod job;
mod lines;
mod options;
mod session;
mod session_loop;
mod state;
mod stop_signal;

use std::io::{self, BufRead, Write};
use std::time::Duration;

pub use session::Session;

/// Answers commands, one per line, until `quit` or the end of `input`. Every line of output is
/// flushed.
///
/// A search runs in a thread of its own while lines are read. A command that changes the state
/// waits for the end of the search, unless only `stop` ends the search. At the end of `input` a
/// search is completed; `quit` stops it.
///
/// `now` returns the time since a fixed moment, and is used to measure the time of searches.
///
/// A line that cannot be executed is answered with `info string error: ...` and changes nothing.
/// Such a line contains no command, is longer than a mebibyte, or is not UTF-8. A `go` with invalid
/// parameters is executed nevertheless: the invalid parameters are reported, the other parameters
/// are used, and the answer is a move.
///
/// # Errors
/// Returns [`io::Error`] if a stream fails.
pub fn run(
    input: impl BufRead,
    output: impl Write + Send,
    now: impl Fn() -> Duration + Sync,
) -> io::Result<()> {
    session_loop::SessionLoop::new(output, now).run(input)
}
