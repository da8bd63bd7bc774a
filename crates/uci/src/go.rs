//! What `go` asks for.

use std::time::Duration;

use quadrex_rules::{Color, Move};

use super::command::{CommandError, quoted};

/// A `go` with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Go {
    /// `go perft N`
    Perft(u32),
    /// Any other: choose a move.
    Search(Aim),
}

/// What a search is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Aim {
    /// `depth N`
    pub depth: Option<u32>,
    /// `nodes N`
    pub nodes: Option<u64>,
    /// `mate N`
    pub mate: Option<u32>,
    /// `movetime MS`
    pub time: Option<Duration>,
    /// `wtime`, `winc` and their likes
    pub clocks: Vec<Hand>,
    /// `movestogo N`
    pub moves_to_go: Option<u32>,
    /// `infinite`: the move is held back until `stop`.
    pub is_infinite: bool,
    /// `ponder`: no time passes until `ponderhit`, and the move is held back until then.
    pub ponders: bool,
    /// `searchmoves ...`: only these; empty for all
    pub moves: Vec<Move>,
}

/// One player's time, or what each move adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hand {
    pub color_letter: char,
    pub is_increment: bool,
    pub value: Duration,
}

impl Aim {
    /// What is left to a player, if anything about it was said, and what each move adds.
    pub(super) fn clock_of(&self, color: Color) -> (Option<Duration>, Duration) {
        let value = |is_increment| {
            let is_meant =
                |hand: &&Hand| hand.color_letter == color.letter() && hand.is_increment == is_increment;
            self.clocks.iter().rfind(is_meant).map(|hand| hand.value)
        };
        (value(false), value(true).unwrap_or_default())
    }

    /// Whether anything ends the search by itself.
    pub(super) fn is_limited(&self) -> bool {
        let is_counted = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        is_counted || self.time.is_some() || !self.clocks.is_empty()
    }
}

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
            "infinite" => aim.is_infinite = true,
            "ponder" => aim.ponders = true,
            "depth" => aim.depth = Some(number(word, words.next())?),
            "nodes" => aim.nodes = Some(number(word, words.next())?),
            "mate" => aim.mate = Some(number(word, words.next())?),
            "movestogo" => aim.moves_to_go = Some(number(word, words.next())?),
            "movetime" => aim.time = Some(time(word, words.next())?),
            "searchmoves" => {
                let mut moves = Vec::new();
                while let Some(mv) = words.peek().and_then(|word| word.parse().ok()) {
                    moves.push(mv);
                    words.next();
                }
                if moves.is_empty() {
                    return Err(malformed("searchmoves: expected moves"));
                }
                aim.moves = moves;
            }
            _ => {
                let (color_letter, is_increment) =
                    hand(word).ok_or_else(|| malformed(format!("unexpected {}", quoted(word))))?;
                aim.clocks.push(Hand { color_letter, is_increment, value: time(word, words.next())? });
            }
        }
    }
    Ok(Go::Search(aim))
}

/// `wtime` and `winc`, `btime` and so on for two and for four players.
fn hand(word: &str) -> Option<(char, bool)> {
    let color_letter = word.chars().next().filter(|letter| "wbryg".contains(*letter))?;
    match &word[1..] {
        "time" => Some((color_letter, false)),
        "inc" => Some((color_letter, true)),
        _ => None,
    }
}

/// Milliseconds. Some programs send what is left of a clock that has fallen: below zero.
fn time(name: &str, word: Option<&str>) -> Result<Duration, CommandError> {
    let ms: i64 = number(name, word)?;
    Ok(Duration::from_millis(u64::try_from(ms).unwrap_or(0)))
}

fn number<T: std::str::FromStr>(name: &str, word: Option<&str>) -> Result<T, CommandError> {
    let word = word.ok_or_else(|| malformed(format!("{name}: expected a number")))?;
    word.parse().map_err(|_| malformed(format!("{name}: {} is not a number it can be", quoted(word))))
}

pub(super) fn malformed(reason: impl Into<String>) -> CommandError {
    CommandError::malformed("go", reason)
}
