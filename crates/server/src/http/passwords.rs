//! The hashing of passwords by workers. A hash takes tens of milliseconds of a processor.

use super::refusal::Refusal;
use super::state::AppState;
use crate::auth::{Password, StoredAccount};

impl AppState {
    /// Returns the hash of a password.
    ///
    /// # Errors
    /// Returns the refusal `busy` if too many passwords wait already.
    pub(crate) async fn hash_password(&self, password: Password) -> Result<String, Refusal> {
        let hasher = self.accounts.hasher().clone();
        self.work(&self.password_workers, "hash a password", move || hasher.hash(&password)).await
    }

    /// Returns the account if the password is that of the account. Takes as long if there is no
    /// account. If the hash was made with other settings, the account gets a new hash.
    ///
    /// # Errors
    /// Returns the refusal `busy` if too many passwords wait already, or a fault if the store fails.
    pub(crate) async fn verify_password(
        &self,
        password: &Password,
        account: Option<StoredAccount>,
    ) -> Result<Option<StoredAccount>, Refusal> {
        let hasher = self.accounts.hasher().clone();
        let (entered, stored) = (password.clone(), account.clone());
        let is_valid = self
            .work(&self.password_workers, "verify a password", move || {
                hasher.verify(&entered, stored.as_ref().and_then(|stored| stored.password_hash.as_deref()))
            })
            .await?;
        let Some(account) = account.filter(|_| is_valid) else { return Ok(None) };
        if !account.password_hash.as_deref().is_some_and(|hash| self.accounts.hasher().is_outdated(hash)) {
            return Ok(Some(account));
        }
        let password_hash = self.hash_password(password.clone()).await?;
        let is_changed = self.accounts.set_password(&account, &password_hash).await;
        let is_changed = is_changed.map_err(|error| self.fault("renew the hash of a password", &error))?;
        Ok(is_changed.then_some(StoredAccount { password_hash: Some(password_hash), ..account }))
    }
}
