//! Parsing of input lines.

use super::action::Action;
use super::error::{CommandError, quoted};
use super::go::{self, Go};
use super::options::{self, Setting};

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `setoption ...`
    Set(Setting),
    /// `ucinewgame`
    NewGame,
    /// `position ...`
    Position { start: Start, actions: Vec<Action> },
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
    /// `debug on|off`, `register ...`: accepted without effect.
    Ignore,
}

/// The start of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// The variant's start position.
    Variant,
    /// A FEN or FEN4. It is not parsed yet, because parsing depends on the variant.
    Text(String),
}

impl Command {
    /// Checks a command that arrives during a search that only `stop` ends. Returns an error if the
    /// command changes the state, because such a command waits for the end of the search, and this
    /// search does not end by itself.
    pub(super) fn check_during_endless_search(&self) -> Result<(), CommandError> {
        let command = match self {
            Self::Set(_) => "setoption",
            Self::NewGame => "ucinewgame",
            Self::Position { .. } => "position",
            Self::Go(_) => "go",
            Self::Uci
            | Self::IsReady
            | Self::Stop
            | Self::PonderHit
            | Self::Describe
            | Self::Quit
            | Self::Ignore => return Ok(()),
        };
        Err(CommandError::Searching { command })
    }

    /// Parses a line. Returns `None` for a blank line.
    pub(super) fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            return Ok(None);
        };
        let words: Vec<&str> = words.collect();
        Ok(Some(match first {
            "uci" => without_arguments("uci", &words, Self::Uci)?,
            "isready" => without_arguments("isready", &words, Self::IsReady)?,
            "ucinewgame" => without_arguments("ucinewgame", &words, Self::NewGame)?,
            "stop" => without_arguments("stop", &words, Self::Stop)?,
            "ponderhit" => without_arguments("ponderhit", &words, Self::PonderHit)?,
            "d" => without_arguments("d", &words, Self::Describe)?,
            "quit" => without_arguments("quit", &words, Self::Quit)?,
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

/// Returns a command that takes no arguments.
fn without_arguments(name: &'static str, words: &[&str], command: Command) -> Result<Command, CommandError> {
    match words.first() {
        None => Ok(command),
        Some(word) => Err(CommandError::malformed(name, format!("unexpected {}", quoted(word)))),
    }
}

/// Parses `startpos|fen <fen> [moves ...]`.
fn position(words: &[&str]) -> Result<Command, CommandError> {
    let malformed = |reason: String| CommandError::malformed("position", reason);
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let start = match &words[..end] {
        ["startpos"] => Start::Variant,
        ["startpos", word, ..] => return Err(malformed(format!("expected moves, not {}", quoted(word)))),
        ["fen"] => return Err(malformed("fen: nothing follows".to_owned())),
        ["fen", fen @ ..] => Start::Text(fen.join(" ")),
        _ => return Err(malformed("expected startpos or fen".to_owned())),
    };
    let parse = |word: &&str| {
        Action::parse(word)
            .ok_or_else(|| malformed(format!("{} is neither a move nor a token", quoted(word))))
    };
    let actions = words.get(end + 1..).unwrap_or_default().iter().map(parse).collect::<Result<_, _>>()?;
    Ok(Command::Position { start, actions })
}
