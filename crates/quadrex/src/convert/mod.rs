//! `quadrex convert`: games between PGN, PGN4 and records (`docs/RECORD.md`), one by one.

mod form;
mod games;
mod output;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use form::Form;
use games::Games;
use output::Output;

/// What `quadrex convert` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The file to read; - is standard input.
    #[arg(default_value = "-")]
    input: PathBuf,
    /// The file to write; - is standard output.
    #[arg(default_value = "-")]
    output: PathBuf,
    /// What is read; if not given, what the input's ending says (.pgn, .pgn4, .json, .jsonl), or else its content.
    #[arg(long, value_enum)]
    from: Option<Form>,
    /// What is written; if not given, what the output's ending says, or else records from games and games from records.
    #[arg(long, value_enum)]
    to: Option<Form>,
    /// After a game that is refused, go on with the next one.
    #[arg(long)]
    keep_going: bool,
    /// Take also games of other rules that ours cannot follow to their end.
    #[arg(long)]
    partial: bool,
}

/// How many bytes of the input are looked at to tell what it is.
const HEAD: u64 = 16 * 1024;

/// Converts all games. Refusals and warnings go to standard error, and at the end how many games there were; the exit
/// status tells whether any was refused.
///
/// # Errors
/// When a file cannot be opened or written.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Arguments { input, output, from, to, keep_going, partial } = arguments;
    let (name, mut source) = open(input)?;
    let mut head = Vec::new();
    source.by_ref().take(HEAD).read_to_end(&mut head).with_context(|| name.clone())?;
    let from = from.or_else(|| Form::of_ending(input)).unwrap_or_else(|| Form::of_content(&head));
    let to = to.or_else(|| Form::of_ending(output)).or((from != Form::Json).then_some(Form::Json));
    ensure!(!is_same_file(input, output), "{}: cannot be read and written at once", output.display());
    let mut sink = Output::create(output)?;

    let (mut converted, mut refused) = (0_u64, 0_u64);
    for game in Games::new(io::Cursor::new(head).chain(source), from, *partial) {
        match game.and_then(|game| game.text(to)) {
            Ok(text) => {
                for warning in &text.warnings {
                    eprintln!("quadrex: {name}: warning: {}", printable(warning));
                }
                if sink.write(&text.bytes)?.is_break() {
                    return Ok(ExitCode::SUCCESS);
                }
                converted += 1;
            }
            Err(refusal) => {
                eprintln!("quadrex: {name}: {}", printable(&refusal));
                refused += 1;
                if !keep_going {
                    break;
                }
            }
        }
    }
    eprintln!("{converted} games converted, {refused} refused");
    Ok(if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A message that may repeat the input, as it may stand on one line of a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

/// A file, or for `-` standard input, and its name in messages.
pub(crate) fn open(path: &Path) -> Result<(String, Box<dyn Read>)> {
    if is_standard(path) {
        return Ok(("standard input".to_owned(), Box::new(io::stdin().lock())));
    }
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| name.clone())?;
    Ok((name, Box::new(file)))
}

/// Whether a path stands for standard input or output.
fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn is_same_file(input: &Path, output: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok().filter(|path| path.is_file());
    !is_standard(input) && real(input).is_some_and(|input| real(output) == Some(input))
}
