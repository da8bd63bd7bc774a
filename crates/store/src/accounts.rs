//! The accounts of users, and the names that belong to accounts.

use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, Transaction, execute_in, fetch_optional, fetch_optional_in};
use super::deletion::reserved_key;
use super::error::StoreError;
use super::time_column::TimeColumn;
use super::users::User;

/// A guest who wants to become an account.
#[derive(Clone, Copy, Debug)]
pub struct NewAccount<'a> {
    /// The guest's user.
    pub user: UserId,
    /// The name, which becomes the display name.
    pub name: &'a str,
    /// The key of the name. Names that look alike have the same key.
    pub name_key: &'a str,
    /// The hash of the password as text; `None` for an account without a password, whose user signs in
    /// with a provider.
    pub password_hash: Option<&'a str>,
    /// The time at which the account is created.
    pub at: Timestamp,
}

/// The outcome of the creation of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountCreation {
    /// The user has the account now.
    Created(User),
    /// The name belongs to another account, or belonged to one.
    NameTaken,
    /// The user has an account already.
    HasAccount,
}

/// A wanted change of a user's name.
#[derive(Clone, Copy, Debug)]
pub struct NewName<'a> {
    /// The user.
    pub user: UserId,
    /// The new display name.
    pub name: &'a str,
    /// The key of the name; `None` if the name has neither letters nor digits.
    pub name_key: Option<&'a str>,
    /// The time between two changes of the name of an account.
    pub interval: Duration,
    /// The time of the change.
    pub at: Timestamp,
}

/// The outcome of a change of a user's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameChange {
    /// The user has the name now.
    Changed(User),
    /// The name belongs to an account, or belonged to one.
    NameTaken,
    /// The name of the account cannot be changed before this time.
    TooSoon {
        /// The end of the interval since the last change.
        until: Timestamp,
    },
    /// There is no such user.
    NoUser,
}

/// An account with the hash of its password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAccount {
    /// The user of the account.
    pub user: UserId,
    /// The hash of the password as text; `None` if the account has no password.
    pub password_hash: Option<String>,
}

/// The text in place of a hash in the row of an account without a password. No password has it.
const NO_PASSWORD: &str = "$argon2id$none";

/// Returns the text in the database for the hash of a password.
pub(super) fn hash_column(password_hash: Option<&str>) -> &str {
    password_hash.unwrap_or(NO_PASSWORD)
}

fn read_hash_column(text: String) -> Option<String> {
    (text != NO_PASSWORD).then_some(text)
}

/// The query for the user of the account that has or had a name. Its parameters are the key of the
/// name, and the key under which the name of a deleted account is reserved.
const NAME_OWNER: Sql = Sql::both(
    "select user_id from account_names where name_key in ($1, $2) order by name_key = $2 desc limit 1",
);

impl Store {
    /// Gives a user an account. If several users want names with the same key at the same time,
    /// exactly one of them gets it.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, there is no such user, or a value is invalid.
    pub async fn create_account(&self, account: NewAccount<'_>) -> Result<AccountCreation, StoreError> {
        let refused = self.try_to_create_account(account).await;
        if let Some(refused) = refused.map_err(StoreError::database("create an account"))? {
            return Ok(refused);
        }
        let user = self.user(account.user).await?;
        Ok(AccountCreation::Created(user.expect("an account has a user, and users are never removed")))
    }

    /// Returns the reason for which there is no account, or `None` if it was created.
    async fn try_to_create_account(
        &self,
        account: NewAccount<'_>,
    ) -> Result<Option<AccountCreation>, sqlx::Error> {
        let mut transaction = self.database.begin().await?;
        let refused = transaction.create_account(account).await?;
        if refused.is_none() {
            transaction.commit().await?;
        }
        Ok(refused)
    }

