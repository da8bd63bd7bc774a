//! What playing a written game over by our rules comes to.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::input::Location;
use super::long::LongMoveError;
use super::playback::Playback;
use super::san::SanError;
use super::warning::Warning;
use super::written_game::{MoveNumber, WrittenGame, WrittenPly};
use crate::color::Color;
use crate::game::{Game, Reason, Rejection};
use crate::setup::{SetupError, SetupWarning};

/// A written game played over as far as our rules can follow it.
#[derive(Clone, Debug)]
pub struct Replay {
    /// What was followed.
    pub playback: Playback,
    /// The first word that could not be followed, and why; `None` if all could.
    pub stopped: Option<Stop>,
    /// What was read otherwise than it stood, or dropped: of the text, of the set-up, of the tags.
    pub warnings: Vec<Warning>,
}

/// The first word of a game that our rules cannot follow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, {location}, round {round}, {seat}: {text:?}: {why}{}", played_by(rules.as_deref()))]
pub struct Stop {
    /// The how-manieth game of its source, from 1.
    pub game: u64,
    /// Where the word stands; for a result, where the game begins.
    pub location: Location,
    /// The round.
    pub round: u32,
    /// Whose turn it is.
    pub seat: Color,
    /// The word.
    pub text: String,
    /// Why.
    pub why: Unfollowed,
    /// What its tags call the rules of the game, if they are not ours.
    pub rules: Option<String>,
}

fn played_by(rules: Option<&str>) -> String {
    rules.map(|rules| format!(" (the game was played by other rules: {rules:?})")).unwrap_or_default()
}

/// Why a word of a game cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfollowed {
    /// As a move in algebraic notation.
    #[error(transparent)]
    San(#[from] SanError),
    /// As a long move.
    #[error(transparent)]
    Long(#[from] LongMoveError),
    /// The rules refuse what it tells.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// `#` for a player who is not mated.
    #[error("nobody is mated here")]
    NotMated,
    /// `S` where there is no stalemate.
    #[error("there is no stalemate here")]
    NotStalemated,
    /// The game is played by rules that leave the pieces of a player who is out on the board.
    #[error("in this game's own rules the pieces of a player who is out stay on the board")]
    OtherRulesOnGoingOut,
    /// An exit that is written right behind a move.
    #[error("a player goes out with this move, and an exit has to be a word of its own")]
    ExitAtMove,
    /// Passing, as analysts write it.
    #[error("a null move: nobody may pass")]
    NullMove,
    /// The moves go on where the rules in force since July 2014 end the game.
    #[error("the game is drawn before it by {} (in chess since July 2014)", match by { Reason::Repetition => "the fifth occurrence of a position", _ => "75 moves without a capture or a pawn's move" })]
    Drawn {
        /// By which rule.
        by: Reason,
    },
    /// The result is not what the moves lead to.
    #[error("the moves lead to another result: {outcome}")]
    OtherResult {
        /// What they lead to.
        outcome: String,
    },
}

/// Why a written game cannot even begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The tag `Variant` names another game.
    #[error("game {game}, {location}: unknown variant {name:?}")]
    UnknownVariant {
        /// The how-manieth game of its source, from 1.
        game: u64,
        /// Where it begins.
        location: Location,
        /// What the tag says.
        name: String,
    },
    /// The tag that tells where the game starts has a name that we do not know.
    #[error("game {game}, {location}: {tag}: unknown set-up {name:?}")]
    UnknownStart {
        /// The how-manieth game of its source, from 1.
        game: u64,
        /// Where it begins.
        location: Location,
        /// Which tag.
        tag: &'static str,
        /// What the tag says.
        name: String,
    },
    /// The tag that must tell where the game starts is missing.
    #[error("game {game}, {location}: {tag} is missing, and {because}")]
    NoStart {
        /// The how-manieth game of its source, from 1.
        game: u64,
        /// Where it begins.
        location: Location,
        /// Which tag.
        tag: &'static str,
        /// Why it must be there.
        because: String,
    },
    /// The set-up is no position.
    #[error("game {game}, {location}: set-up: {error}")]
    Setup {
        /// The how-manieth game of its source, from 1.
        game: u64,
        /// Where it begins.
        location: Location,
        /// What is wrong with it.
        error: SetupError,
    },
}

