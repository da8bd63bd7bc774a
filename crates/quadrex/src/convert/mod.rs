//! `quadrex convert`: converts games between PGN, PGN4 and records (`docs/RECORD.md`).

pub(crate) mod form;
pub(crate) mod games;

use std::fs::{self, File};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use quadrex_progress::Progress;

use crate::output::Output;
use form::Form;
use games::Games;

/// The files and formats of a conversion.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// File to read; - is standard input.
    #[arg(default_value = "-")]
    input: PathBuf,
    /// File to write; - is standard output.
    #[arg(default_value = "-")]
    output: PathBuf,
    /// Input format [default: by the file's extension (.pgn, .pgn4, .json, .jsonl), otherwise by
    /// its content].
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<Form>,
    /// Output format [default: by the file's extension, otherwise records for games and games for
    /// records].
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Form>,
    /// Continues with the next game after a game that cannot be converted.
    #[arg(long)]
    keep_going: bool,
    /// Accepts games that were played by other rules, up to the first move that is illegal here.
    #[arg(long)]
    partial: bool,
}

/// The number of bytes at the beginning of the input from which its format is detected.
const HEAD: u64 = 16 * 1024;

/// Converts all games. Refusals, warnings and finally the number of games go to standard error. The
/// exit status is a failure if any game was refused.
///
/// # Errors
/// Returns an error if a file cannot be opened or written.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Arguments { input, output, from, to, keep_going, partial } = arguments;
    let opened = Input::open(input)?;
    let progress = opened.progress("0 games");
    let Input { name, source, .. } = opened;
    let mut source = progress.reading(source);
    let mut head = Vec::new();
    source.by_ref().take(HEAD).read_to_end(&mut head).with_context(|| name.clone())?;
    let from = from.or_else(|| Form::of_extension(input)).unwrap_or_else(|| Form::of_content(&head));
    let to = to.or_else(|| Form::of_extension(output)).or((from != Form::Json).then_some(Form::Json));
    ensure!(!is_same_file(input, output), "{}: the input and the output are the same file", output.display());
    let mut sink = Output::create(output)?;

    let (mut converted, mut refused) = (0_u64, 0_u64);
    for game in Games::new(io::Cursor::new(head).chain(source), from, *partial) {
        match game.and_then(|game| game.text(to)) {
            Ok(text) => {
                for warning in &text.warnings {
                    progress.warn(|| eprintln!("quadrex: {name}: warning: {}", printable(warning)));
                }
                if progress.print(|| sink.write(&text.bytes))?.is_break() {
                    return Ok(ExitCode::SUCCESS);
                }
                converted += 1;
                progress.describe(format_args!("{converted} games"));
            }
            Err(refusal) => {
                progress.warn(|| eprintln!("quadrex: {name}: {}", printable(&refusal)));
                refused += 1;
                if !keep_going {
                    break;
                }
            }
        }
    }
    drop(progress);
    eprintln!("{converted} games converted, {refused} refused");
    Ok(if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Replaces control characters in a message, which may contain parts of the input.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// An input to read sequentially.
pub(crate) struct Input {
    /// Its name in messages.
    pub(crate) name: String,
    pub(crate) source: Box<dyn Read>,
    /// The length of a file.
    bytes: Option<u64>,
    /// True if a person types it.
    is_typed: bool,
}

impl Input {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        if is_standard(path) {
            let (name, stdin) = ("standard input".to_owned(), io::stdin().lock());
            let is_typed = stdin.is_terminal();
            return Ok(Self { name, source: Box::new(stdin), bytes: None, is_typed });
        }
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| name.clone())?;
        let bytes = file.metadata().ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
        Ok(Self { name, source: Box::new(file), bytes, is_typed: false })
    }

    /// Returns the progress of reading the input. It is hidden if a person types the input.
    pub(crate) fn progress(&self, about: &str) -> Progress {
        if self.is_typed { Progress::hidden() } else { Progress::of_bytes(self.bytes, about) }
    }
}

/// Returns true if a path denotes standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn is_same_file(input: &Path, output: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok().filter(|path| path.is_file());
    !is_standard(input) && real(input).is_some_and(|input| real(output) == Some(input))
}
