//! The universal chess interface (UCI): the text face of the rules and the engine, which `quadrex uci` offers.
//!
//! What four players need beyond UCI is told in `docs/UCI.md`: the options `UCI_Variant` and `Draws`, FEN4
//! positions, going-out tokens among the moves, four clocks, four scores, and `d`.
//!
//! [`run`] talks on a pair of streams; a [`Session`] answers one line after the other, without threads and time.
//!
//! ```
//! let mut output = Vec::new();
//! let input = &b"position startpos moves e2e4\ngo perft 1\nquit\n"[..];
//! quadrex_uci::run(input, &mut output, || std::time::Duration::ZERO)?;
//! assert!(output.ends_with(b"\nNodes searched: 20\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod command;
mod description;
mod go;
mod job;
mod lines;
mod options;
mod session;
mod signal;
mod state;
mod talk;

use std::io::{self, BufRead, Write};
use std::time::Duration;

pub use session::Session;

/// Answers commands, one a line, until `quit` or the end of `input`. Every line of output is flushed.
///
/// A search goes on in a thread of its own while lines are read. What it must not meet waits for its end, if that comes
/// by itself. The end of `input` waits for it too, `quit` stops it.
///
/// `now` tells the time that has passed since some moment before; searches that are given time are measured by it.
///
/// A line that is no command, cannot be carried out, is longer than a mebibyte or no UTF-8 text gets
/// `info string error: ...` and changes nothing. Of a `go` only what cannot be read gets that; the rest counts, and it is
/// answered with a move.
///
/// # Errors
/// When a stream fails.
pub fn run(
    input: impl BufRead,
    output: impl Write + Send,
    now: impl Fn() -> Duration + Sync,
) -> io::Result<()> {
    talk::Talk::new(output, now).run(input)
}