    /// Changes a user's name. An account gets only a name that belongs to no other account, and cannot
    /// change it often. A guest gets only a name that belongs to no account. Names with the same key
    /// count as the same name.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or the name is too long.
    pub async fn rename_user(&self, new_name: NewName<'_>) -> Result<NameChange, StoreError> {
        let failed = || StoreError::database("rename a user");
        let NewName { user, name, name_key, interval, at } = new_name;
        let mut transaction = self.database.begin().await.map_err(failed())?;
        let account = transaction.account_name(user).await.map_err(failed())?;
        match (account, name_key) {
            (None, Some(key)) if transaction.name_owner(key).await.map_err(failed())?.is_some() => {
                return Ok(NameChange::NameTaken);
            }
            (None, _) => {}
            (Some(current), Some(key)) if current.name_key == key => {}
            // Without a key, the name could not be reserved for the account.
            (Some(_), None) => return Ok(NameChange::NameTaken),
            (Some(current), Some(key)) => {
                let renamed_at =
                    current.renamed_at.map(|time| time.read("accounts.renamed_at")).transpose()?;
                let until = renamed_at.map(|renamed_at| renamed_at + interval);
                if let Some(until) = until.filter(|until| *until > at) {
                    return Ok(NameChange::TooSoon { until });
                }
                if !transaction.take_name(user, key, at).await.map_err(failed())? {
                    return Ok(NameChange::NameTaken);
                }
                transaction.set_account_name(user, key, at).await.map_err(failed())?;
            }
        }
        transaction.set_name(user, name).await.map_err(failed())?;
        transaction.commit().await.map_err(failed())?;
        Ok(self.user(user).await?.map_or(NameChange::NoUser, NameChange::Changed))
    }

    /// Returns the user of the account that has or had a name with this key, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn owner_of_name(&self, name_key: &str) -> Result<Option<UserId>, StoreError> {
        let row = fetch_optional!(self, (Uuid,), NAME_OWNER, name_key, reserved_key(name_key));
        Ok(row.map_err(StoreError::database("look up a name"))?.map(|(user,)| UserId(user)))
    }

    /// Returns the account whose current name has this key, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn account_by_name(&self, name_key: &str) -> Result<Option<StoredAccount>, StoreError> {
        let sql = Sql::both("select user_id, password_hash from accounts where name_key = $1");
        let row = fetch_optional!(self, (Uuid, String), sql, name_key);
        let row = row.map_err(StoreError::database("look up an account"))?;
        Ok(row
            .map(|(user, hash)| StoredAccount { user: UserId(user), password_hash: read_hash_column(hash) }))
    }

    /// Returns the account of a user, if the user has one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn account_of(&self, user: UserId) -> Result<Option<StoredAccount>, StoreError> {
        let sql = Sql::both("select password_hash from accounts where user_id = $1");
        let row = fetch_optional!(self, (String,), sql, user.0);
        let row = row.map_err(StoreError::database("look up the account of a user"))?;
        Ok(row.map(|(hash,)| StoredAccount { user, password_hash: read_hash_column(hash) }))
    }

    /// Replaces the hash of an account's password. A link that was sent by mail to set a new password
    /// no longer works. Returns false if the account has another hash than
    /// `account` by now.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn change_password(&self, account: &StoredAccount, hash: &str) -> Result<bool, StoreError> {
        let sql =
            Sql::both("update accounts set password_hash = $3 where user_id = $1 and password_hash = $2");
        let failed = || StoreError::database("change a password");
        let mut transaction = self.database.begin().await.map_err(failed())?;
        let (user, previous) = (account.user.0, hash_column(account.password_hash.as_deref()));
        if execute_in!(&mut transaction, sql, user, previous, hash).map_err(failed())? == 0 {
            return Ok(false);
        }
        let links = Sql::both("delete from mail_links where user_id = $1 and kind = 'reset'");
        execute_in!(&mut transaction, links, user).map_err(failed())?;
        transaction.commit().await.map_err(failed())?;
        Ok(true)
    }
}

/// The name of an account.
#[derive(sqlx::FromRow)]
struct RawAccountName {
    name_key: String,
    renamed_at: Option<TimeColumn>,
}

