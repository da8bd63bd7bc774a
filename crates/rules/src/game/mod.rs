//! A match as far as rules and clocks go: `decide` what a command brings about, `apply` what happened.

mod clock;
mod command;
mod event;
mod outcome;

use alloc::vec::Vec;

pub use clock::{Clocks, TimeControl};
pub use command::{GameCommand, Rejection};
pub use event::GameEvent;
pub use outcome::{Cause, CauseError, Elimination, Outcome, Places, Reason, ReasonError};

use crate::any::AnyPosition;
use crate::color::Color;
use crate::setup::{Setup, SetupError};
use crate::timestamp::Timestamp;

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
    PutsOut {
        /// Who would be out.
        color: Color,
    },
}

/// What everybody still in is asked to agree to, and who has agreed so far (the asker first).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenOffer {
    /// Who asked.
    pub by: Color,
    /// Who has agreed, the asker included, in the order of agreeing.
    pub accepted: Vec<Color>,
}

/// A match's state as far as rules and clocks go.
#[derive(Clone, Debug)]
pub struct Game {
    config: GameConfig,
    position: AnyPosition,
}

impl Game {
    /// Starts a match at a table: a set-up that is over or puts anyone out is refused (S1).
    ///
    /// # Errors
    /// See [`StartError`].
    pub fn new(config: GameConfig, started: Timestamp) -> Result<Self, StartError> {
        let _ = (config, started);
        unimplemented!()
    }

    /// Loads a position and judges it as if the turn had just passed (S1): it may be over at once.
    ///
    /// # Errors
    /// When the set-up is no position.
    pub fn load(config: GameConfig, started: Timestamp) -> Result<Self, SetupError> {
        let _ = (config, started);
        unimplemented!()
    }

    /// What a command brings about, or why it is refused. Changes nothing.
    ///
    /// # Errors
    /// See [`Rejection`].
    pub fn decide(&self, command: &GameCommand, now: Timestamp) -> Result<Vec<GameEvent>, Rejection> {
        let _ = (command, now);
        unimplemented!()
    }

    /// Takes in what happened at `at`: a decided event, or one from the record.
    pub fn apply(&mut self, event: &GameEvent, at: Timestamp) {
        let _ = (event, at);
        unimplemented!()
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// What the game started from.
    #[must_use]
    pub fn config(&self) -> &GameConfig {
        &self.config
    }

    /// How it ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        unimplemented!()
    }

    /// Who is out, in the order of going out.
    #[must_use]
    pub fn eliminated(&self) -> &[Elimination] {
        unimplemented!()
    }

    /// The clocks.
    #[must_use]
    pub fn clock(&self) -> &Clocks {
        unimplemented!()
    }

    /// The running clock's time counts from `at` on only: server down time is never charged.
    pub fn restart_clock(&mut self, at: Timestamp) {
        let _ = at;
        unimplemented!()
    }

    /// The open draw offer.
    #[must_use]
    pub fn draw_offer(&self) -> Option<&OpenOffer> {
        unimplemented!()
    }

    /// The open takeback request.
    #[must_use]
    pub fn takeback_request(&self) -> Option<&OpenOffer> {
        unimplemented!()
    }

    /// How often the position has occurred, this time included (G10).
    #[must_use]
    pub fn repetition(&self) -> u32 {
        unimplemented!()
    }

    /// Plies since the last pawn move, capture or going out (D14).
    #[must_use]
    pub fn halfmove_clock(&self) -> u32 {
        unimplemented!()
    }

    /// The moves made since the start, or since the last going out, oldest first.
    #[must_use]
    pub fn moves(&self) -> &[crate::mv::Move] {
        unimplemented!()
    }
}
