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
    /// What could not be read, as it is reported; at most [`MAX_FAULTS`]
    pub faults: Vec<CommandError>,
}

/// The faults of one `go` that are reported.
const MAX_FAULTS: usize = 16;

/// One player's time, or what each move adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hand {
    pub color_letter: char,
    pub is_increment: bool,
    pub value: Duration,
}

impl Aim {
    /// Notes what is wrong with a word; the others count.
    pub(super) fn fault(&mut self, reason: String) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(malformed(reason));
        }
    }

    /// What is left to a player, if anything about it was said, and what each move adds.
    pub(super) fn clock_of(&self, color: Color) -> (Option<Duration>, Duration) {
        let value = |is_increment| {
            let is_meant =
                |hand: &&Hand| hand.color_letter == color.letter() && hand.is_increment == is_increment;
            self.clocks.iter().rfind(is_meant).map(|hand| hand.value)
        };
        (value(false), value(true).unwrap_or_default())
    }
}

/// Words that begin a parameter, beside those of clocks ([`hand`]).
const PARAMETERS: [&str; 8] =
    ["infinite", "ponder", "depth", "nodes", "mate", "movestogo", "movetime", "searchmoves"];

/// Reads what follows `go`. A search takes what can be read and reports the rest ([`Aim::faults`]); a count is refused.
pub(super) fn parse(words: &[&str]) -> Result<Go, CommandError> {
    if let ["perft", rest @ ..] = words {
        return match rest {
            [depth] => match depth.parse() {
                Ok(depth) => Ok(Go::Perft(depth)),
                Err(_) => Err(malformed(no_number("perft", depth))),
            },
            _ => Err(malformed("perft: expected one number")),
        };
    }
    let mut reader = Reader { words, aim: Aim::default() };
    while let Some(word) = reader.next() {
        reader.parameter(word);
    }
    Ok(Go::Search(reader.aim))
}

/// The words that are still to be read, and what was read of them.
struct Reader<'a> {
    words: &'a [&'a str],
    aim: Aim,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    /// The next word, unless it begins another parameter.
    fn value(&mut self) -> Option<&'a str> {
        let next = self.words.first()?;
        if PARAMETERS.contains(next) || hand(next).is_some() { None } else { self.next() }
    }

    fn parameter(&mut self, word: &str) {
        match word {
            "infinite" => self.aim.is_infinite = true,
            "ponder" => self.aim.ponders = true,
            "depth" => self.aim.depth = self.number(word).or(self.aim.depth),
            "nodes" => self.aim.nodes = self.number(word).or(self.aim.nodes),
            "mate" => self.aim.mate = self.number(word).or(self.aim.mate),
            "movestogo" => self.aim.moves_to_go = self.number(word).or(self.aim.moves_to_go),
            "movetime" => self.aim.time = self.time(word).or(self.aim.time),
            "searchmoves" => self.moves(),
            _ => match hand(word) {
                Some((color_letter, is_increment)) => {
                    let value = self.time(word);
                    self.aim.clocks.extend(value.map(|value| Hand { color_letter, is_increment, value }));
                }
                None => self.aim.fault(format!("unexpected {}", quoted(word))),
            },
        }
    }

    fn moves(&mut self) {
        let before = (self.aim.moves.len(), self.aim.faults.len());
        while let Some(word) = self.value() {
            match word.parse() {
                Ok(mv) => self.aim.moves.push(mv),
                Err(_) => self.aim.fault(format!("searchmoves: {} is no move", quoted(word))),
            }
        }
        if before == (self.aim.moves.len(), self.aim.faults.len()) {
            self.aim.fault("searchmoves: expected moves".to_owned());
        }
    }

    /// Milliseconds. Some programs send what is left of a clock that has fallen: below zero.
    fn time(&mut self, name: &str) -> Option<Duration> {
        let ms: i64 = self.number(name)?;
        Some(Duration::from_millis(u64::try_from(ms).unwrap_or(0)))
    }

    fn number<T: std::str::FromStr>(&mut self, name: &str) -> Option<T> {
        let Some(word) = self.value() else {
            self.aim.fault(format!("{name}: expected a number"));
            return None;
        };
        let number = word.parse().ok();
        if number.is_none() {
            self.aim.fault(no_number(name, word));
        }
        number
    }
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

fn no_number(name: &str, word: &str) -> String {
    format!("{name}: {} is not a number it can be", quoted(word))
}

fn malformed(reason: impl Into<String>) -> CommandError {
    CommandError::malformed("go", reason)
}
