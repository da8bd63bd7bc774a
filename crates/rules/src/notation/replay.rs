//! Replays of written games: results and errors.

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

/// A written game, replayed up to the first word that our rules do not allow.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The replayed part.
    pub playback: Playback,
    /// The first word that could not be replayed, and the reason; `None` if all words could be
    /// replayed.
    pub stopped: Option<Stop>,
    /// Warnings about the parts of the text, the set-up and the tags that were changed or dropped
    /// when they were read.
    pub warnings: Vec<Warning>,
}

/// The first word of a game that our rules cannot replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, {location}, round {round}, {seat}: {text:?}: {reason}{}", played_by(rules.as_deref()))]
pub struct Stop {
    /// The number of the game in its source, from 1.
    pub game: u64,
    /// The location of the word; for a result, the start of the game.
    pub location: Location,
    /// The number of the round.
    pub round: u32,
    /// The player to move.
    pub seat: Color,
    /// The word.
    pub text: String,
    /// The reason.
    pub reason: StopReason,
    /// The name of the game's rules in the tags, if the game was not played by our rules.
    pub rules: Option<String>,
}

fn played_by(rules: Option<&str>) -> String {
    rules.map(|rules| format!(" (the game was played by other rules: {rules:?})")).unwrap_or_default()
}

/// The reason why a word of a game cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StopReason {
    /// The word is not a move in algebraic notation.
    #[error(transparent)]
    San(#[from] SanError),
    /// The word is not a long move of PGN4.
    #[error(transparent)]
    Long(#[from] LongMoveError),
    /// The rules do not allow the word's move or elimination.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// `#` for a player who is not checkmated.
    #[error("no player is checkmated here")]
    NotMated,
    /// `S` where there is no stalemate.
    #[error("there is no stalemate here")]
    NotStalemated,
    /// The game is played by rules that leave the pieces of an eliminated player on the board.
    #[error("in this game's own rules the pieces of an eliminated player stay on the board")]
    OtherRulesOnElimination,
    /// An exit (the sign of an elimination) directly after a move.
    #[error("a player is eliminated with this move, and an exit must be a word of its own")]
    ExitAtMove,
    /// A null move, as analysts write it.
    #[error("a null move: passing is not allowed")]
    NullMove,
    /// More moves follow, although the game is drawn automatically by the rules in force since July
    /// 2014.
    #[error("the game is drawn before it by {} (in chess since July 2014)", match by { Reason::Repetition => "the fifth occurrence of a position", _ => "75 moves without a capture or a pawn's move" })]
    Drawn {
        /// The rule.
        by: Reason,
    },
    /// The result differs from the result of the moves.
    #[error("the moves lead to another result: {outcome}")]
    OtherResult {
        /// The result of the moves.
        outcome: String,
    },
}

/// The reason why a written game cannot start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The tag `Variant` names another game.
    #[error("game {game}, {location}: unknown variant {name:?}")]
    UnknownVariant {
        /// The number of the game in its source, from 1.
        game: u64,
        /// The location of the game's start.
        location: Location,
        /// The value of the tag.
        name: String,
    },
    /// The tag of the start position has an unknown name.
    #[error("game {game}, {location}: {tag}: unknown set-up {name:?}")]
    UnknownStart {
        /// The number of the game in its source, from 1.
        game: u64,
        /// The location of the game's start.
        location: Location,
        /// The tag.
        tag: &'static str,
        /// The value of the tag.
        name: String,
    },
    /// The required tag of the start position is missing.
    #[error("game {game}, {location}: {tag} is missing, and {because}")]
    NoStart {
        /// The number of the game in its source, from 1.
        game: u64,
        /// The location of the game's start.
        location: Location,
        /// The tag.
        tag: &'static str,
        /// The reason why the tag is required.
        because: String,
    },
    /// The set-up is not a valid position.
    #[error("game {game}, {location}: set-up: {error}")]
    Setup {
        /// The number of the game in its source, from 1.
        game: u64,
        /// The location of the game's start.
        location: Location,
        /// The error.
        error: SetupError,
    },
}

/// Collects the warnings of reading a game and its set-up.
pub(super) fn warnings(game: &WrittenGame, of_setup: Vec<SetupWarning>) -> Vec<Warning> {
    let mut warnings = game.warnings.clone();
    warnings.extend(of_setup.into_iter().map(|warning| Warning::new(game.location, warning)));
    warnings
}

/// Returns whether a word is a null move, as analysts and programs write it.
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

/// A counter of rounds. A new round starts whenever the turn has come to the player who moved
/// first, or has gone beyond this player.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    seats: &'static [Color],
    beginner: Color,
    last: Option<Color>,
    round: u32,
}

impl Rounds {
    /// The state before the first move of a game.
    pub(super) fn of(game: &Game) -> Self {
        let setup = &game.config().setup;
        let round = setup.move_number.unwrap_or(1);
        Self { seats: setup.variant.colors(), beginner: setup.turn, last: None, round }
    }

    /// Records that a player moves or is eliminated on its turn. If this starts a new round,
    /// returns the number of the new round.
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

    /// Returns the number of turns from the player who moved first to a player.
    fn order(&self, seat: Color) -> usize {
        (seat.index() + self.seats.len() - self.beginner.index()) % self.seats.len()
    }

    /// Does the same as [`Self::enter`] for a word that was read, and returns the number of its
    /// round. A number written before the word is used as this number.
    fn read(&mut self, seat: Color, written: Option<MoveNumber>) -> u32 {
        self.enter(seat);
        if let Some(MoveNumber { number, .. }) = written {
            self.round = number;
        }
        self.round
    }
}

/// The position of a replay in a written game.
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

    /// Advances to the next word.
    pub(super) fn enter(&mut self, ply: &WrittenPly, seat: Color) {
        self.round = self.rounds.read(seat, ply.number);
    }

    /// Returns a [`Stop`] at the present word.
    pub(super) fn stop(&self, ply: &WrittenPly, playback: &Playback, reason: impl Into<StopReason>) -> Stop {
        self.stop_at(ply.location, &ply.text, playback, reason)
    }

    /// Returns a [`Stop`] at a part of the game that is not a word.
    pub(super) fn stop_at(
        &self,
        location: Location,
        text: &str,
        playback: &Playback,
        reason: impl Into<StopReason>,
    ) -> Stop {
        let seat = playback.game().position().turn();
        let (game, text, reason) = (self.game.number, String::from(text), reason.into());
        Stop { game, location, round: self.round, seat, text, reason, rules: None }
    }
}
