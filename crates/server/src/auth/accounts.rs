//! Accounts: users with a name that only they have, and a password.

use std::time::Duration;

use quadrex_clock::Entropy;
use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use quadrex_store::{NewAccount, NewName, Store, StoreError};

use super::name::{NameKey, UserName};
use super::operators::Operators;
use super::password::PasswordHasher;
use super::token::Token;
use crate::config::AccountsConfig;

pub use quadrex_store::{AccountCreation, NameChange, StoredAccount};

/// The service for accounts. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Accounts {
    store: Store,
    hasher: PasswordHasher,
    operators: Operators,
    rename_interval: Duration,
}

impl Accounts {
    /// Returns the service for the accounts in this store.
    pub fn new(store: Store, entropy: Entropy, operators: Operators, config: &AccountsConfig) -> Self {
        let hasher = PasswordHasher::new(config, entropy);
        Self { store, hasher, operators, rename_interval: config.rename_interval }
    }

    /// Logs a warning for each of these names of operators that belongs to no account.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn warn_of_missing(&self, operators: &[String]) -> Result<(), StoreError> {
        for name in operators {
            let account = match NameKey::of(name) {
                Some(key) => self.by_name(&key).await?,
                None => None,
            };
            if account.is_none() {
                tracing::warn!("operators.accounts: no account has the name {name:?}");
            }
        }
        Ok(())
    }

    /// Returns the functions that hash and verify passwords.
    pub fn hasher(&self) -> &PasswordHasher {
        &self.hasher
    }

    /// Returns whether a name belongs to the account of another user, or belonged to one. A name of an
    /// operator that belongs to nobody counts too, because its owner would become an operator.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn is_taken(&self, name: &NameKey, user: Option<UserId>) -> Result<bool, StoreError> {
        let owner = self.store.owner_of_name(name.as_str()).await?;
        Ok(match owner {
            Some(owner) => Some(owner) != user,
            None => self.operators.contains(name),
        })
    }

    /// Gives a user an account with this name and the hash of a password.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn create(
        &self,
        user: UserId,
        name: &UserName,
        key: &NameKey,
        password_hash: &str,
        at: Timestamp,
    ) -> Result<AccountCreation, StoreError> {
        let (name, name_key, password_hash) = (name.as_str(), key.as_str(), Some(password_hash));
        let account = NewAccount { user, name, name_key, password_hash, at };
        self.store.create_account(account).await
    }

    /// Changes the name of a user, with or without an account, if the user may change it now.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn rename(
        &self,
        user: UserId,
        name: &UserName,
        at: Timestamp,
    ) -> Result<NameChange, StoreError> {
        self.rename_after(self.rename_interval, user, name, at).await
    }

    /// Changes the name of a user for an operator, who need not wait since the last change.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn rename_at_once(
        &self,
        user: UserId,
        name: &UserName,
        at: Timestamp,
    ) -> Result<NameChange, StoreError> {
        self.rename_after(Duration::ZERO, user, name, at).await
    }

    async fn rename_after(
        &self,
        interval: Duration,
        user: UserId,
        name: &UserName,
        at: Timestamp,
    ) -> Result<NameChange, StoreError> {
        let key = name.key();
        let name_key = key.as_ref().map(NameKey::as_str);
        self.store.rename_user(NewName { user, name: name.as_str(), name_key, interval, at }).await
    }

    /// Returns the account with this name, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn by_name(&self, key: &NameKey) -> Result<Option<StoredAccount>, StoreError> {
        self.store.account_by_name(key.as_str()).await
    }

    /// Returns the account of a user, if the user has one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn of(&self, user: UserId) -> Result<Option<StoredAccount>, StoreError> {
        self.store.account_of(user).await
    }

    /// Returns the user whose password a secret that was sent by mail can set now.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn reset_user(&self, secret: &str, now: Timestamp) -> Result<Option<UserId>, StoreError> {
        self.store.reset_user(Token::hash_of(secret), now).await
    }

    /// Replaces the hash of an account's password. Returns false if the password has changed since
    /// `account` was read.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn set_password(&self, account: &StoredAccount, hash: &str) -> Result<bool, StoreError> {
        self.store.change_password(account, hash).await
    }
}
