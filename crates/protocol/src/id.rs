//! Identifiers of users, tables, matches and commands.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+) => {$(
        $(#[$doc])*
        /// Written as a hyphenated lower-case UUID.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS)]
        #[serde(transparent)]
        #[ts(type = "string")]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::try_parse(text).map(Self)
            }
        }
    )+};
}

ids!(
    /// A guest, an account or a bot.
    UserId,
    /// A table. Several matches can be played there, one after another.
    TableId,
    /// A match at a table.
    MatchId,
    /// A group of users.
    GroupId
);

/// A command's id, chosen by the client: 1 to 64 visible ASCII characters, unique per user and
/// match.
///
/// A command that is sent again with the same id gets the same answer. So a client may send a
/// command again if it does not know whether the command arrived.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
pub struct CommandId(#[schemars(length(min = 1, max = 64))] String);

/// The error for a text that is not a command id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cmd has 1 to 64 visible ASCII characters, this one is {0:?}")]
pub struct InvalidCommandId(String);

impl CommandId {
    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for CommandId {
    type Error = InvalidCommandId;

    fn try_from(text: String) -> Result<Self, InvalidCommandId> {
        let fits = (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(text)) } else { Err(InvalidCommandId(text.chars().take(80).collect())) }
    }
}

impl FromStr for CommandId {
    type Err = InvalidCommandId;

    fn from_str(text: &str) -> Result<Self, InvalidCommandId> {
        Self::try_from(text.to_owned())
    }
}

impl From<CommandId> for String {
    fn from(cmd: CommandId) -> Self {
        cmd.0
    }
}

impl fmt::Display for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_id_is_short_and_visible() {
        assert_eq!(CommandId::from_str("m-1").map(|cmd| cmd.to_string()), Ok("m-1".to_owned()));
        for wrong in ["", " ", "a b", "é", "a\n", &"x".repeat(65)] {
            assert!(CommandId::from_str(wrong).is_err(), "{wrong:?} was taken");
        }
        assert!(serde_json::from_str::<CommandId>("\"\"").is_err());
    }

    #[test]
    fn an_id_round_trips_as_text() {
        let id = TableId(Uuid::from_u128(7));
        assert_eq!(id.to_string().parse::<TableId>().ok(), Some(id));
        assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{id}\""));
        assert!("7".parse::<TableId>().is_err());
    }
}
