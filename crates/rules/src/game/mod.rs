//! A match as far as rules and clocks go: `decide` what a command brings about, `apply` what happened.

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
pub use outcome::{
    AbortCause, AbortCauseError, Cause, CauseError, Elimination, Outcome, Places, Reason, ReasonError,
};
pub use request::{OpenRequest, Request};
pub use time_control::TimeControl;

use crate::any::AnyPosition;
use crate::mv::Move;
use crate::setup::{Setup, SetupError};
use crate::timestamp::Timestamp;
use move_history::MoveHistory;
use request::Requests;
use transaction::Transaction;

/// How repetition and move counts end a game (G11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum DrawPolicy {
    /// The player to move may claim at the third occurrence or 50 moves each; fifth and 75 end by themselves.
    #[default]
    Claim,
    /// The third occurrence or 50 moves each end the game at once.
    Automatic,
}

/// What a game starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameConfig {
    /// The position, and who begins.
    pub setup: Setup,
    /// How draws by repetition and move count come about.
    pub draws: DrawPolicy,
    /// Thinking time.
    pub time: TimeControl,
}

/// Why a game cannot start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The set-up is no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The set-up is a finished game (S1).
    #[error("the set-up is over at once: {reason}")]
    Over {
        /// Why it is over.
        reason: Reason,
    },
    /// The set-up puts a player out at once (S1).
    #[error("the set-up puts {color} out at once")]
    Eliminates {
        /// Who would be out.
        color: crate::Color,
    },
}

/// A match's state as far as rules and clocks go.
///
/// It changes by [`apply`](Self::apply) alone, so that the same events always rebuild an equal game.
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
    /// Starts a match at a table: a set-up that is over or puts anyone out is refused (S1).
    ///
    /// # Errors
    /// See [`StartError`].
    pub fn new(config: GameConfig, started: Timestamp) -> Result<Self, StartError> {
        let given = config.setup.eliminated.len();
        let game = Self::load(config, started)?;
        match (&game.outcome, game.eliminated.get(given)) {
            (Some(outcome), _) => Err(StartError::Over { reason: outcome.reason }),
            (None, Some(elimination)) => Err(StartError::Eliminates { color: elimination.color }),
            (None, None) => Ok(game),
        }
    }

    /// Loads a position and judges it as if the turn had just passed (S1): it may be over at once.
    ///
    /// # Errors
    /// When the set-up is no position.
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

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The position written down, with who is out, in which order and why.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let eliminated =
            self.eliminated.iter().map(|elimination| (elimination.color, elimination.cause)).collect();
        Setup { eliminated, ..self.position.setup() }
    }

    /// What the game started from.
    #[must_use]
    pub fn config(&self) -> &GameConfig {
        &self.config
    }

    /// How it ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Why it was aborted, if it was: it ended without places.
    #[must_use]
    pub fn aborted(&self) -> Option<AbortCause> {
        self.aborted
    }

    /// Whether nothing can happen any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.outcome.is_some() || self.aborted.is_some()
    }

    /// Who is out, in the order of going out. Always empty in `classic`, where defeat ends the match.
    #[must_use]
    pub fn eliminated(&self) -> &[Elimination] {
        &self.eliminated
    }

    /// The clocks.
    #[must_use]
    pub fn clock(&self) -> &Clocks {
        &self.clocks
    }

    /// The player whose clock runs pays up to `until`, the last moment at which it is known to have run.
    pub fn charge_clock(&mut self, until: Timestamp) {
        self.clocks.charge(until);
    }

    /// The running clock's time counts from `at` on only: server down time is never charged. `at` may lie ahead.
    pub fn restart_clock(&mut self, at: Timestamp) {
        self.clocks.restart(at);
    }

    /// From `at` on no time runs, whoever's turn it is.
    pub fn freeze_clocks(&mut self, at: Timestamp) {
        self.clocks.freeze(at);
    }

    /// Time runs again from `at` on.
    pub fn thaw_clocks(&mut self, at: Timestamp) {
        self.clocks.thaw(at);
    }

    /// The open request of a kind (G9, S4).
    #[must_use]
    pub fn request(&self, request: Request) -> Option<&OpenRequest> {
        self.requests.open(request)
    }

    /// How often the position has occurred, this time included (G10).
    #[must_use]
    pub fn repetition(&self) -> u32 {
        self.history.repetition()
    }

    /// Keys of the positions since the last pawn move, capture or going out, oldest first, without the present one
    /// (G10, D14).
    #[must_use]
    pub fn earlier_keys(&self) -> &[u64] {
        self.history.earlier_keys()
    }

    /// Plies since the last pawn move, capture or going out (D14).
    #[must_use]
    pub fn halfmove_clock(&self) -> u32 {
        self.position.halfmove_clock()
    }

    /// The moves made since the start, or since the last going out, oldest first: as far as takebacks reach (S4).
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        self.history.moves()
    }

    /// The position before [these moves](Self::moves).
    #[must_use]
    pub fn moves_from(&self) -> &AnyPosition {
        self.history.base()
    }
}
