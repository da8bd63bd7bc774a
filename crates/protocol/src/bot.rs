//! Bots: who plays without being a person.

use quadrex_rules::{Color, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::vocabulary::{ColorText, VariantText};

/// How well the server's own engine plays: from a beginner (1) to all it can do (8).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS,
)]
#[serde(try_from = "u8", into = "u8")]
#[ts(type = "number")]
pub struct BotLevel(#[schemars(range(min = 1, max = 8))] u8);

/// A number that is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a level is 1 to 8, this one is {0}")]
pub struct InvalidLevel(u8);

impl BotLevel {
    /// Every level, the lowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=8).map(Self)
    }

    /// Its number, 1 to 8.
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

/// What kind of bot somebody is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum BotView {
    /// The server's own engine.
    BuiltIn {
        /// How well it plays.
        level: BotLevel,
    },
    /// Another engine on the server's machine.
    Engine {
        /// Its name in the server's settings.
        engine: String,
        /// The strength it was limited to; its full one if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        elo: Option<u16>,
    },
    /// A program that plays over the wire, like a person.
    Account {},
}

/// A bot that somebody wants in a seat: one that the server itself runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum BotChoice {
    /// The server's own engine.
    BuiltIn {
        /// How well it is to play.
        level: BotLevel,
    },
    /// Another engine on the server's machine.
    Engine {
        /// Its name, one of those in `GET /api/bots`.
        engine: String,
        /// The strength to limit it to; its full one if not given.
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

/// A bot that is to sit at a table from the beginning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct BotSeat {
    /// Its seat; if not given, the first open one in turn order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// Which bot.
    pub bot: BotChoice,
}

/// Answer of `GET /api/bots`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BotList {
    /// The levels of the server's own engine, which plays every variant.
    pub levels: Vec<BotLevel>,
    /// Other engines on the server's machine.
    pub engines: Vec<EngineView>,
}

/// Another engine on the server's machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EngineView {
    /// Its name in a [`BotChoice`].
    pub engine: String,
    /// What it plays.
    #[ts(as = "Vec<VariantText>")]
    #[schemars(with = "Vec<VariantText>")]
    pub variants: Vec<Variant>,
    /// The strengths it can be limited to; none if it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub elo: Option<EloRange>,
}

/// The strengths an engine can be limited to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EloRange {
    /// The lowest.
    pub least: u16,
    /// The highest.
    pub most: u16,
}
