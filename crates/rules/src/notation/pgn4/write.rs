//! Writing a PGN4 game.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::{capitalized, result_text};
use crate::color::Color;
use crate::elimination::Cause;
use crate::game::{Game, GameConfig, GameEvent, Outcome};
use crate::notation::clock::{clock_comment, time_control_text};
use crate::notation::long;
use crate::notation::playback::BadEvent;
use crate::notation::replay::Rounds;
use crate::notation::{Line, Location, MoveNumber, Tags, WrittenGame, WrittenPly};
use crate::timestamp::Timestamp;

/// Writes a game on a cross board: tags, moves with the known clock times, eliminations.
///
/// `tags` contains the tags that the caller knows (`Red`, `Date`, ...). The tags that follow from
/// the game itself (`Variant`, `StartFen4`, `Result`, `TimeControl`, `Termination`) are set by this
/// function.
///
/// # Errors
/// Returns a [`BadEvent`] with the first event that cannot have happened.
pub fn write(config: &GameConfig, events: &[GameEvent], tags: &Tags) -> Result<WrittenGame, BadEvent> {
    let unplayable = BadEvent { index: 0 };
    let mut game = Game::load(config.clone(), Timestamp::from_millis(0)).map_err(|_| unplayable)?;
    let rounds = Rounds::of(&game);
    let mut sheet = ScoreSheet::default();
    for (index, event) in events.iter().enumerate() {
        sheet.add(&game, event).ok_or(BadEvent { index })?;
        game.apply(event, Timestamp::from_millis(0));
    }
    let tags = tags_of(config, game.outcome(), tags);
    let (line, result, warnings) = (sheet.into_line(rounds), None, Vec::new());
    Ok(WrittenGame { number: 1, location: Location::START, tags, line, result, warnings })
}

/// The words of a game so far, each with its player.
#[derive(Default)]
struct ScoreSheet {
    comments: Vec<String>,
    words: Vec<(Color, WrittenPly)>,
}

impl ScoreSheet {
    /// Adds the next event of `game`. Returns `None` if the event cannot happen.
    fn add(&mut self, game: &Game, event: &GameEvent) -> Option<()> {
        match event {
            GameEvent::Moved { color, mv, left_ms } => {
                let position = game.position();
                let is_possible = game.outcome().is_none() && position.turn() == *color;
                let text = (is_possible && position.is_legal(*mv)).then(|| long::text(position, *mv))?;
                let mut ply = WrittenPly::new(None, text);
                ply.comments.extend(left_ms.map(clock_comment));
                if long::is_in_passing(position, *mv) {
                    ply.comments.push(String::from("e.p."));
                }
                self.words.push((*color, ply));
            }
            GameEvent::Eliminated { color, cause, .. } => self.add_exit(game, *color, *cause),
            GameEvent::TakenBack { plies, .. } => {
                let kept_count = self.words.len().checked_sub(usize::try_from(*plies).ok()?)?;
                self.words.truncate(kept_count);
            }
            GameEvent::Requested { .. }
            | GameEvent::Agreed { .. }
            | GameEvent::Declined { .. }
            | GameEvent::Aborted { .. }
            | GameEvent::Ended { .. } => {}
        }
        Some(())
    }

    /// Adds an exit, which is the word for an elimination. On the eliminated player's own turn the
    /// exit is a word by itself. On another player's turn it is a comment after the previous word.
    fn add_exit(&mut self, game: &Game, color: Color, cause: Cause) {
        let word = match cause {
            Cause::Mate => "#",
            Cause::Resign => "R",
            Cause::Time | Cause::Absence => "T",
        };
        if cause == Cause::Mate || game.position().turn() == color {
            let mut ply = WrittenPly::new(None, String::from(word));
            if cause == Cause::Absence {
                ply.comments.push(cause.to_string());
            }
            self.words.push((color, ply));
            return;
        }
        let comment = format!("[%out {color}:{cause}]");
        match self.words.last_mut() {
            Some((_, ply)) => ply.comments.push(comment),
            None => self.comments.push(comment),
        }
    }

    fn into_line(self, mut rounds: Rounds) -> Line {
        let number = |(seat, mut ply): (Color, WrittenPly)| {
            ply.number = rounds.enter(seat).map(|number| MoveNumber { number, dots: 1 });
            ply
        };
        Line { comments: self.comments, plies: self.words.into_iter().map(number).collect() }
    }
}

fn tags_of(config: &GameConfig, outcome: Option<&Outcome>, given: &Tags) -> Tags {
    let variant = config.setup.variant;
    let mut tags = Tags::new();
    tags.set("Variant", variant.tag());
    tags.set("StartFen4", &config.setup.to_string());
    for &color in variant.colors() {
        let name = capitalized(color);
        tags.set(&name, given.get(&name).unwrap_or("?"));
    }
    tags.set("Result", &result_text(outcome));
    if let Some(outcome) = outcome {
        tags.set("Termination", outcome.reason.name());
    }
    tags.set("TimeControl", &time_control_text(config.time));
    // An unfinished game has no `Termination`, even if the caller's tags contain one.
    for (name, value) in given.iter().filter(|(name, _)| *name != "Termination") {
        if tags.get(name).is_none() {
            tags.set(name, value);
        }
    }
    tags
}
