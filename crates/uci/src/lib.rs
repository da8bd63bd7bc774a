//! The universal chess interface (UCI): the text face of the rules and the engine, which `quadrex uci` offers.
//!
//! What four players need beyond UCI is told in `docs/UCI.md`: the options `UCI_Variant` and `Draws`, FEN4
//! positions, going-out tokens among the moves, four clocks, and `d`.
//!
//! [`run`] talks on a pair of streams; a [`Session`] answers one line after the other.
//!
//! ```
//! let mut output = Vec::new();
//! quadrex_uci::run(&b"position startpos moves e2e4\ngo perft 1\nquit\n"[..], &mut output)?;
//! assert!(output.ends_with(b"\nNodes searched: 20\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod command;
mod description;
mod lines;
mod search;
mod session;

use std::io::{self, BufRead, Write};

use lines::Lines;

pub use session::Session;

/// Answers commands, one a line, until `quit` or the end of `input`. Every line of output is flushed.
///
/// A line that is no command, cannot be carried out, is longer than a mebibyte or no UTF-8 text gets
/// `info string error: ...` and changes nothing.
///
/// # Errors
/// When a stream fails.
pub fn run(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut session = Session::new();
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next()? {
        let answer = match line {
            Ok(line) => match session.answer(&line) {
                Some(answer) => answer,
                None => return Ok(()),
            },
            Err(error) => vec![session::refusal(&error.into())],
        };
        for line in answer {
            writeln!(output, "{line}")?;
            output.flush()?;
        }
    }
    Ok(())
}
