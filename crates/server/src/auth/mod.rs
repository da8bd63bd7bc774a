//! Who somebody is, and who may do what.
//!
//! - [`Guests`] makes users and tokens, and tells whom a token names.
//! - [`Handovers`] makes the secrets with which one goes on from another device.
//! - [`Links`] makes invites and watch links, and tells what a shown secret is worth ([`Key`]).
//! - [`authorize`] is the one place that decides whether an identity may do something at a table. HTTP routes,
//!   subscriptions and every command ask it.
//!
//! Cookies and headers are read and written in `http`; here are only the tokens in them.

mod access;
mod guest;
mod handover;
mod link;
mod name;
mod token;

pub use access::{
    Access, Action, Denial, Key, TableFacts, authorize, authorize_bystander, authorize_if_kicked,
};
pub use guest::{Guests, Issued};
pub use handover::Handovers;
pub use link::Links;
pub use name::{InvalidName, UserName};
pub use token::Token;

use quadrex_protocol::UserId;

/// What the store keeps of identities and links, as those outside speak of it.
pub use quadrex_store::{Link, Purpose, SessionKind, User};

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Nobody we know: may only look at what is public.
    Anonymous,
    /// A user, known by a token.
    User(User),
}

impl Identity {
    /// The user, if it is one.
    pub fn user(&self) -> Option<&User> {
        match self {
            Self::Anonymous => None,
            Self::User(user) => Some(user),
        }
    }

    /// The user's id, if it is one.
    pub fn id(&self) -> Option<UserId> {
        self.user().map(|user| user.id)
    }
}
