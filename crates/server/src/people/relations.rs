//! The users that a user follows, blocks, or has muted.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use quadrex_store::{RelatedUser, RelationAdded, RelationKind, Store, StoreError};

/// The largest number of users that a user can follow, block or mute, for each of these.
pub(crate) const MAX_RELATIONS: u16 = 1_000;

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
}
