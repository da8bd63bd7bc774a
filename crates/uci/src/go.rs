//! The parameters of `go`.

use std::time::Duration;

use quadrex_rules::{Color, Move};

use super::error::{CommandError, quoted};

/// A `go` with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Go {
    /// `go perft N`
    Perft(u32),
    /// Any other `go`: a search for a move.
    Search(SearchParams),
}

/// The parameters of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SearchParams {
    /// `depth N`
    pub depth: Option<u32>,
    /// `nodes N`
    pub nodes: Option<u64>,
    /// `mate N`
    pub mate: Option<u32>,
    /// `movetime MS`
    pub time: Option<Duration>,
    /// `wtime`, `winc` and the other clocks
    pub clocks: Vec<ClockParam>,
    /// `movestogo N`
    pub moves_to_go: Option<u32>,
    /// `infinite`: the move is withheld until `stop`.
    pub is_infinite: bool,
    /// `ponder`: no time is counted and the move is withheld until `ponderhit`.
    pub is_pondering: bool,
    /// `searchmoves ...`: the moves to choose among; empty for all
    pub moves: Vec<Move>,
    /// Errors in the parameters, to be reported; at most [`MAX_FAULTS`]
    pub faults: Vec<CommandError>,
}

/// The number of errors reported for one `go`.
const MAX_FAULTS: usize = 16;

/// The time left to one player, or its increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClockParam {
    pub color_letter: char,
    pub is_increment: bool,
    pub value: Duration,
}

impl SearchParams {
    /// Records an error in a parameter. The other parameters remain valid.
    pub(super) fn report(&mut self, reason: String) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(malformed(reason));
        }
    }

    /// Returns a player's time left, if given, and the player's increment.
    pub(super) fn clock_of(&self, color: Color) -> (Option<Duration>, Duration) {
        let value = |is_increment| {
            let is_meant = |clock_param: &&ClockParam| {
                clock_param.color_letter == color.letter() && clock_param.is_increment == is_increment
            };
            self.clocks.iter().rfind(is_meant).map(|clock_param| clock_param.value)
        };
        (value(false), value(true).unwrap_or_default())
    }
}

/// The words that begin a parameter, without the words for clocks ([`clock_param`]).
const PARAMETERS: [&str; 8] =
    ["infinite", "ponder", "depth", "nodes", "mate", "movestogo", "movetime", "searchmoves"];

/// Parses the arguments of `go`. An invalid parameter of a search is reported
/// ([`SearchParams::faults`]), and the other parameters are used. An invalid perft is refused.
pub(super) fn parse(words: &[&str]) -> Result<Go, CommandError> {
    if let ["perft", rest @ ..] = words {
        return match rest {
            [depth] => match depth.parse() {
                Ok(depth) => Ok(Go::Perft(depth)),
                Err(_) => Err(malformed(invalid_number("perft", depth))),
            },
            _ => Err(malformed("perft: expected one number")),
        };
    }
    let mut reader = Reader { words, params: SearchParams::default() };
    while let Some(word) = reader.next() {
        reader.parameter(word);
    }
    Ok(Go::Search(reader.params))
}

/// The words that have not been parsed yet, and the parameters parsed so far.
struct Reader<'a> {
    words: &'a [&'a str],
    params: SearchParams,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    /// Returns the next word, unless it begins another parameter.
    fn value(&mut self) -> Option<&'a str> {
        let next = self.words.first()?;
        if PARAMETERS.contains(next) || clock_param(next).is_some() { None } else { self.next() }
    }

    fn parameter(&mut self, word: &str) {
        match word {
            "infinite" => self.params.is_infinite = true,
            "ponder" => self.params.is_pondering = true,
            "depth" => self.params.depth = self.number(word).or(self.params.depth),
            "nodes" => self.params.nodes = self.number(word).or(self.params.nodes),
            "mate" => self.params.mate = self.number(word).or(self.params.mate),
            "movestogo" => self.params.moves_to_go = self.number(word).or(self.params.moves_to_go),
            "movetime" => self.params.time = self.time(word).or(self.params.time),
            "searchmoves" => self.moves(),
            _ => match clock_param(word) {
                Some((color_letter, is_increment)) => {
                    let value = self.time(word);
                    self.params.clocks.extend(value.map(|value| ClockParam {
                        color_letter,
                        is_increment,
                        value,
                    }));
                }
                None => self.params.report(format!("unexpected {}", quoted(word))),
            },
        }
    }

    fn moves(&mut self) {
        let before = (self.params.moves.len(), self.params.faults.len());
        while let Some(word) = self.value() {
            match word.parse() {
                Ok(mv) => self.params.moves.push(mv),
                Err(_) => self.params.report(format!("searchmoves: {} is no move", quoted(word))),
            }
        }
        if before == (self.params.moves.len(), self.params.faults.len()) {
            self.params.report("searchmoves: expected moves".to_owned());
        }
    }

    /// Parses milliseconds. A negative time, which some programs send for an expired clock, counts
    /// as zero.
    fn time(&mut self, name: &str) -> Option<Duration> {
        let ms: i64 = self.number(name)?;
        Some(Duration::from_millis(u64::try_from(ms).unwrap_or(0)))
    }

    fn number<T: std::str::FromStr>(&mut self, name: &str) -> Option<T> {
        let Some(word) = self.value() else {
            self.params.report(format!("{name}: expected a number"));
            return None;
        };
        let number = word.parse().ok();
        if number.is_none() {
            self.params.report(invalid_number(name, word));
        }
        number
    }
}

/// Parses the name of a clock parameter for two or four players, such as `wtime` or `winc`. Returns
/// the letter of the color, and true if it is an increment.
fn clock_param(word: &str) -> Option<(char, bool)> {
    let color_letter = word.chars().next().filter(|letter| "wbryg".contains(*letter))?;
    match &word[1..] {
        "time" => Some((color_letter, false)),
        "inc" => Some((color_letter, true)),
        _ => None,
    }
}

fn invalid_number(name: &str, word: &str) -> String {
    format!("{name}: {} is not a number it can be", quoted(word))
}

fn malformed(reason: impl Into<String>) -> CommandError {
    CommandError::malformed("go", reason)
}
