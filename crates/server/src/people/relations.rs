//! The users that a user follows, blocks, or has muted.

use std::collections::HashMap;

use quadrex_protocol::{TableId, UserId};
use quadrex_rules::Timestamp;
use quadrex_store::{Opponent, RelatedUser, RelationAdded, RelationKind, Store, StoreError};

/// The largest number of users that a user can follow, block or mute, for each of these.
pub(crate) const MAX_RELATIONS: u16 = 1_000;

/// The number of a user's last matches whose players are the user's recent opponents.
const RECENT_MATCHES: u16 = 50;

/// The service that adds, removes and lists relations between users. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Relations {
    store: Store,
}

impl Relations {
    /// Returns the service for the relations in this store.
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// Adds a relation of a user to another user, unless the user has [`MAX_RELATIONS`] of this
    /// kind.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn add(
        &self,
        user: UserId,
        kind: RelationKind,
        other: UserId,
        now: Timestamp,
    ) -> Result<RelationAdded, StoreError> {
        self.store.add_relation(user, kind, other, now, MAX_RELATIONS).await
    }

    /// Removes a relation of a user to another user, if it exists.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn remove(
        &self,
        user: UserId,
        kind: RelationKind,
        other: UserId,
    ) -> Result<(), StoreError> {
        self.store.remove_relation(user, kind, other).await
    }

    /// Returns the users to whom a user has a relation of this kind, the newest relation first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn of(&self, user: UserId, kind: RelationKind) -> Result<Vec<RelatedUser>, StoreError> {
        self.store.related_users(user, kind, MAX_RELATIONS).await
    }

    /// Returns the kinds of relations of a user to another user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn to(&self, user: UserId, other: UserId) -> Result<Vec<RelationKind>, StoreError> {
        self.store.relations_to(user, other).await
    }

    /// Returns the public table at which each user plays whom a user follows, the newest if there are
    /// several.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn tables_of_followed(
        &self,
        user: UserId,
    ) -> Result<HashMap<UserId, TableId>, StoreError> {
        // Of several entries with the same key, the last one stays.
        Ok(self.store.tables_of_followed(user).await?.into_iter().rev().collect())
    }

    /// Returns the users who have played in the last [`RECENT_MATCHES`] matches of a user, except the
    /// bots of the server, the one of the last match first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn opponents(&self, user: UserId) -> Result<Vec<Opponent>, StoreError> {
        let mut opponents = self.store.recent_opponents(user, RECENT_MATCHES).await?;
        opponents.retain(|opponent| !opponent.user.view().is_server_bot());
        Ok(opponents)
    }

    /// Returns whether one of two users follows the other one, both are in one group, or the second one
    /// is a recent opponent of the first one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn are_acquainted(&self, user: UserId, other: UserId) -> Result<bool, StoreError> {
        self.store.are_acquainted(user, other, RECENT_MATCHES).await
    }
}
