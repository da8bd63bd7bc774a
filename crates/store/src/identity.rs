//! Rows about people: users and the tokens that name them.

use std::fmt;

use quadrex_protocol::UserId;
use quadrex_protocol::bot::BotView;
use quadrex_protocol::user::UserView;
use quadrex_rules::Timestamp;

use super::error::{StoreError, unreadable};

/// Somebody who may sit and play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Who.
    pub id: UserId,
    /// The name shown, 1 to 24 characters.
    pub name: String,
    /// When the user first came.
    pub created_at: Timestamp,
    /// What kind of bot it is; a person is none.
    pub bot: Option<BotView>,
}

impl User {
    /// What others are shown of this user.
    pub fn view(&self) -> UserView {
        UserView { id: self.id, name: self.name.clone(), bot: self.bot.clone() }
    }
}

/// The kind of a bot as it is kept.
pub(super) fn bot_text(bot: Option<&BotView>) -> Option<String> {
    bot.map(|bot| serde_json::to_string(bot).expect("a kind of bot is plain JSON"))
}

/// The kind of a bot as it was kept.
pub(super) fn read_bot(text: Option<String>) -> Result<Option<BotView>, StoreError> {
    text.map(|text| serde_json::from_str(&text).map_err(|error| unreadable("users.bot", error))).transpose()
}

/// The SHA-256 of a token or of a link's secret: all the store ever sees of either.
///
/// `Debug` shows none of it, so it cannot slip into a log.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretHash(pub [u8; 32]);

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(..)")
    }
}

/// Where a token may come from. A cookie's token is no bearer token, nor the other way round: a leaked one is good
/// for one door only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionKind {
    /// A browser's cookie.
    Cookie,
    /// A program's `Authorization` header or `hello` frame.
    Bearer,
}

impl SessionKind {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Cookie => "cookie",
            Self::Bearer => "bearer",
        }
    }
}

/// A token that names a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The token's hash.
    pub token: SecretHash,
    /// Whom it names.
    pub user: UserId,
    /// Where it may come from.
    pub kind: SessionKind,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends; `None`: when it is removed.
    pub expires_at: Option<Timestamp>,
}

/// A secret that makes whoever shows it first this user, on another device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    /// The secret's hash.
    pub secret: SecretHash,
    /// Whom it names.
    pub user: UserId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}
