//! The search for users by operators.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use quadrex_store::{FoundUser, Store, StoreError, UserFacts};

use super::name::NameKey;

/// The largest number of users in a list.
const MAX_LISTED: u16 = 50;

/// The service that finds users for operators. Cheap to clone.
#[derive(Clone, Debug)]
pub struct UserSearch {
    store: Store,
}

impl UserSearch {
    /// Returns the service for the users in this store.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// Returns the users whose names begin with a text, the newest first, after the account that has
    /// or had this name or one that looks like it.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn by_name(&self, text: &str, now: Timestamp) -> Result<Vec<FoundUser>, StoreError> {
        let mut found = self.store.users_by_name(text, now, MAX_LISTED).await?;
        if let Some(owner) = self.owner_of(text).await? {
            let place = found.iter().position(|known| known.user.id == owner);
            let owner = match place {
                Some(place) => Some(found.remove(place)),
                None => self.find(owner, now).await?,
            };
            found.splice(0..0, owner);
        }
        Ok(found)
    }

    async fn owner_of(&self, name: &str) -> Result<Option<UserId>, StoreError> {
        match NameKey::of(name) {
            Some(key) => self.store.owner_of_name(key.as_str()).await,
            None => Ok(None),
        }
    }

    /// Returns the suspended users, the last suspended ones first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn suspended(&self, now: Timestamp) -> Result<Vec<FoundUser>, StoreError> {
        self.store.suspended_users(now, MAX_LISTED).await
    }

    /// Returns a user, if there is one with this id.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn find(&self, user: UserId, now: Timestamp) -> Result<Option<FoundUser>, StoreError> {
        let Some(user) = self.store.user(user).await? else { return Ok(None) };
        let suspension = self.store.suspension_of(user.id, now).await?;
        Ok(Some(FoundUser { user, suspension }))
    }

    /// Returns facts about the sessions and the account of a user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn facts_of(&self, user: UserId, now: Timestamp) -> Result<UserFacts, StoreError> {
        self.store.facts_of(user, now).await
    }
}
