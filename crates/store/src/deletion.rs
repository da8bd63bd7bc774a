//! The deletion of users. Their past matches stay, under the name of all deleted users.
//!
//! The events of the log still contain the name that the user had. It is replaced whenever events are
//! read. [`Store::erase_names`] replaces it in the log, for which a server has no privilege on
//! PostgreSQL.

use std::collections::HashSet;

use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, UserId, hex};
use quadrex_rules::Timestamp;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Store;
use super::archive::{RawArchivedMatch, put_names};
use super::database::{Sql, Transaction, execute_in, fetch_all, fetch_all_in};
use super::error::{StoreError, TransactionError, unreadable};
use super::log::{LoggedEvent, event_text};
use super::revocations::{Retries, Revocation};
use super::secret_hash::SecretHash;
use super::sessions::read_hash;
use super::time_column::TimeColumn;

/// The name of all deleted users.
pub const DELETED_NAME: &str = "Deleted user";

/// The number of matches whose events are changed in one transaction.
const MATCHES_AT_ONCE: i64 = 100;

/// The names that were replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErasedNames {
    /// The number of changed events.
    pub events: u64,
    /// The number of changed entries of the archive.
    pub archived: u64,
}

/// Replaces the names of these users. Returns whether any name has changed.
fn rename<'a>(people: impl Iterator<Item = &'a mut UserView>, deleted: &HashSet<UserId>) -> bool {
    let mut has_changed = false;
    for person in people.filter(|person| deleted.contains(&person.id) && person.name != DELETED_NAME) {
        DELETED_NAME.clone_into(&mut person.name);
        has_changed = true;
    }
    has_changed
}

/// Returns the key under which the name of a deleted account stays reserved. No name has such a key.
pub(super) fn reserved_key(name_key: &str) -> String {
    format!("sha256:{}", hex::encode(&Sha256::digest(name_key)))
}

impl Store {
    /// Deletes a user: the account, the recovery key, all sessions and tokens, and the name, except in
    /// the log. The names of the account stay reserved. Returns the sessions and tokens that have
    /// ended, or `None` if there is no such user, or if the user was deleted before.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or an entry of the archive cannot be read. Then
    /// nothing has changed.
    pub async fn delete_user(
        &self,
        user: UserId,
        now: Timestamp,
    ) -> Result<Option<Vec<SecretHash>>, StoreError> {
        let mut retries = Retries::default();
        loop {
            match self.try_to_delete(user, now).await {
                Err(TransactionError::Database(error)) if retries.allow(&error) => {}
                deleted => return deleted.map_err(TransactionError::during("delete a user")),
            }
        }
    }

    async fn try_to_delete(
        &self,
        user: UserId,
        now: Timestamp,
    ) -> Result<Option<Vec<SecretHash>>, TransactionError> {
        let mut transaction = self.database.begin().await?;
        let mark = Sql {
            postgres: "update users set name = $2, deleted_at = $3 where id = $1 and deleted_at is null",
            sqlite: "update users set name = $2, deleted_at_ms = $3 where id = $1 and deleted_at_ms is null",
        };
        if execute_in!(&mut transaction, mark, user.0, DELETED_NAME, TimeColumn::from(now))? == 0 {
            return Ok(None);
        }
        for sql in [
            "delete from accounts where user_id = $1",
            "delete from conditional_moves where user_id = $1",
            "delete from vacations where user_id = $1",
            "delete from match_leaves where user_id = $1",
            "delete from match_pairs where on_user = $1
               and match_id in (select match_id from match_pairs where by_user = $1)",
            "delete from match_pairs where by_user = $1",
            "delete from seat_networks where user_id = $1",
            "delete from user_relations where user_id = $1 or other_id = $1",
        ] {
            execute_in!(&mut transaction, Sql::both(sql), user.0)?;
        }
        let reports = Sql::both("update reports set reported_name = $2 where reported = $1");
        execute_in!(&mut transaction, reports, user.0, DELETED_NAME)?;
        let names = Sql::both("select name_key from account_names where user_id = $1");
        let reserve = Sql::both("update account_names set name_key = $2 where name_key = $1");
        for (key,) in fetch_all_in!(&mut transaction, (String,), names, user.0)? {
            execute_in!(&mut transaction, reserve, key.as_str(), reserved_key(&key))?;
        }
        let ended = transaction.remove_access(user.0, now).await?;
        transaction.remove_old_revocations(now).await?;
        transaction.rename_in_archive(user).await?;
        transaction.commit().await?;
        Ok(Some(ended))
    }

    /// Replaces the names of deleted users in events that were read from the log.
    pub(super) async fn replace_deleted_names(&self, events: &mut [LoggedEvent]) -> Result<(), StoreError> {
        let people = events.iter().flat_map(|logged| logged.event.people());
        let ids: HashSet<UserId> = people.filter(|user| user.bot.is_none()).map(|user| user.id).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let deleted = self.deleted_among(&ids).await?;
        if !deleted.is_empty() {
            for logged in events {
                rename(logged.event.people_mut(), &deleted);
            }
        }
        Ok(())
    }

