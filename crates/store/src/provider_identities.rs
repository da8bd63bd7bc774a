//! The identities of users at sign-in providers, and accounts that are created for them.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::accounts::{AccountCreation, NewAccount};
use super::database::{Sql, Transaction, execute_in, fetch_all, fetch_optional, fetch_optional_in};
use super::error::StoreError;
use super::secret_hash::SecretHash;
use super::time_column::TimeColumn;

/// An identity at a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderIdentity {
    /// The id of the provider.
    pub provider: String,
    /// The provider's id of the identity.
    pub subject: String,
    /// The name of the identity. It is empty if the provider has not sent a name.
    pub name: String,
}

/// An identity with which a user signs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectedIdentity {
    /// The identity, with the name that it had when it was connected.
    pub identity: ProviderIdentity,
    /// The time at which it was connected.
    pub connected_at: Timestamp,
}

/// The outcome of connecting an identity to a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentityConnection {
    /// The user can sign in with the identity now.
    Connected,
    /// The identity belongs to another user.
    Taken,
    /// The user signs in with another identity of the same provider.
    HasOther,
    /// The user has no account.
    NoAccount,
}

/// The outcome of disconnecting an identity from a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentityDisconnection {
    /// The user cannot sign in with the identity any more.
    Disconnected,
    /// The user has no identity at this provider.
    NotConnected,
    /// The user would not be able to sign in any more.
    LastSignIn,
}

/// The outcome of the creation of an account for an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProviderAccountCreation {
    /// The outcome as for an account with a password.
    Account(AccountCreation),
    /// The identity belongs to a user by now.
    IdentityTaken,
    /// The permission to create the account is unknown, used or expired.
    NoSignUp,
}

#[derive(sqlx::FromRow)]
struct RawIdentity {
    provider: String,
    subject: String,
    name: String,
    connected_at: TimeColumn,
}

