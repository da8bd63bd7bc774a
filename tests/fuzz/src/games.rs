//! Checks of games in PGN and PGN4.

use quadrex_protocol::record::MatchRecord;
use quadrex_rules::notation::{
    BadEvent, Line, ReadError, Reader, Replay, ReplayError, WrittenGame, pgn, pgn4,
};

/// Only inputs whose length is a multiple of this are converted to records, because the conversion
/// takes as long as all other checks.
const RECORDS: usize = 4;

/// A notation for games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// PGN, for two players.
    Pgn,
    /// PGN4, for four players.
    Pgn4,
}

/// Reads all games of the input, writes each of them, and replays it.
pub fn check(form: Form, data: &[u8]) {
    let mut bytes_read = 0;
    // This reader gets a few bytes at a time, as from a network. The other reader gets all bytes at
    // once.
    let mut rest = data;
    let trickle = |buffer: &mut [u8]| {
        let count = rest.len().min(buffer.len()).min(1 + bytes_read % 7);
        buffer[..count].copy_from_slice(&rest[..count]);
        rest = &rest[count..];
        bytes_read += count;
        Ok(count)
    };
    let mut games = Reader::new(data);
    for trickled in Reader::new(trickle) {
        let whole = games.next().expect("the same bytes hold as many games");
        match (whole, trickled) {
            (Ok(game), Ok(other)) => {
                assert_eq!(game, other);
                assert_eq!((game.location, game.number), (other.location, other.number));
                check_text(form, &game);
                check_replay(form, &game, data.len().is_multiple_of(RECORDS));
            }
            (Err(ReadError::Syntax(error)), Err(ReadError::<()>::Syntax(other))) => {
                assert_eq!(error, other);
                let _ = error.to_string();
            }
            (whole, other) => panic!("read at once {whole:?}, in pieces {other:?}"),
        }
    }
    assert!(games.next().is_none(), "the same bytes hold as many games");
}

/// Checks that writing and reading a game gives the same game, except for line breaks in tags.
fn check_text(form: Form, game: &WrittenGame) {
    if is_empty(game) {
        return;
    }
    let text = form.text(game);
    assert_eq!(parse_written(&text), without_line_breaks(game), "written as {text:?}");
}

/// Returns the game without line breaks in its tags, which is how it is written.
fn without_line_breaks(game: &WrittenGame) -> WrittenGame {
    let mut unbroken = game.clone();
    for (name, value) in game.tags.iter() {
        unbroken.tags.set(name, &value.replace(['\n', '\r'], " "));
    }
    unbroken
}

/// Returns whether a game has nothing to write. A lone move number, for example, is nothing.
fn is_empty(game: &WrittenGame) -> bool {
    game.tags.is_empty() && game.line == Line::default() && game.result.is_none()
}

/// Checks that a replayed game, written and read again, replays in the same way.
fn check_replay(form: Form, game: &WrittenGame, as_record: bool) {
    let replay = match form.replay(game) {
        Ok(replay) => replay,
        Err(error) => {
            let _ = error.to_string();
            return;
        }
    };
    let _ = replay.stopped.as_ref().map(ToString::to_string);
    let config = replay.playback.game().config();
    if as_record {
        check_record(game, &replay);
    }
    let written = form.write(game, &replay).expect("what happened can be written");
    let text = form.text(&written);
    let read = parse_written(&text);
    assert_eq!(read, without_line_breaks(&written), "{text}");
    let again = form.replay(&read).expect("what was written begins");
    assert_eq!(again.stopped, None, "{text}");
    assert_eq!(again.playback.events(), replay.playback.events(), "{text}");
    assert_eq!(again.playback.game().position(), replay.playback.game().position(), "{text}");
    assert_eq!(again.playback.game().config(), config, "{text}");
}

/// Checks that a record contains the whole game, and that it can be written and read.
fn check_record(game: &WrittenGame, replay: &Replay) {
    let record = MatchRecord::from_notation(game, replay);
    let text = serde_json::to_string(&record).expect("it has a text");
    let read: MatchRecord = serde_json::from_str(&text).expect("what is written can be read");
    assert_eq!(read, record, "{text}");
    assert_eq!(record.to_notation(game.number, game.location).as_ref(), Ok(game), "{text}");
}

/// Reads a text that contains one written game.
fn parse_written(text: &str) -> WrittenGame {
    let mut games = Reader::new(text.as_bytes());
    let game = games.next().expect("a game was written").expect("what is written can be read");
    assert!(games.next().is_none(), "one game was written, more are read: {text:?}");
    game
}

impl Form {
    fn text(self, game: &WrittenGame) -> String {
        let mut text = String::new();
        match self {
            Self::Pgn => game.write_pgn(&mut text),
            Self::Pgn4 => game.write_pgn4(&mut text),
        }
        .expect("a string takes everything");
        text
    }

    fn replay(self, game: &WrittenGame) -> Result<Replay, ReplayError> {
        match self {
            Self::Pgn => pgn::replay(game),
            Self::Pgn4 => pgn4::replay(game),
        }
    }

    fn write(self, game: &WrittenGame, replay: &Replay) -> Result<WrittenGame, BadEvent> {
        let (config, events) = (replay.playback.game().config(), replay.playback.events());
        match self {
            Self::Pgn => pgn::write(config, events, &game.tags),
            Self::Pgn4 => pgn4::write(config, events, &game.tags),
        }
    }
}
