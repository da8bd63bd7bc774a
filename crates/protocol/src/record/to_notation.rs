//! Conversion of a record to a game in notation.

use quadrex_rules::notation::{
    BadEvent, Line, Location, MoveNumber, Notation, Playback, ReplayError, Tags, WrittenGame, WrittenPly,
    pgn, pgn4,
};
use quadrex_rules::{DrawPolicy, GameConfig, GameEvent, Setup, SetupError, TimeControl};

use super::from_notation::{stop, tag_of};
use super::{MatchRecord, Movetext, MovetextItem};
use crate::settings::TimeSetting;

/// A contradiction within a record, or between a record and the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The setup is not a valid position.
    #[error("setup: {0}")]
    Setup(#[from] SetupError),
    /// An event is not possible after the events before it, or a required event is missing.
    #[error("event {number} cannot have happened there")]
    Event {
        /// The number of the event, from 1.
        number: usize,
    },
    /// The original text has no valid start of a game.
    #[error("written: {0}")]
    Start(#[from] ReplayError),
    /// The original text starts from another position.
    #[error("written: the tags give another setup")]
    OtherSetup,
    /// The original text leads to other events.
    #[error("written: the words lead to other events from number {number} on")]
    OtherEvents {
        /// The number of the first event that differs, from 1.
        number: usize,
    },
    /// The record's field `rejected` does not match the point at which the original text becomes
    /// illegal.
    #[error("written: {}", match_stop(.found.as_deref()))]
    OtherStop {
        /// The place where the text becomes illegal; `None` if all of it is legal.
        found: Option<String>,
    },
    /// An item without `text` that is not the first item of its sequence, or that contains more
    /// than comments.
    #[error("written: a word without text")]
    NoText,
}

fn match_stop(found: Option<&str>) -> String {
    match found {
        Some(stop) => format!("the words cannot be followed to their end: {stop}"),
        None => "the words can be followed to their end, though the record says otherwise".to_owned(),
    }
}

impl MatchRecord {
    /// Replays the record and checks that every event is possible after the events before it.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the setup is not a valid position, or if an event is impossible.
    /// The error then contains the number of this event.
    pub fn replay(&self) -> Result<Playback, RecordError> {
        let mut playback = Playback::new(self.start()?, self.draws.unwrap_or(DrawPolicy::Claim))?;
        let (numbers, events) = self.rules_events();
        match playback.follow(&events) {
            Ok(()) => Ok(playback),
            Err(BadEvent { index }) => {
                let number = numbers.get(index).copied().unwrap_or(self.events.len() + 1);
                Err(RecordError::Event { number })
            }
        }
    }

    /// Returns the game in the notation of its variant: the original text if the record has one,
    /// otherwise notation generated from the events.
    ///
    /// `number` and `location` appear in errors about the game.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the record contradicts itself or the rules.
    pub fn to_notation(&self, number: u64, location: Location) -> Result<WrittenGame, RecordError> {
        let playback = self.replay()?;
        let mut tags = Tags::new();
        for (name, value) in &self.tags {
            tags.set(name, value);
        }
        match &self.written {
            Some(written) => {
                let game = restore(written, tags, number, location)?;
                self.compare(&playback, &game)?;
                Ok(game)
            }
            None => self.write(&playback, &tags),
        }
    }

    fn write(&self, playback: &Playback, tags: &Tags) -> Result<WrittenGame, RecordError> {
        let mut tags = tags.clone();
        for (&color, name) in &self.players {
            tags.set(&tag_of(color), name);
        }
        let time = self.time.map_or(TimeControl::None, TimeSetting::to_rules);
        let config = GameConfig { time, ..playback.game().config().clone() };
        let text = match self.variant.notation() {
            Notation::Pgn => pgn::write(&config, playback.events(), &tags),
            Notation::Pgn4 => pgn4::write(&config, playback.events(), &tags),
        };
        text.map_err(|BadEvent { index }| RecordError::Event { number: index + 1 })
    }

    /// Checks that the original text leads to the recorded events.
    fn compare(&self, playback: &Playback, game: &WrittenGame) -> Result<(), RecordError> {
        let replay = self.variant.notation().replay(game)?;
        if replay.playback.game().config().setup != playback.game().config().setup {
            return Err(RecordError::OtherSetup);
        }
        let found = replay.stopped.as_ref();
        if found.map(stop) != self.rejected {
            return Err(RecordError::OtherStop { found: found.map(ToString::to_string) });
        }
        let (recorded, read) = (playback.events(), replay.playback.events());
        if recorded != read {
            let same = recorded.iter().zip(read).take_while(|(recorded, read)| recorded == read).count();
            return Err(RecordError::OtherEvents { number: same + 1 });
        }
        Ok(())
    }

    fn start(&self) -> Result<Setup, SetupError> {
        match &self.setup {
            Some(text) => Setup::parse(self.variant, text),
            None => Ok(Setup::start(self.variant)),
        }
    }

    /// Returns the record's events that are events of the rules, and the number of each in the
    /// record.
    fn rules_events(&self) -> (Vec<usize>, Vec<GameEvent>) {
        let numbered = self.events.iter().zip(1..);
        numbered.filter_map(|(recorded, number)| Some((number, recorded.event.to_rules()?))).unzip()
    }
}

fn restore(
    written: &Movetext,
    tags: Tags,
    number: u64,
    location: Location,
) -> Result<WrittenGame, RecordError> {
    let (line, result) = (restore_line(&written.line, location)?, written.result.clone());
    Ok(WrittenGame { number, location, tags, line, result, warnings: Vec::new() })
}

fn restore_line(words: &[MovetextItem], location: Location) -> Result<Line, RecordError> {
    let (comments, words) = match words.split_first() {
        Some((MovetextItem { text: None, comments, .. }, rest)) => (comments.clone(), rest),
        _ => (Vec::new(), words),
    };
    let plies: Result<_, _> = words.iter().map(|word| restore_word(word, location)).collect();
    Ok(Line { comments, plies: plies? })
}

fn restore_word(word: &MovetextItem, location: Location) -> Result<WrittenPly, RecordError> {
    let text = word.text.clone().ok_or(RecordError::NoText)?;
    let number = word.number.map(|number| MoveNumber { number, dots: word.dots.unwrap_or(1) });
    let variations: Result<_, _> = word.variations.iter().map(|line| restore_line(line, location)).collect();
    let (nags, comments) = (word.nags.clone(), word.comments.clone());
    Ok(WrittenPly { location, nags, comments, variations: variations?, ..WrittenPly::new(number, text) })
}
