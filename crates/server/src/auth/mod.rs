//! Identities of clients, and the decisions about what an identity may do.
//!
//! - [`Guests`] creates users and tokens, and identifies the user of a token.
//! - [`AccessTokens`] creates the tokens with which programs act as users, with some [`Rights`].
//! - [`Sessions`] lists and ends the sessions of a user, and suspends and warns users.
//! - [`Operators`] are the accounts that may act on other users, whom [`UserSearch`] finds.
//! - [`Handovers`] creates the secrets with which users continue on another device.
//! - [`Accounts`] gives users accounts with passwords, and changes names.
//! - [`RecoveryKeys`] creates the keys with which users continue in any browser.
//! - [`Links`] creates invites and watch links, and returns the right that a secret gives ([`Key`]).
//! - [`Invitations`] invites users to tables, and gives an invite to those who accept.
//! - [`Shares`] creates the share links of matches.
//! - [`authorize`] decides whether an identity may do something at a table. HTTP routes, subscriptions and
//!   commands all use it.
//!
//! The module `http` reads and writes cookies and headers. This module handles only the tokens in
//! them.

mod access;
mod access_tokens;
mod accounts;
mod guest;
mod handover;
mod invitations;
mod link;
mod name;
mod open_sessions;
mod operators;
mod password;
mod recovery_key;
mod rights;
mod sessions;
mod share;
mod token;
mod user_search;

pub use access::{
    Access, Action, Denial, Key, TableFacts, authorize, authorize_bystander, authorize_if_kicked,
};
pub use access_tokens::{AccessTokens, InvalidToken, MAX_TOKENS};
pub use accounts::{AccountCreation, Accounts, NameChange, StoredAccount};
pub use guest::{Client, Guests, Issued};
pub use handover::Handovers;
pub use invitations::{Acceptance, Invitations, MAX_INVITATIONS};
pub use link::Links;
pub use name::{InvalidName, NameKey, UserName, is_visible};
pub use open_sessions::{SessionChange, SessionGuard};
pub use operators::Operators;
pub use password::{InvalidPassword, Password, PasswordHasher};
pub use recovery_key::{RecoveryKey, RecoveryKeys};
pub use rights::Rights;
pub use sessions::{Sessions, session_id};
pub use share::Shares;
pub use token::Token;
pub use user_search::UserSearch;

use quadrex_protocol::UserId;
use quadrex_protocol::http::TokenScope;
use quadrex_rules::Timestamp;

/// The stored forms of identities and links.
pub use quadrex_store::{AccessToken, Link, LinkPurpose, SessionKind, User, UserSuspension};

/// The identity of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The client is not signed in. It may see only public data.
    Anonymous,
    /// The client has identified itself as this user by a token.
    User {
        /// The user. If the client acts as a bot, the user is marked as a bot.
        user: User,
        /// The rights of the client.
        rights: Rights,
        /// The suspension of the user, if the user was suspended when the client was identified.
        suspension: Option<Box<UserSuspension>>,
    },
}

impl Identity {
    /// Returns the user, unless the client is anonymous.
    pub fn user(&self) -> Option<&User> {
        match self {
            Self::Anonymous => None,
            Self::User { user, .. } => Some(user),
        }
    }

    /// Checks that the client may do what needs this scope, if it is a user. Nothing here depends on
    /// a table.
    ///
    /// # Errors
    /// Returns [`Denial::MissingScope`] if a token does not have the scope.
    pub fn check_scope(&self, scope: TokenScope) -> Result<(), Denial> {
        match self {
            Self::Anonymous => Ok(()),
            Self::User { rights, .. } => rights.check(scope),
        }
    }

    /// Returns the suspension of the user, if the user is suspended.
    pub fn suspension(&self) -> Option<&UserSuspension> {
        match self {
            Self::Anonymous => None,
            Self::User { suspension, .. } => suspension.as_deref(),
        }
    }

    /// Returns the time at which the token of the client expires, if it has an expiry and was created
    /// for a program.
    pub fn expires_at(&self) -> Option<Timestamp> {
        match self {
            Self::User { rights: Rights::Token { expires_at, .. }, .. } => *expires_at,
            Self::User { rights: Rights::All, .. } | Self::Anonymous => None,
        }
    }

    /// Returns the user's id, unless the client is anonymous.
    pub fn id(&self) -> Option<UserId> {
        self.user().map(|user| user.id)
    }
}
