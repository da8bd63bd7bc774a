//! Chat: who speaks to whom, and what is said.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The longest text, in characters.
pub const LONGEST_TEXT: usize = 200;

/// One of a table's two rooms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Room {
    /// Of those who hold a seat and, while the match runs, are still in. Everybody reads along.
    Seated,
    /// Of all others. While the match runs, nothing said here reaches the seated (RULES D15).
    Bystanders,
}

/// What is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Words {
    /// Words of one's own: 1 to 200 characters once control and bidi characters are gone.
    Text(String),
    /// A preset phrase, which each client shows in its reader's language.
    Phrase(Phrase),
}

/// The preset phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// "Hello!"
    Hello,
    /// "Good luck!"
    GoodLuck,
    /// "Good move!"
    GoodMove,
    /// "Thanks!"
    Thanks,
    /// "Oops!"
    Oops,
    /// "One moment, please."
    OneMoment,
    /// "I am back."
    Back,
    /// "Good game!"
    GoodGame,
    /// "Another one?"
    Again,
    /// "Bye!"
    Bye,
}
