//! What `go` asks for.

use quadrex_rules::Move;

use super::command::{CommandError, quoted};

/// A `go` with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Go {
    /// `go perft N`
    Perft(u32),
    /// Any other: choose a move.
    Search(Aim),
}

/// What a search is told. Times are read and not needed: a move takes some milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Aim {
    /// `depth N`, or `mate N` counted in plies
    pub(super) depth: Option<u32>,
    /// `nodes N`
    pub(super) nodes: Option<u64>,
    /// `infinite` or `ponder`: the move is held back until `stop` or `ponderhit`.
    pub(super) is_open_ended: bool,
    /// `searchmoves ...`: only these; empty for all.
    pub(super) moves: Vec<Move>,
}

/// The words that a number of milliseconds follows: the clocks of two and of four players.
const TIMES: [&str; 12] = [
    "movetime",
    "wtime",
    "btime",
    "rtime",
    "ytime",
    "gtime",
    "winc",
    "binc",
    "rinc",
    "yinc",
    "ginc",
    // UCI's count of moves to the next time control is read like a time.
    "movestogo",
];

/// Reads what follows `go`.
pub(super) fn parse(words: &[&str]) -> Result<Go, CommandError> {
    if let ["perft", rest @ ..] = words {
        return match rest {
            [depth] => Ok(Go::Perft(number("perft", Some(depth))?)),
            _ => Err(malformed("perft: expected one number")),
        };
    }
    let mut aim = Aim::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" | "ponder" => aim.is_open_ended = true,
            "depth" => aim.depth = Some(number(word, words.next())?),
            "mate" => aim.depth = Some(number::<u32>(word, words.next())?.saturating_mul(2)),
            "nodes" => aim.nodes = Some(number(word, words.next())?),
            "searchmoves" => {
                while let Some(mv) = words.peek().and_then(|word| word.parse().ok()) {
                    aim.moves.push(mv);
                    words.next();
                }
                if aim.moves.is_empty() {
                    return Err(malformed("searchmoves: expected moves"));
                }
            }
            // Some programs send what is left of a clock that has fallen: below zero.
            _ if TIMES.contains(&word) => drop(number::<i64>(word, words.next())?),
            _ => return Err(malformed(format!("unexpected {}", quoted(word)))),
        }
    }
    Ok(Go::Search(aim))
}

fn number<T: std::str::FromStr>(name: &str, word: Option<&str>) -> Result<T, CommandError> {
    let word = word.ok_or_else(|| malformed(format!("{name}: expected a number")))?;
    word.parse().map_err(|_| malformed(format!("{name}: {} is not a number it can be", quoted(word))))
}

fn malformed(reason: impl Into<String>) -> CommandError {
    CommandError::malformed("go", reason)
}
