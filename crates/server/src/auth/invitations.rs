//! The invitations of users to tables whose matches have not started.

use std::time::Duration;

use quadrex_protocol::http::Uses;
use quadrex_protocol::{TableId, UserId};
use quadrex_rules::{Color, Timestamp};
use quadrex_store::{
    InvitationAccepted, InvitationAdded, LinkPurpose, NewInvitation, SentInvitation, Store, StoreError,
};

use super::link::Links;
use super::token::Token;

/// The largest number of invitations to a table that wait for an answer.
pub const MAX_INVITATIONS: u16 = 20;

/// The time after which an invitation expires.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// The service for the invitations in the store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Invitations {
    store: Store,
    links: Links,
}

/// The outcome of an attempt to accept an invitation.
#[derive(Debug)]
pub enum Acceptance {
    /// The secret of an invite to the table, which expires at this time.
    Accepted(Token, Timestamp),
    /// There is no such invitation any more.
    Gone,
    /// The table has the maximum number of links.
    TooManyLinks,
}

impl Invitations {
    /// Returns the service for the invitations in this store. A user who accepts one gets one of the
    /// `links` of the table.
    pub fn new(store: Store, links: Links) -> Self {
        Self { store, links }
    }

    /// Invites a user to a table, to any open seat if `seat` is `None`. The caller must have checked
    /// that `by` may do this.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn invite(
        &self,
        table: TableId,
        user: UserId,
        by: UserId,
        seat: Option<Color>,
        now: Timestamp,
    ) -> Result<InvitationAdded, StoreError> {
        let invitation = NewInvitation { table, user, by, seat, at: now, expires_at: now + LIFETIME };
        self.store.add_invitation(&invitation, MAX_INVITATIONS).await
    }

    /// Returns the invitations to a table that were not accepted, newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn to(&self, table: TableId, now: Timestamp) -> Result<Vec<SentInvitation>, StoreError> {
        self.store.invitations_to(table, now).await
    }

    /// Accepts an invitation of a user. If the user accepts it again, the earlier secret becomes
    /// invalid.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn accept(
        &self,
        table: TableId,
        user: UserId,
        now: Timestamp,
    ) -> Result<Acceptance, StoreError> {
        let Some(seat) = self.store.acceptable_invitation(table, user, now).await? else {
            return Ok(Acceptance::Gone);
        };
        let (secret, link) = self.links.draft(table, LinkPurpose::Invite { seat, uses: Uses::Single }, now);
        match self.store.accept_invitation(user, &link, self.links.max_per_table()).await? {
            InvitationAccepted::Accepted => Ok(Acceptance::Accepted(secret, link.expires_at)),
            InvitationAccepted::Gone => Ok(Acceptance::Gone),
            InvitationAccepted::TooManyLinks => Ok(Acceptance::TooManyLinks),
        }
    }

    /// Declines an invitation of a user. Returns false if there is none that waits for an answer.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn decline(&self, table: TableId, user: UserId) -> Result<bool, StoreError> {
        self.store.decline_invitation(table, user).await
    }

    /// Withdraws an invitation, with the invite that the user has got by accepting it. Returns false
    /// if there is no such invitation.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn withdraw(&self, table: TableId, user: UserId) -> Result<bool, StoreError> {
        self.store.remove_invitation(table, user).await
    }
}