/// All that is told of a game in reading it and its set-up.
pub(super) fn warnings(game: &WrittenGame, of_setup: Vec<SetupWarning>) -> Vec<Warning> {
    let mut warnings = game.warnings.clone();
    warnings.extend(of_setup.into_iter().map(|warning| Warning::new(game.location, warning)));
    warnings
}

/// Whether a word is a move that passes, as analysts and programs write it.
pub(super) fn is_null_move(word: &str) -> bool {
    matches!(word.trim_end_matches(['+', '#']), "--" | "Z0" | "z0" | "@@@@")
}

impl ReplayError {
    pub(super) fn unknown_variant(game: &WrittenGame, name: &str) -> Self {
        Self::UnknownVariant { game: game.number, location: game.location, name: String::from(name) }
    }

    pub(super) fn unknown_start(game: &WrittenGame, name: &str) -> Self {
        let (tag, name) = ("StartFen4", String::from(name));
        Self::UnknownStart { game: game.number, location: game.location, tag, name }
    }

    pub(super) fn no_start(game: &WrittenGame, variant: &str) -> Self {
        let because = format!("the variant {variant:?} has no set-up of its own");
        Self::NoStart { game: game.number, location: game.location, tag: "StartFen4", because }
    }

    pub(super) fn no_fen(game: &WrittenGame) -> Self {
        let because = String::from("SetUp says that there is one");
        Self::NoStart { game: game.number, location: game.location, tag: "FEN", because }
    }

    pub(super) fn setup(game: &WrittenGame, error: SetupError) -> Self {
        Self::Setup { game: game.number, location: game.location, error }
    }
}

/// An event that cannot have happened where it stands in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {index} cannot have happened where it stands")]
pub struct BadEvent {
    /// Its index among the events, from 0.
    pub index: usize,
}

/// Counts rounds: a new one begins whenever the turn has come round to the beginner or past it.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    seats: &'static [Color],
    beginner: Color,
    last: Option<Color>,
    round: u32,
}

impl Rounds {
    /// Before the first move of a game.
    pub(super) fn of(game: &Game) -> Self {
        let setup = &game.config().setup;
        let round = setup.move_number.unwrap_or(1);
        Self { seats: setup.variant.colors(), beginner: setup.turn, last: None, round }
    }

    /// A seat moves or goes out on its turn. Says the number of the round if this begins one.
    pub(super) fn enter(&mut self, seat: Color) -> Option<u32> {
        let begins = match self.last {
            None => true,
            Some(last) if self.order(seat) <= self.order(last) => {
                self.round = self.round.saturating_add(1);
                true
            }
            Some(_) => false,
        };
        self.last = Some(seat);
        begins.then_some(self.round)
    }

    /// How long after the beginner a seat moves.
    fn order(&self, seat: Color) -> usize {
        (seat.index() + self.seats.len() - self.beginner.index()) % self.seats.len()
    }

    /// As [`Self::enter`], for a word that was read: a number written before it is believed.
    fn read(&mut self, seat: Color, written: Option<MoveNumber>) -> u32 {
        self.enter(seat);
        if let Some(MoveNumber { number, .. }) = written {
            self.round = number;
        }
        self.round
    }
}

/// Where in a written game a replay is.
pub(super) struct Cursor<'a> {
    game: &'a WrittenGame,
    rounds: Rounds,
    round: u32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(game: &'a WrittenGame, playback: &Playback) -> Self {
        let rounds = Rounds::of(playback.game());
        Self { game, round: rounds.round, rounds }
    }

    /// Comes to the next word.
    pub(super) fn enter(&mut self, ply: &WrittenPly, seat: Color) {
        self.round = self.rounds.read(seat, ply.number);
    }

    /// Cannot follow the word it is at.
    pub(super) fn stop(&self, ply: &WrittenPly, playback: &Playback, why: impl Into<Unfollowed>) -> Stop {
        self.stop_at(ply.location, &ply.text, playback, why)
    }

    /// Cannot follow what the game says beside its words.
    pub(super) fn stop_at(
        &self,
        location: Location,
        text: &str,
        playback: &Playback,
        why: impl Into<Unfollowed>,
    ) -> Stop {
        let seat = playback.game().position().turn();
        let (game, text, why) = (self.game.number, String::from(text), why.into());
        Stop { game, location, round: self.round, seat, text, why, rules: None }
    }
}
