//! Warnings of users. Users are warned by the module `auth`, which reaches their connections.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use quadrex_store::{Store, StoreError, UserWarning};

/// The service for warnings. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Warnings {
    store: Store,
}

impl Warnings {
    /// Returns the service for the warnings in this store.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// Records that a user has read a warning. Returns false if the user has no such warning.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn acknowledge(&self, user: UserId, number: u64, now: Timestamp) -> Result<bool, StoreError> {
        self.store.acknowledge_warning(user, number, now).await
    }

    /// Returns the warnings of a user, newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn of(&self, user: UserId) -> Result<Vec<UserWarning>, StoreError> {
        self.store.warnings_of(user).await
    }
}