impl Store {
    /// Returns the user of an identity, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn user_of_identity(
        &self,
        provider: &str,
        subject: &str,
    ) -> Result<Option<UserId>, StoreError> {
        let sql = Sql::both("select user_id from provider_identities where provider = $1 and subject = $2");
        let row = fetch_optional!(self, (Uuid,), sql, provider, subject);
        Ok(row.map_err(StoreError::database("look up an identity"))?.map(|(user,)| UserId(user)))
    }

    /// Returns the identities with which a user signs in, by provider.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn identities_of(&self, user: UserId) -> Result<Vec<ConnectedIdentity>, StoreError> {
        let sql = Sql {
            postgres: "select provider, subject, name, connected_at from provider_identities
                       where user_id = $1 order by provider",
            sqlite: "select provider, subject, name, connected_at_ms as connected_at from provider_identities
                     where user_id = $1 order by provider",
        };
        let rows = fetch_all!(self, RawIdentity, sql, user.0);
        let rows = rows.map_err(StoreError::database("list the identities of a user"))?;
        let read = |row: RawIdentity| {
            let RawIdentity { provider, subject, name, connected_at } = row;
            let identity = ProviderIdentity { provider, subject, name };
            let connected_at = connected_at.read("provider_identities.connected_at")?;
            Ok(ConnectedIdentity { identity, connected_at })
        };
        rows.into_iter().map(read).collect()
    }

    /// Connects an identity to the account of a user. A user has at most one identity at each provider.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or a value is invalid.
    pub async fn connect_identity(
        &self,
        user: UserId,
        identity: &ProviderIdentity,
        at: Timestamp,
    ) -> Result<IdentityConnection, StoreError> {
        let failed = || StoreError::database("connect an identity");
        let mut transaction = self.database.begin().await.map_err(failed())?;
        if transaction.lock_account(user).await.map_err(failed())?.is_none() {
            return Ok(IdentityConnection::NoAccount);
        }
        let added = transaction.add_identity(user, identity, at).await.map_err(failed())?;
        if !added {
            let owner = transaction.owner_of(identity).await.map_err(failed())?;
            return Ok(match owner {
                Some(owner) if owner == user => IdentityConnection::Connected,
                Some(_) => IdentityConnection::Taken,
                None => IdentityConnection::HasOther,
            });
        }
        transaction.commit().await.map_err(failed())?;
        Ok(IdentityConnection::Connected)
    }

    /// Disconnects a user's identity at a provider, unless the user has neither a password nor another
    /// identity.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn disconnect_identity(
        &self,
        user: UserId,
        provider: &str,
    ) -> Result<IdentityDisconnection, StoreError> {
        let failed = || StoreError::database("disconnect an identity");
        let mut transaction = self.database.begin().await.map_err(failed())?;
        let has_password = transaction.lock_account(user).await.map_err(failed())? == Some(true);
        let sql = Sql::both("delete from provider_identities where user_id = $1 and provider = $2");
        if execute_in!(&mut transaction, sql, user.0, provider).map_err(failed())? == 0 {
            return Ok(IdentityDisconnection::NotConnected);
        }
        let others = Sql::both("select provider from provider_identities where user_id = $1 limit 1");
        let other = fetch_optional_in!(&mut transaction, (String,), others, user.0).map_err(failed())?;
        if !has_password && other.is_none() {
            return Ok(IdentityDisconnection::LastSignIn);
        }
        transaction.commit().await.map_err(failed())?;
        Ok(IdentityDisconnection::Disconnected)
    }

    /// Gives a user an account without a password, for the identity of the sign-up with this key. The
    /// sign-up is used up if the account is created. If several calls use it at the same time, one of
    /// them creates the account.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, there is no such user, or a value is invalid.
    pub async fn create_provider_account(
        &self,
        sign_up: SecretHash,
        account: NewAccount<'_>,
    ) -> Result<ProviderAccountCreation, StoreError> {
        let (user, failed) = (account.user, || StoreError::database("create an account for an identity"));
        let mut transaction = self.database.begin().await.map_err(failed())?;
        let identity = transaction.take_sign_up(sign_up, account.at).await.map_err(failed())?;
        let Some(identity) = identity else { return Ok(ProviderAccountCreation::NoSignUp) };
        if let Some(refused) = transaction.create_account(account).await.map_err(failed())? {
            return Ok(ProviderAccountCreation::Account(refused));
        }
        if !transaction.add_identity(user, &identity, account.at).await.map_err(failed())? {
            return Ok(ProviderAccountCreation::IdentityTaken);
        }
        transaction.commit().await.map_err(failed())?;
        let user = self.user(user).await?.expect("an account has a user, and users are never removed");
        Ok(ProviderAccountCreation::Account(AccountCreation::Created(user)))
    }
}

impl Transaction {
    /// Adds an identity of a user. Returns false if the identity belongs to a user already, or the user
    /// has another identity at this provider.
    async fn add_identity(
        &mut self,
        user: UserId,
        identity: &ProviderIdentity,
        at: Timestamp,
    ) -> Result<bool, sqlx::Error> {
        let sql = Sql {
            postgres: "insert into provider_identities (provider, subject, user_id, name, connected_at)
                       values ($1, $2, $3, $4, $5) on conflict do nothing",
            sqlite: "insert into provider_identities (provider, subject, user_id, name, connected_at_ms)
                     values ($1, $2, $3, $4, $5) on conflict do nothing",
        };
        let ProviderIdentity { provider, subject, name } = identity;
        let (provider, subject, name) = (provider.as_str(), subject.as_str(), name.as_str());
        let added = execute_in!(&mut *self, sql, provider, subject, user.0, name, TimeColumn::from(at))?;
        Ok(added > 0)
    }

    async fn owner_of(&mut self, identity: &ProviderIdentity) -> Result<Option<UserId>, sqlx::Error> {
        let sql = Sql::both("select user_id from provider_identities where provider = $1 and subject = $2");
        let (provider, subject) = (identity.provider.as_str(), identity.subject.as_str());
        let row = fetch_optional_in!(&mut *self, (Uuid,), sql, provider, subject)?;
        Ok(row.map(|(user,)| UserId(user)))
    }
}
