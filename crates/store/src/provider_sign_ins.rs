//! Sign-ins with providers that have begun, and sign-ups with the identities that belong to no user.

use std::fmt;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, Transaction, execute, execute_returning, fetch_all_in, fetch_optional};
use super::error::StoreError;
use super::provider_identities::ProviderIdentity;
use super::secret_hash::SecretHash;
use super::time_column::TimeColumn;

/// A sign-in with a provider that has begun in a browser. `Debug` does not show its secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderSignIn {
    /// The hash of the secret that the provider sends back.
    pub state: SecretHash,
    /// The id of the provider.
    pub provider: String,
    /// The secret for the exchange of the code (RFC 7636).
    pub verifier: String,
    /// The user who connects an identity; `None` if the browser signs in.
    pub connect: Option<UserId>,
    /// The path to which the browser returns.
    pub return_to: String,
    /// The time at which the sign-in expires.
    pub expires_at: Timestamp,
}

impl fmt::Debug for ProviderSignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { provider, connect, .. } = self;
        f.debug_struct("ProviderSignIn")
            .field("provider", provider)
            .field("connect", connect)
            .finish_non_exhaustive()
    }
}

#[derive(sqlx::FromRow)]
struct RawSignIn {
    provider: String,
    verifier: String,
    connect_user: Option<Uuid>,
    return_to: String,
    expires_at: TimeColumn,
}

#[derive(sqlx::FromRow)]
struct RawSignUp {
    provider: String,
    subject: String,
    name: String,
}

impl From<RawSignUp> for ProviderIdentity {
    fn from(row: RawSignUp) -> Self {
        let RawSignUp { provider, subject, name } = row;
        Self { provider, subject, name }
    }
}

impl Store {
    /// Adds a sign-in that has begun, and removes all expired ones.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or a value is invalid.
    pub async fn add_provider_sign_in(
        &self,
        sign_in: &ProviderSignIn,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let failed = || StoreError::database("add a sign-in with a provider");
        let expired = Sql {
            postgres: "delete from provider_sign_ins where expires_at <= $1",
            sqlite: "delete from provider_sign_ins where expires_at_ms <= $1",
        };
        execute!(self, expired, TimeColumn::from(now)).map_err(failed())?;
        let sql = Sql {
            postgres: "insert into provider_sign_ins
                       (state_hash, provider, verifier, connect_user, return_to, expires_at)
                       values ($1, $2, $3, $4, $5, $6)",
            sqlite: "insert into provider_sign_ins
                     (state_hash, provider, verifier, connect_user, return_to, expires_at_ms)
                     values ($1, $2, $3, $4, $5, $6)",
        };
        let added = execute!(
            self,
            sql,
            sign_in.state.0.as_slice(),
            sign_in.provider.as_str(),
            sign_in.verifier.as_str(),
            sign_in.connect.map(|user| user.0),
            sign_in.return_to.as_str(),
            TimeColumn::from(sign_in.expires_at),
        );
        added.map(drop).map_err(failed())
    }

    /// Removes a sign-in and returns it. Returns `None` if it is unknown, used, or expired at `now`. If
    /// several calls happen at the same time, exactly one returns the sign-in.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The sign-in may have been removed then.
    pub async fn take_provider_sign_in(
        &self,
        state: SecretHash,
        now: Timestamp,
    ) -> Result<Option<ProviderSignIn>, StoreError> {
        let sql = Sql {
            postgres: "delete from provider_sign_ins where state_hash = $1 and expires_at > $2
                       returning provider, verifier, connect_user, return_to, expires_at",
            sqlite: "delete from provider_sign_ins where state_hash = $1 and expires_at_ms > $2
                     returning provider, verifier, connect_user, return_to, expires_at_ms as expires_at",
        };
        let rows = execute_returning!(self, RawSignIn, sql, state.0.as_slice(), TimeColumn::from(now));
        let rows = rows.map_err(StoreError::database("take a sign-in with a provider"))?;
        let Some(row) = rows.into_iter().next() else { return Ok(None) };
        let RawSignIn { provider, verifier, connect_user, return_to, expires_at } = row;
        let expires_at = expires_at.read("provider_sign_ins.expires_at")?;
        let connect = connect_user.map(UserId);
        Ok(Some(ProviderSignIn { state, provider, verifier, connect, return_to, expires_at }))
    }

    /// Adds a sign-up with an identity, which expires at `expires_at`, and removes all expired ones.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or a value is invalid.
    pub async fn add_provider_sign_up(
        &self,
        key: SecretHash,
        identity: &ProviderIdentity,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        let failed = || StoreError::database("add a sign-up with a provider");
        let expired = Sql {
            postgres: "delete from provider_sign_ups where expires_at <= $1",
            sqlite: "delete from provider_sign_ups where expires_at_ms <= $1",
        };
        execute!(self, expired, TimeColumn::from(now)).map_err(failed())?;
        let sql = Sql {
            postgres: "insert into provider_sign_ups (key_hash, provider, subject, name, expires_at)
                       values ($1, $2, $3, $4, $5)",
            sqlite: "insert into provider_sign_ups (key_hash, provider, subject, name, expires_at_ms)
                     values ($1, $2, $3, $4, $5)",
        };
        let ProviderIdentity { provider, subject, name } = identity;
        let (provider, subject, name) = (provider.as_str(), subject.as_str(), name.as_str());
        let expires_at = TimeColumn::from(expires_at);
        let added = execute!(self, sql, key.0.as_slice(), provider, subject, name, expires_at);
        added.map(drop).map_err(failed())
    }

    /// Returns the identity of a sign-up, which stays. Returns `None` if the sign-up is unknown, used,
    /// or expired at `now`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn provider_sign_up(
        &self,
        key: SecretHash,
        now: Timestamp,
    ) -> Result<Option<ProviderIdentity>, StoreError> {
        let sql = Sql {
            postgres: "select provider, subject, name from provider_sign_ups
                       where key_hash = $1 and expires_at > $2",
            sqlite: "select provider, subject, name from provider_sign_ups
                     where key_hash = $1 and expires_at_ms > $2",
        };
        let row = fetch_optional!(self, RawSignUp, sql, key.0.as_slice(), TimeColumn::from(now));
        Ok(row.map_err(StoreError::database("look up a sign-up with a provider"))?.map(Into::into))
    }
}

impl Transaction {
    /// Removes a sign-up and returns its identity. Returns `None` if it is unknown, used, or expired at
    /// `now`.
    pub(super) async fn take_sign_up(
        &mut self,
        key: SecretHash,
        now: Timestamp,
    ) -> Result<Option<ProviderIdentity>, sqlx::Error> {
        let sql = Sql {
            postgres: "delete from provider_sign_ups where key_hash = $1 and expires_at > $2
                       returning provider, subject, name",
            sqlite: "delete from provider_sign_ups where key_hash = $1 and expires_at_ms > $2
                     returning provider, subject, name",
        };
        let now = TimeColumn::from(now);
        let rows = fetch_all_in!(&mut *self, RawSignUp, sql, key.0.as_slice(), now)?;
        Ok(rows.into_iter().next().map(Into::into))
    }
}
