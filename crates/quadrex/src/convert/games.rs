//! Reading games in any format, and writing them in another.

use std::io::{self, Read};

use quadrex_protocol::MatchRecord;
use quadrex_rules::notation::{Notation, Playback, Reader, Replay, Source, Warning, WrittenGame};

use super::form::Form;
use crate::records::{Record, Records};

/// The reason why a game cannot be converted, with the location of the problem.
pub(crate) type Refusal = String;

/// A game that has been read and replayed.
#[derive(Debug)]
pub(crate) enum Game {
    /// From PGN or PGN4.
    Written(Box<Played>),
    /// From a record.
    Recorded(Box<Record>),
}

/// A written game with its replay.
#[derive(Debug)]
pub(crate) struct Played {
    game: WrittenGame,
    replay: Replay,
    notation: Notation,
}

/// The text of a game.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    /// Descriptions of the parts that were dropped.
    pub(crate) warnings: Vec<String>,
}

/// A reader of games that has only one game in memory at a time.
pub(crate) enum Games<R> {
    /// PGN or PGN4.
    Written {
        reader: Reader<ReadBytes<R>>,
        /// The notation of a game whose tags do not name its variant.
        default: Notation,
        /// True if games by other rules are read up to their first illegal move.
        partial: bool,
    },
    /// Records.
    Recorded(Records<R>),
}

impl<R: Read> Games<R> {
    /// Returns a reader of `input`. With `partial`, games by other rules are read up to their first
    /// illegal move.
    pub(crate) fn new(input: R, form: Form, partial: bool) -> Self {
        let default = match form {
            Form::Pgn => Notation::Pgn,
            Form::Pgn4 => Notation::Pgn4,
            Form::Json => return Self::Recorded(Records::new(input)),
        };
        Self::Written { reader: Reader::new(ReadBytes(input)), default, partial }
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Game, Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Recorded(records) => Some(records.next()?.map(Box::new).map(Game::Recorded)),
            Self::Written { reader, default, partial } => {
                let game = reader.next()?;
                let default = *default;
                let partial = *partial;
                Some(game.map_err(|error| error.to_string()).and_then(|game| replay(game, default, partial)))
            }
        }
    }
}

/// Replays a game in notation. A game with an illegal move is refused unless `partial` is true.
fn replay(game: WrittenGame, default: Notation, partial: bool) -> Result<Game, Refusal> {
    let notation = Notation::of_tags(&game.tags).unwrap_or(default);
    let replay = notation.replay(&game).map_err(|error| error.to_string())?;
    match &replay.stopped {
        Some(stop) if !partial => Err(stop.to_string()),
        _ => Ok(Game::Written(Box::new(Played { game, replay, notation }))),
    }
}

impl Game {
    /// Returns the replayed game.
    ///
    /// # Errors
    /// Returns an error if the events of a record are impossible.
    pub(crate) fn playback(self) -> Result<Playback, Refusal> {
        match self {
            Self::Written(played) => Ok(played.replay.playback),
            Self::Recorded(recorded) => {
                let Record { record, number, location } = *recorded;
                record.replay().map_err(|error| format!("record {number}, {location}: {error}"))
            }
        }
    }

    /// Returns the game in a format. If no format is given, records become games in the notation of
    /// their variant.
    ///
    /// # Errors
    /// Returns an error if the format cannot represent the game.
    pub(crate) fn text(self, to: Option<Form>) -> Result<Text, Refusal> {
        match self {
            Self::Written(played) => {
                let Played { game, replay, notation } = *played;
                let description = |warning: &Warning| {
                    let times =
                        if warning.count > 1 { format!(" ({} times)", warning.count) } else { String::new() };
                    format!("game {}, {}: {}{times}", game.number, warning.location, warning.kind)
                };
                let warnings = replay.warnings.iter().map(description).collect();
                let bytes = match to.unwrap_or(Form::of_notation(notation)) {
                    Form::Json => json(&MatchRecord::from_notation(&game, &replay))?,
                    form => {
                        written(&game, notation, form, &format!("game {}, {}", game.number, game.location))?
                    }
                };
                Ok(Text { bytes, warnings })
            }
            Self::Recorded(recorded) => {
                let Record { record, number, location } = *recorded;
                let name = format!("record {number}, {location}");
                let game =
                    record.to_notation(number, location).map_err(|error| format!("{name}: {error}"))?;
                let notation = record.variant.notation();
                let bytes = match to.unwrap_or(Form::of_notation(notation)) {
                    Form::Json => json(&record)?,
                    form => reread(written(&game, notation, form, &name)?, &game, &name)?,
                };
                Ok(Text { bytes, warnings: Vec::new() })
            }
        }
    }
}

/// Returns a record as a line of JSON.
fn json(record: &MatchRecord) -> Result<Vec<u8>, Refusal> {
    let mut line = serde_json::to_vec(record).map_err(|error| error.to_string())?;
    line.push(b'\n');
    Ok(line)
}

/// Returns the text of a game in its own notation. Returns an error if `form` is another notation,
/// because that notation cannot represent the game.
fn written(game: &WrittenGame, notation: Notation, form: Form, name: &str) -> Result<Vec<u8>, Refusal> {
    if Form::of_notation(notation) != form {
        let own = Form::of_notation(notation).name();
        return Err(format!("{name}: a game of {own} cannot be written as {}", form.name()));
    }
    let mut text = String::new();
    let result = match notation {
        Notation::Pgn => game.write_pgn(&mut text),
        Notation::Pgn4 => game.write_pgn4(&mut text),
    };
    result.expect("writing to a string succeeds");
    Ok(text.into_bytes())
}

/// Returns the text if it can be parsed and the result equals `game`. This fails if a record has
/// comments that the notation cannot represent.
fn reread(text: Vec<u8>, game: &WrittenGame, name: &str) -> Result<Vec<u8>, Refusal> {
    let mut games = Reader::new(text.as_slice());
    let is_same = matches!(games.next(), Some(Ok(read)) if read == *game) && games.next().is_none();
    if is_same { Ok(text) } else { Err(format!("{name}: has a text that the notation cannot represent")) }
}

/// A byte stream as a source of games.
pub(crate) struct ReadBytes<R>(R);

impl<R: Read> Source for ReadBytes<R> {
    type Error = io::Error;

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}
