//! The rules and clocks of a match. `decide` returns the events of a command, and `apply` applies
//! them.

mod apply;
mod clock;
mod command;
mod decide;
mod event;
mod move_history;
mod outcome;
mod request;
mod time_control;
mod transaction;

use alloc::vec::Vec;

pub use clock::Clocks;
pub use command::{GameCommand, Rejection};
pub use event::GameEvent;
pub use outcome::{AbortCause, AbortCauseError, Outcome, Places, Reason, ReasonError};
pub use request::{OpenRequest, Request};
pub use time_control::TimeControl;

use crate::any::AnyPosition;
use crate::elimination::Elimination;
use crate::mv::Move;
use crate::setup::{Setup, SetupError};
use crate::timestamp::Timestamp;
use move_history::MoveHistory;
use request::Requests;
use transaction::Transaction;

/// The policy for draws by repetition and move count (rule G11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum DrawPolicy {
    /// The player to move may claim a draw at the third occurrence of a position, or after 50 moves
    /// by each player. The fifth occurrence and 75 moves by each player end the game automatically.
    #[default]
    Claim,
    /// The third occurrence of a position and 50 moves by each player end the game at once.
    Automatic,
}

/// The start of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameConfig {
    /// The position, and the color that begins.
    pub setup: Setup,
    /// The policy for draws by repetition and move count.
    pub draws: DrawPolicy,
    /// The time control.
    pub time: TimeControl,
}

/// The reason why a game cannot start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The set-up is not a valid position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The set-up is a finished game (rule S1).
    #[error("the set-up is over at once: {reason}")]
    Over {
        /// The reason of the end.
        reason: Reason,
    },
    /// The set-up eliminates a player at once (rule S1).
    #[error("the set-up eliminates {color} at once")]
    Eliminates {
        /// The player.
        color: crate::Color,
    },
}

/// The state of a match: the position, its history, the clocks and the requests.
///
/// Only [`apply`](Self::apply) and the clock methods change it, so that the same events always
/// rebuild an equal game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    config: GameConfig,
    position: AnyPosition,
    history: MoveHistory,
    clocks: Clocks,
    eliminated: Vec<Elimination>,
    requests: Requests,
    outcome: Option<Outcome>,
    aborted: Option<AbortCause>,
}

impl Game {
    /// Starts a match at a table. A set-up is refused if the game is already over, or if a player
    /// would be eliminated at once (rule S1).
    ///
    /// # Errors
    /// Returns a [`StartError`] if the set-up is refused.
    pub fn new(config: GameConfig, started: Timestamp) -> Result<Self, StartError> {
        let given_count = config.setup.eliminated.len();
        let game = Self::load(config, started)?;
        match (&game.outcome, game.eliminated.get(given_count)) {
            (Some(outcome), _) => Err(StartError::Over { reason: outcome.reason }),
            (None, Some(elimination)) => Err(StartError::Eliminates { color: elimination.color }),
            (None, None) => Ok(game),
        }
    }

    /// Loads a position and adjudicates it as if the turn had just passed to the player to move
    /// (rule S1). The game may be over at once.
    ///
    /// # Errors
    /// Returns a [`SetupError`] if the set-up is not a valid position.
    pub fn load(config: GameConfig, started: Timestamp) -> Result<Self, SetupError> {
        let position = AnyPosition::new(&config.setup)?;
        let out = config.setup.eliminated.iter();
        let game = Self {
            history: MoveHistory::starting_at(position.clone()),
            clocks: Clocks::start(config.time, position.turn(), started),
            eliminated: out.map(|&(color, cause)| Elimination { color, cause, by: Vec::new() }).collect(),
            requests: Requests::none(),
            outcome: None,
            aborted: None,
            position,
            config,
        };
        let mut transaction = Transaction::of(game, started);
        transaction.adjudicate();
        Ok(transaction.into_game())
    }

    /// The present position.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// Returns the present position as a set-up. It has the eliminated players in the order of
    /// their elimination, with the causes.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let eliminated =
            self.eliminated.iter().map(|elimination| (elimination.color, elimination.cause)).collect();
        Setup { eliminated, ..self.position.setup() }
    }

    /// The start of the game.
    #[must_use]
    pub fn config(&self) -> &GameConfig {
        &self.config
    }

    /// The outcome, if the game has ended with places.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The cause of the abort, if the game was aborted. An aborted game has no places.
    #[must_use]
    pub fn aborted(&self) -> Option<AbortCause> {
        self.aborted
    }

    /// Returns whether the game has ended, with or without places.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.outcome.is_some() || self.aborted.is_some()
    }

    /// The eliminations in their order. Always empty in `classic`, where defeat ends the match.
    #[must_use]
    pub fn eliminated(&self) -> &[Elimination] {
        &self.eliminated
    }

    /// The clocks.
    #[must_use]
    pub fn clock(&self) -> &Clocks {
        &self.clocks
    }

    /// Charges the running clock up to `until`, the last moment at which the clock is known to have
    /// run.
    pub fn charge_clock(&mut self, until: Timestamp) {
        self.clocks.charge(until);
    }

    /// Restarts the running clock at `at`, which may be in the future. The time before `at` is not
    /// charged, for example the time of a server outage.
    pub fn restart_clock(&mut self, at: Timestamp) {
        self.clocks.restart(at);
    }

    /// Stops all time from `at` on, for every player.
    pub fn freeze_clocks(&mut self, at: Timestamp) {
        self.clocks.freeze(at);
    }

    /// Restarts all time at `at`.
    pub fn thaw_clocks(&mut self, at: Timestamp) {
        self.clocks.thaw(at);
    }

    /// Returns the open request of a kind (rules G9, S4).
    #[must_use]
    pub fn request(&self, request: Request) -> Option<&OpenRequest> {
        self.requests.open(request)
    }

    /// Returns how often the present position has occurred, including now (rule G10).
    #[must_use]
    pub fn repetition(&self) -> u32 {
        self.history.repetition()
    }

    /// The hashes of the positions since the last pawn move, capture or elimination, oldest first,
    /// without the hash of the present position (rules G10, D14).
    #[must_use]
    pub fn earlier_keys(&self) -> &[u64] {
        self.history.earlier_keys()
    }

    /// The number of plies since the last pawn move, capture or elimination (rule D14).
    #[must_use]
    pub fn halfmove_clock(&self) -> u32 {
        self.position.halfmove_clock()
    }

    /// The moves since the start or the last elimination, oldest first. Only these moves can be
    /// taken back (rule S4).
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        self.history.moves()
    }

    /// The position before the first of the [moves](Self::moves).
    #[must_use]
    pub fn moves_from(&self) -> &AnyPosition {
        self.history.start()
    }
}
