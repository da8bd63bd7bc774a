//! What a line asks for.

use std::fmt;

use quadrex_rules::{Color, Move, Rejection, SetupError};

use super::go::{self, Go};
use super::lines::LineError;
use super::options::{self, Setting};

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `uci`
    Introduce,
    /// `isready`
    IsReady,
    /// `setoption ...`
    Set(Setting),
    /// `ucinewgame`
    NewGame,
    /// `position ...`
    Position { start: Start, happenings: Vec<Happening> },
    /// `go ...`
    Go(Go),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `d`
    Describe,
    /// `quit`
    Quit,
    /// `debug on|off`, `register ...`: taken, and of no effect here.
    Ignore,
}

/// Where a position starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// The variant's own set-up.
    Own,
    /// A FEN or FEN4, still to be read as one of the variant chosen.
    Written(String),
}

/// What stands among the moves of `position`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happening {
    /// `h2h4`
    Move(Move),
    /// `red-resigns`
    Resigns(Color),
    /// `red-flags`
    Flags(Color),
    /// `draw-agreed`
    DrawAgreed,
}

impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(mv) => mv.fmt(f),
            Self::Resigns(color) => write!(f, "{color}-resigns"),
            Self::Flags(color) => write!(f, "{color}-flags"),
            Self::DrawAgreed => f.write_str("draw-agreed"),
        }
    }
}

/// Why a line is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CommandError {
    #[error(transparent)]
    Line(#[from] LineError),
    #[error("unknown command {}", quoted(word))]
    Unknown { word: String },
    #[error("{command}: {reason}")]
    Malformed { command: &'static str, reason: String },
    #[error("position: {}", clipped(&error.to_string()))]
    Setup { error: SetupError },
    #[error("position: {happening} (number {number} after moves): {reason}")]
    Happening { happening: Happening, number: usize, reason: Rejection },
    #[error("{command}: a search is still going on, stop it first")]
    Searching { command: &'static str },
}

impl CommandError {
    pub(super) fn malformed(command: &'static str, reason: impl Into<String>) -> Self {
        Self::Malformed { command, reason: reason.into() }
    }
}

/// The longest part of a wrong input that is given back.
const SHOWN: usize = 60;

/// A wrong word as it may stand in an answer of one line.
pub(super) fn quoted(word: &str) -> String {
    match word.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}...", &word[..end]),
        None => format!("{word:?}"),
    }
}

/// A message about a wrong input, which may repeat the input: without control signs and not endless.
pub(super) fn clipped(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).take(5 * SHOWN).collect()
}

impl Command {
    /// What changes anything has to wait for the end of a search, and one that only `stop` ends may have none: then it
    /// is refused.
    pub(super) fn refuse_in_endless_search(&self) -> Result<(), CommandError> {
        let command = match self {
            Self::Set(_) => "setoption",
            Self::NewGame => "ucinewgame",
            Self::Position { .. } => "position",
            Self::Go(_) => "go",
            Self::Introduce
            | Self::IsReady
            | Self::Stop
            | Self::PonderHit
            | Self::Describe
            | Self::Quit
            | Self::Ignore => return Ok(()),
        };
        Err(CommandError::Searching { command })
    }

    /// Reads a line; `None` if nothing stands on it.
    pub(super) fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            return Ok(None);
        };
        let words: Vec<&str> = words.collect();
        Ok(Some(match first {
            "uci" => alone("uci", &words, Self::Introduce)?,
            "isready" => alone("isready", &words, Self::IsReady)?,
            "ucinewgame" => alone("ucinewgame", &words, Self::NewGame)?,
            "stop" => alone("stop", &words, Self::Stop)?,
            "ponderhit" => alone("ponderhit", &words, Self::PonderHit)?,
            "d" => alone("d", &words, Self::Describe)?,
            "quit" => alone("quit", &words, Self::Quit)?,
            "setoption" => Self::Set(options::parse(&words)?),
            "position" => position(&words)?,
            "go" => Self::Go(go::parse(&words)?),
            "debug" => match *words {
                ["on" | "off"] => Self::Ignore,
                _ => return Err(CommandError::malformed("debug", "expected on or off")),
            },
            "register" => Self::Ignore,
            _ => return Err(CommandError::Unknown { word: first.to_owned() }),
        }))
    }
}

/// A command that takes no words.
fn alone(name: &'static str, words: &[&str], command: Command) -> Result<Command, CommandError> {
    match words.first() {
        None => Ok(command),
        Some(word) => Err(CommandError::malformed(name, format!("unexpected {}", quoted(word)))),
    }
}

/// `startpos|fen <fen> [moves ...]`.
fn position(words: &[&str]) -> Result<Command, CommandError> {
    let malformed = |reason: String| CommandError::malformed("position", reason);
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let start = match &words[..end] {
        ["startpos"] => Start::Own,
        ["startpos", word, ..] => return Err(malformed(format!("expected moves, not {}", quoted(word)))),
        ["fen"] => return Err(malformed("fen: nothing follows".to_owned())),
        ["fen", fen @ ..] => Start::Written(fen.join(" ")),
        _ => return Err(malformed("expected startpos or fen".to_owned())),
    };
    let read = |word: &&str| {
        happening(word).ok_or_else(|| malformed(format!("{} is neither a move nor a token", quoted(word))))
    };
    let happenings = words.get(end + 1..).unwrap_or_default().iter().map(read).collect::<Result<_, _>>()?;
    Ok(Command::Position { start, happenings })
}

fn happening(word: &str) -> Option<Happening> {
    if word == "draw-agreed" {
        return Some(Happening::DrawAgreed);
    }
    match word.split_once('-') {
        Some((color, "resigns")) => Some(Happening::Resigns(color.parse().ok()?)),
        Some((color, "flags")) => Some(Happening::Flags(color.parse().ok()?)),
        Some(_) => None,
        None => Some(Happening::Move(word.parse().ok()?)),
    }
}
