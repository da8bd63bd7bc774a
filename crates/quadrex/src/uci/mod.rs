//! The universal chess interface (UCI) on a pair of streams: the text face of the rules and the engine.
//!
//! What four players need beyond UCI is told in `docs/UCI.md`: the options `UCI_Variant` and `Draws`, FEN4
//! positions, going-out tokens among the moves, four clocks, and `d`.

mod command;
mod description;
mod lines;
mod search;
mod session;

use std::io::{self, BufRead, Write};

use command::{Command, CommandError};
use lines::Lines;
use session::Session;

/// Answers commands, one a line, until `quit` or the end of `input`. Every line of output is flushed.
///
/// A line that is no command, or cannot be carried out, gets `info string error: ...` and changes nothing.
///
/// # Errors
/// When a stream fails.
pub(crate) fn run(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut session = Session::new();
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next()? {
        let command = line.map_err(CommandError::from).and_then(|line| Command::parse(&line));
        let answer = match command {
            Ok(Some(Command::Quit)) => return Ok(()),
            Ok(Some(command)) => session.carry_out(command),
            Ok(None) => continue,
            Err(error) => Err(error),
        };
        for line in answer.unwrap_or_else(|error| vec![format!("info string error: {error}")]) {
            writeln!(output, "{line}")?;
            output.flush()?;
        }
    }
    Ok(())
}