impl Transaction {
    /// Returns the reason for which the account cannot be created, or `None` if it is. After a refusal,
    /// the transaction must not be committed.
    pub(super) async fn create_account(
        &mut self,
        account: NewAccount<'_>,
    ) -> Result<Option<AccountCreation>, sqlx::Error> {
        let NewAccount { user, name, name_key, password_hash, at } = account;
        let is_free = self.take_name(user, name_key, at).await?;
        if self.account_name(user).await?.is_some() {
            return Ok(Some(AccountCreation::HasAccount));
        }
        if !is_free {
            return Ok(Some(AccountCreation::NameTaken));
        }
        let sql = Sql {
            postgres: "insert into accounts (user_id, name_key, password_hash, created_at)
                       values ($1, $2, $3, $4) on conflict (user_id) do nothing",
            sqlite: "insert into accounts (user_id, name_key, password_hash, created_at_ms)
                     values ($1, $2, $3, $4) on conflict (user_id) do nothing",
        };
        let (hash, at) = (hash_column(password_hash), TimeColumn::from(at));
        if execute_in!(&mut *self, sql, user.0, name_key, hash, at)? == 0 {
            return Ok(Some(AccountCreation::HasAccount));
        }
        self.set_name(user, name).await?;
        Ok(None)
    }

    /// Returns whether a user has an account, and whether it has a password. No other transaction
    /// changes the account until this one ends.
    pub(super) async fn lock_account(&mut self, user: UserId) -> Result<Option<bool>, sqlx::Error> {
        let sql = Sql {
            postgres: "select password_hash from accounts where user_id = $1 for update",
            sqlite: "select password_hash from accounts where user_id = $1",
        };
        let row = fetch_optional_in!(&mut *self, (String,), sql, user.0)?;
        Ok(row.map(|(hash,)| read_hash_column(hash).is_some()))
    }

    /// Gives a user a name for an account. Returns false if the name belongs to another user.
    async fn take_name(&mut self, user: UserId, name_key: &str, at: Timestamp) -> Result<bool, sqlx::Error> {
        let sql = Sql {
            postgres: "insert into account_names (name_key, user_id, taken_at) values ($1, $2, $3)
                       on conflict (name_key) do nothing",
            sqlite: "insert into account_names (name_key, user_id, taken_at_ms) values ($1, $2, $3)
                     on conflict (name_key) do nothing",
        };
        execute_in!(&mut *self, sql, name_key, user.0, TimeColumn::from(at))?;
        // The name may belong to a deleted account. Users may return to their own earlier names.
        Ok(self.name_owner(name_key).await? == Some(user))
    }

    async fn name_owner(&mut self, name_key: &str) -> Result<Option<UserId>, sqlx::Error> {
        let row = fetch_optional_in!(&mut *self, (Uuid,), NAME_OWNER, name_key, reserved_key(name_key))?;
        Ok(row.map(|(owner,)| UserId(owner)))
    }

    /// Returns the name of a user's account, which no other transaction changes until this one ends.
    async fn account_name(&mut self, user: UserId) -> Result<Option<RawAccountName>, sqlx::Error> {
        let sql = Sql {
            postgres: "select name_key, renamed_at from accounts where user_id = $1 for update",
            sqlite: "select name_key, renamed_at_ms as renamed_at from accounts where user_id = $1",
        };
        fetch_optional_in!(&mut *self, RawAccountName, sql, user.0)
    }

    async fn set_account_name(&mut self, user: UserId, key: &str, at: Timestamp) -> Result<(), sqlx::Error> {
        let sql = Sql {
            postgres: "update accounts set name_key = $2, renamed_at = $3 where user_id = $1",
            sqlite: "update accounts set name_key = $2, renamed_at_ms = $3 where user_id = $1",
        };
        execute_in!(&mut *self, sql, user.0, key, TimeColumn::from(at)).map(drop)
    }

    async fn set_name(&mut self, user: UserId, name: &str) -> Result<(), sqlx::Error> {
        let sql = Sql::both("update users set name = $2 where id = $1");
        execute_in!(&mut *self, sql, user.0, name).map(drop)
    }
}
