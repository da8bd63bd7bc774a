//! Chat: rooms, texts and preset phrases.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The maximum length of a message's text, in characters.
pub const LONGEST_TEXT: usize = 200;

/// One of a table's two chat rooms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Room {
    /// The room of the players. While the match runs, eliminated players do not belong to this
    /// room. Everybody may read the messages of the room.
    Seated,
    /// The room of the spectators and, while the match runs, of the eliminated players. While the
    /// match runs, seated players do not receive its messages (RULES D15).
    Bystanders,
}

/// The contents of a chat message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChatMessage {
    /// Free text: 1 to 200 characters after control and bidi characters are removed.
    Text(String),
    /// A preset phrase, which each client displays in its reader's language.
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
