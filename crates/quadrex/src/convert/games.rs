//! Games as they come in, from whichever form, and what they look like in another.

use std::io::{self, Read};

use quadrex_protocol::MatchRecord;
use quadrex_rules::notation::{Notation, Playback, Reader, Replay, Source, Warning, WrittenGame};

use super::form::Form;
use crate::records::{Record, Records};

/// Why a game is not converted: where it stands, and the reason.
pub(crate) type Refusal = String;

/// A game that has been read and played over.
#[derive(Debug)]
pub(crate) enum Game {
    /// From PGN or PGN4.
    Written(Box<Played>),
    /// From a record.
    Recorded(Box<Record>),
}

/// A written game and what playing it over came to.
#[derive(Debug)]
pub(crate) struct Played {
    game: WrittenGame,
    replay: Replay,
    notation: Notation,
}

/// A game as it is written out.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    /// What was dropped of it.
    pub(crate) warnings: Vec<String>,
}

/// Reads games one by one; one at a time is in memory.
pub(crate) enum Games<R> {
    /// PGN or PGN4: a game's own tags tell which, and where they do not, the notation.
    Written {
        reader: Reader<ReadBytes<R>>,
        default: Notation,
        partial: bool,
    },
    Recorded(Records<R>),
}

impl<R: Read> Games<R> {
    /// Reads `input`, with games by other rules only if they may be `partial`.
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
                Some(
                    game.map_err(|error| error.to_string())
                        .and_then(|game| play_over(game, default, partial)),
                )
            }
        }
    }
}

/// Plays a written game over. One that cannot be followed to its end is refused unless it may be partial.
fn play_over(game: WrittenGame, default: Notation, partial: bool) -> Result<Game, Refusal> {
    let notation = Notation::of_tags(&game.tags).unwrap_or(default);
    let replay = notation.replay(&game).map_err(|error| error.to_string())?;
    match &replay.stopped {
        Some(stop) if !partial => Err(stop.to_string()),
        _ => Ok(Game::Written(Box::new(Played { game, replay, notation }))),
    }
}

impl Game {
    /// The game played over.
    ///
    /// # Errors
    /// When the events of a record cannot have happened.
    pub(crate) fn playback(self) -> Result<Playback, Refusal> {
        match self {
            Self::Written(played) => Ok(played.replay.playback),
            Self::Recorded(recorded) => {
                let Record { record, number, location } = *recorded;
                record.replay().map_err(|error| format!("record {number}, {location}: {error}"))
            }
        }
    }

    /// How it is written in a form; without one, records become games in the notation of their variant.
    pub(crate) fn text(self, to: Option<Form>) -> Result<Text, Refusal> {
        match self {
            Self::Written(played) => {
                let Played { game, replay, notation } = *played;
                let named = |warning: &Warning| {
                    let times =
                        if warning.count > 1 { format!(" ({} times)", warning.count) } else { String::new() };
                    format!("game {}, {}: {}{times}", game.number, warning.location, warning.kind)
                };
                let warnings = replay.warnings.iter().map(named).collect();
                let bytes = match to.unwrap_or(Form::of_notation(notation)) {
                    Form::Json => json(&MatchRecord::from_written(&game, &replay))?,
                    form => {
                        written(&game, notation, form, &format!("game {}, {}", game.number, game.location))?
                    }
                };
                Ok(Text { bytes, warnings })
            }
            Self::Recorded(recorded) => {
                let Record { record, number, location } = *recorded;
                let name = format!("record {number}, {location}");
                let game = record.to_written(number, location).map_err(|error| format!("{name}: {error}"))?;
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

/// A line of JSON.
fn json(record: &MatchRecord) -> Result<Vec<u8>, Refusal> {
    let mut line = serde_json::to_vec(record).map_err(|error| error.to_string())?;
    line.push(b'\n');
    Ok(line)
}

/// The text of a game in its own notation; no other can hold it.
fn written(game: &WrittenGame, notation: Notation, form: Form, name: &str) -> Result<Vec<u8>, Refusal> {
    if Form::of_notation(notation) != form {
        let own = Form::of_notation(notation).name();
        return Err(format!("{name}: a game of {own} cannot be written as {}", form.name()));
    }
    let mut text = String::new();
    let done = match notation {
        Notation::Pgn => game.write_pgn(&mut text),
        Notation::Pgn4 => game.write_pgn4(&mut text),
    };
    done.expect("writing into memory does not fail");
    Ok(text.into_bytes())
}

/// Refuses a text that would not be read as the game it is of: a record may hold words that notation cannot.
fn reread(text: Vec<u8>, game: &WrittenGame, name: &str) -> Result<Vec<u8>, Refusal> {
    let mut games = Reader::new(text.as_slice());
    let is_it = matches!(games.next(), Some(Ok(read)) if read == *game) && games.next().is_none();
    if is_it { Ok(text) } else { Err(format!("{name}: holds words that notation cannot tell from others")) }
}

/// A stream of bytes as a source of games.
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
