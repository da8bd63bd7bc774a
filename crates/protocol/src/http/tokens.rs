//! The tokens with which programs act as a user.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The body of `POST /api/tokens`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// The name by which the user recognizes the token, 1 to 60 characters.
    pub name: String,
    /// The scopes of the token, at least one.
    pub scopes: Vec<TokenScope>,
    /// The number of days after which the token expires, 1 to 400; null or absent if it never
    /// expires.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub expires_in_days: Option<u16>,
}

/// A right of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum TokenScope {
    /// Watch tables and read the user's own data. Every token has this right.
    Read,
    /// Take seats, make moves, and chat.
    Play,
    /// Create tables and links, give seats to bots, and kick players.
    Host,
    /// Play as a bot: everything that the token does is marked as done by a bot.
    Bot,
    /// Act as an operator, if the user is one.
    Admin,
}

impl TokenScope {
    /// All scopes.
    pub const ALL: [Self; 5] = [Self::Read, Self::Play, Self::Host, Self::Bot, Self::Admin];

    /// Returns the name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Play => "play",
            Self::Host => "host",
            Self::Bot => "bot",
            Self::Admin => "admin",
        }
    }
}

impl std::fmt::Display for TokenScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The answer to `POST /api/tokens`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TokenCreated {
    /// The bearer token. No other request returns it, because the server stores only its hash.
    pub token: String,
    /// The token as the list shows it.
    pub details: TokenView,
}

/// The answer to `GET /api/tokens`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TokenList {
    /// The tokens that have not expired, newest first.
    pub tokens: Vec<TokenView>,
}

/// A token of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TokenView {
    /// The id with which the user revokes the token. It is not the token itself.
    pub id: String,
    /// The name of the token.
    pub name: String,
    /// The scopes of the token.
    pub scopes: Vec<TokenScope>,
    /// The time at which the token was created, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The time at which the token expires, in milliseconds since the Unix epoch; absent if it never
    /// expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub expires_at_ms: Option<u64>,
    /// The time at which the token was used last, exact to the hour, in milliseconds since the Unix
    /// epoch; absent if it was never used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seen_at_ms: Option<u64>,
}