    /// Returns those of the users who were deleted.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn deleted_among(&self, users: &HashSet<UserId>) -> Result<HashSet<UserId>, StoreError> {
        let ids = serde_json::to_string(users).expect("ids are texts");
        let sql = Sql {
            postgres: "select id from users where deleted_at is not null
                         and id in (select value::uuid from json_array_elements_text($1::json))",
            sqlite: "select id from users where deleted_at_ms is not null
                       and id in (select unhex(replace(value, '-', '')) from json_each($1))",
        };
        let rows = fetch_all!(self, (Uuid,), sql, ids);
        let rows = rows.map_err(StoreError::database("look up deleted users"))?;
        Ok(rows.into_iter().map(|(id,)| UserId(id)).collect())
    }

    /// Replaces the names of all deleted users in the log and in the archive. On PostgreSQL, this needs
    /// the owner of the schema.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, or an event cannot be read. The names in some
    /// matches may have been replaced.
    pub async fn erase_names(&self) -> Result<ErasedNames, StoreError> {
        const WHAT: &str = "replace the names of deleted users";
        let failed = || StoreError::database(WHAT);
        let failed_in = TransactionError::during(WHAT);
        let sql = Sql {
            postgres: "select id from users where deleted_at is not null order by id",
            sqlite: "select id from users where deleted_at_ms is not null order by id",
        };
        let deleted = fetch_all!(self, (Uuid,), sql).map_err(failed())?;
        let deleted: HashSet<UserId> = deleted.into_iter().map(|(id,)| UserId(id)).collect();
        let mut erased = ErasedNames::default();
        for user in &deleted {
            let mut transaction = self.database.begin().await.map_err(failed())?;
            erased.archived += transaction.rename_in_archive(*user).await.map_err(&failed_in)?;
            transaction.commit().await.map_err(failed())?;
        }
        let mut after = Uuid::nil();
        loop {
            let sql = Sql::both("select id from matches where id > $1 order by id limit $2");
            let matches = fetch_all!(self, (Uuid,), sql, after, MATCHES_AT_ONCE).map_err(failed())?;
            let Some((last,)) = matches.last() else { return Ok(erased) };
            after = *last;
            let mut transaction = self.database.begin().await.map_err(failed())?;
            for (match_id,) in matches {
                erased.events += transaction.rename_in_log(match_id, &deleted).await.map_err(&failed_in)?;
            }
            transaction.commit().await.map_err(failed())?;
        }
    }
}

impl Transaction {
    /// Removes everything by which a user could come back, the share links of the user's matches, the
    /// warnings, the invitations by and of the user, the memberships in groups, and everything about
    /// notifications. Returns the sessions and tokens that have ended.
    pub(super) async fn remove_access(
        &mut self,
        user: Uuid,
        now: Timestamp,
    ) -> Result<Vec<SecretHash>, TransactionError> {
        for sql in [
            "delete from recovery_keys where user_id = $1",
            "delete from provider_identities where user_id = $1",
            "delete from provider_sign_ins where connect_user = $1",
            "delete from match_shares where user_id = $1",
            "delete from user_warnings where user_id = $1",
            "delete from invitations where user_id = $1 or invited_by = $1",
        ] {
            execute_in!(&mut *self, Sql::both(sql), user)?;
        }
        self.remove_handovers_of(user).await?;
        self.remove_notifications_of(user).await?;
        self.leave_all_groups(UserId(user), now).await?;
        let sessions = Sql::both("delete from sessions where user_id = $1 returning token_hash");
        let mut ended = Vec::new();
        for (hash,) in fetch_all_in!(&mut *self, (Vec<u8>,), sessions, user)? {
            let session = read_hash(&hash, "sessions.token_hash")?;
            self.record_revocation(Revocation::Session(session), now).await?;
            ended.push(session);
        }
        Ok(ended)
    }

    /// Replaces the name of a user in the archive. Returns the number of changed entries.
    async fn rename_in_archive(&mut self, user: UserId) -> Result<u64, TransactionError> {
        let sql = Sql {
            postgres: "select phase, is_public, summary::text as summary from archived_matches
                       where match_id in (select match_id from archived_seats where user_id = $1)",
            sqlite: "select phase, is_public, summary from archived_matches
                     where match_id in (select match_id from archived_seats where user_id = $1)",
        };
        let rows = fetch_all_in!(&mut *self, RawArchivedMatch, sql, user.0)?;
        let deleted = HashSet::from([user]);
        let mut changed = 0;
        for row in rows {
            let mut archived = row.read()?;
            let holders = archived.summary.seats.iter_mut().filter_map(|seat| seat.user.as_mut());
            if !rename(holders, &deleted) {
                continue;
            }
            let match_id = archived.summary.match_id.0;
            let update = Sql {
                postgres: "update archived_matches set summary = $2::jsonb where match_id = $1",
                sqlite: "update archived_matches set summary = $2 where match_id = $1",
            };
            execute_in!(&mut *self, update, match_id, archived.summary_text())?;
            let remove = Sql::both("delete from archived_names where match_id = $1");
            execute_in!(&mut *self, remove, match_id)?;
            put_names(self, &archived).await?;
            changed += 1;
        }
        Ok(changed)
    }

    /// Replaces the names of users in the log of a match. Returns the number of changed events.
    async fn rename_in_log(
        &mut self,
        match_id: Uuid,
        users: &HashSet<UserId>,
    ) -> Result<u64, TransactionError> {
        let sql = Sql {
            postgres: "select seq, event::text from match_event where match_id = $1 order by seq",
            sqlite: "select seq, event from match_event where match_id = $1 order by seq",
        };
        let mut changed = 0;
        for (seq, text) in fetch_all_in!(&mut *self, (i64, String), sql, match_id)? {
            let event = serde_json::from_str(&text).map_err(|error| unreadable("match_event.event", error));
            let mut event: Event = event?;
            if rename(event.people_mut(), users) {
                let update = Sql {
                    postgres: "update match_event set event = $3::jsonb where match_id = $1 and seq = $2",
                    sqlite: "update match_event set event = $3 where match_id = $1 and seq = $2",
                };
                execute_in!(&mut *self, update, match_id, seq, event_text(&event))?;
                changed += 1;
            }
        }
        Ok(changed)
    }
}
