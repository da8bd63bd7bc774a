//! Bots: players that are not people.

use quadrex_rules::{Color, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::vocabulary::{ColorText, VariantText};

/// A playing strength of the server's built-in engine, from beginner (1) to full strength (8).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS,
)]
#[serde(try_from = "u8", into = "u8")]
#[ts(type = "number")]
pub struct BotLevel(#[schemars(range(min = 1, max = 8))] u8);

/// The error for a number that is not a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a level is 1 to 8, this one is {0}")]
pub struct InvalidLevel(u8);

impl BotLevel {
    /// Returns every level, the lowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=8).map(Self)
    }

    /// Returns the level's number, 1 to 8.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for BotLevel {
    type Error = InvalidLevel;

    fn try_from(number: u8) -> Result<Self, InvalidLevel> {
        if (1..=8).contains(&number) { Ok(Self(number)) } else { Err(InvalidLevel(number)) }
    }
}

impl From<BotLevel> for u8 {
    fn from(level: BotLevel) -> Self {
        level.0
    }
}

/// The kind of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum BotView {
    /// The server's built-in engine.
    BuiltIn {
        /// The level of the engine.
        level: BotLevel,
    },
    /// Another engine that runs beside the server.
    Engine {
        /// The engine's name in the server's settings.
        engine: String,
        /// The Elo rating that the engine's strength is limited to; full strength if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        elo: Option<u16>,
    },
    /// A program that connects to the server and plays with the same protocol as people.
    Account {},
}

/// A bot that the server runs, as requested for a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum BotChoice {
    /// The server's built-in engine.
    BuiltIn {
        /// The level to play at.
        level: BotLevel,
    },
    /// Another engine on the server's machine.
    Engine {
        /// The engine's name in the answer of `GET /api/bots`.
        engine: String,
        /// The Elo rating to limit the engine's strength to; full strength if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        elo: Option<u16>,
    },
}

impl From<BotChoice> for BotView {
    fn from(choice: BotChoice) -> Self {
        match choice {
            BotChoice::BuiltIn { level } => Self::BuiltIn { level },
            BotChoice::Engine { engine, elo } => Self::Engine { engine, elo },
        }
    }
}

impl BotView {
    /// Returns the choice of this bot for a seat; `None` for a bot that the server does not run.
    #[must_use]
    pub fn choice(&self) -> Option<BotChoice> {
        match self {
            Self::BuiltIn { level } => Some(BotChoice::BuiltIn { level: *level }),
            Self::Engine { engine, elo } => Some(BotChoice::Engine { engine: engine.clone(), elo: *elo }),
            Self::Account {} => None,
        }
    }
}

/// A bot that gets a seat when a table is created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct BotSeat {
    /// The bot's seat; if not given, the first open seat in turn order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// The bot.
    pub bot: BotChoice,
}

/// The answer to `GET /api/bots`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BotList {
    /// The levels of the built-in engine, which plays every variant.
    pub levels: Vec<BotLevel>,
    /// Other engines that run beside the server.
    pub engines: Vec<EngineView>,
}

/// Another engine on the server's machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EngineView {
    /// The engine's name in a [`BotChoice`].
    pub engine: String,
    /// The variants that the engine plays.
    #[ts(as = "Vec<VariantText>")]
    #[schemars(with = "Vec<VariantText>")]
    pub variants: Vec<Variant>,
    /// The Elo ratings that the engine's strength can be limited to; absent if the strength cannot
    /// be limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub elo: Option<EloRange>,
}

/// The range of Elo ratings that an engine's strength can be limited to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EloRange {
    /// The lowest rating.
    pub min: u16,
    /// The highest rating.
    pub max: u16,
}
