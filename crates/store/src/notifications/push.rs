//! The push subscriptions of users: browsers that receive notifications over push services.

use std::fmt;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use crate::database::{Sql, execute, execute_in, execute_returning, fetch_all, fetch_optional};
use crate::error::{StoreError, unreadable};
use crate::time_column::TimeColumn;
use crate::{SecretHash, Store};

/// The keys of a push subscription, with which its messages are encrypted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PushKeys {
    /// The public key of the browser: an uncompressed point on the curve P-256.
    pub public_key: [u8; 65],
    /// The authentication secret.
    pub auth_secret: [u8; 16],
}

/// `Debug` does not show the keys.
impl fmt::Debug for PushKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushKeys(..)")
    }
}

/// A push subscription to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPushSubscription {
    /// The id.
    pub id: Uuid,
    /// The user.
    pub user: UserId,
    /// The session of the browser. The subscription ends with it.
    pub session: SecretHash,
    /// The URL at the push service.
    pub endpoint: String,
    /// The keys.
    pub keys: PushKeys,
    /// The language of the notifications.
    pub language: String,
    /// The time at which the subscription is added.
    pub at: Timestamp,
}

/// A push subscription in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushSubscription {
    /// The id.
    pub id: Uuid,
    /// The URL at the push service.
    pub endpoint: String,
    /// The keys.
    pub keys: PushKeys,
    /// The language of the notifications.
    pub language: String,
    /// The name of the browser, if it is known.
    pub client: Option<String>,
    /// The time at which the subscription was added.
    pub created_at: Timestamp,
}

/// A row of `push_subscriptions` with its session, as the databases return it.
#[derive(sqlx::FromRow)]
struct RawSubscription {
    id: Uuid,
    endpoint: String,
    public_key: Vec<u8>,
    auth_secret: Vec<u8>,
    language: String,
    client: Option<String>,
    created_at: TimeColumn,
}

impl RawSubscription {
    fn read(self) -> Result<PushSubscription, StoreError> {
        let public_key = self.public_key.try_into().ok();
        let auth_secret = self.auth_secret.try_into().ok();
        let keys =
            public_key.zip(auth_secret).map(|(public_key, auth_secret)| PushKeys { public_key, auth_secret });
        Ok(PushSubscription {
            id: self.id,
            endpoint: self.endpoint,
            keys: keys.ok_or_else(|| unreadable("push_subscriptions.public_key", "a wrong size"))?,
            language: self.language,
            client: self.client,
            created_at: self.created_at.read("push_subscriptions.created_at")?,
        })
    }
}

impl Store {
    /// Returns the private key with which the servers identify themselves at push services. If there
    /// is none yet, `fresh` becomes the key.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn push_key(&self, fresh: &[u8]) -> Result<Vec<u8>, StoreError> {
        let failed = || StoreError::database("read the key for push services");
        let insert = Sql::both("insert into push_key (id, key) values (1, $1) on conflict (id) do nothing");
        execute!(self, insert, fresh).map_err(failed())?;
        let row = fetch_optional!(self, (Vec<u8>,), Sql::both("select key from push_key"));
        Ok(row.map_err(failed())?.map(|(key,)| key).unwrap_or_default())
    }

    /// Adds a push subscription and returns its id. A subscription with the same endpoint is
    /// replaced and keeps its id. If the user has more than `max` subscriptions, the oldest ones are
    /// removed.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, or the session does not exist.
    pub async fn add_push_subscription(
        &self,
        new: &NewPushSubscription,
        max: u16,
    ) -> Result<Uuid, StoreError> {
        let failed = || StoreError::database("add a push subscription");
        let mut transaction = self.database.begin().await.map_err(failed())?;
        let add = Sql {
            postgres:
                "insert into push_subscriptions (id, user_id, session, endpoint, public_key, auth_secret,
                                                       language, created_at)
                       values ($1, $2, $3, $4, $5, $6, $7, $8)
                       on conflict (endpoint) do update
                       set user_id = excluded.user_id, session = excluded.session,
                           public_key = excluded.public_key, auth_secret = excluded.auth_secret,
                           language = excluded.language, created_at = excluded.created_at",
            sqlite: "insert into push_subscriptions (id, user_id, session, endpoint, public_key, auth_secret,
                                                     language, created_at_ms)
                     values ($1, $2, $3, $4, $5, $6, $7, $8)
                     on conflict (endpoint) do update
                     set user_id = excluded.user_id, session = excluded.session,
                         public_key = excluded.public_key, auth_secret = excluded.auth_secret,
                         language = excluded.language, created_at_ms = excluded.created_at_ms",
        };
        execute_in!(
            &mut transaction,
            add,
            new.id,
            new.user.0,
            new.session.0.as_slice(),
            new.endpoint.as_str(),
            new.keys.public_key.as_slice(),
            new.keys.auth_secret.as_slice(),
            new.language.as_str(),
            TimeColumn::from(new.at),
        )
        .map_err(failed())?;
        let trim = Sql {
            postgres: "delete from push_subscriptions where user_id = $1 and id not in (
                           select id from push_subscriptions where user_id = $1
                           order by created_at desc, id limit $2)",
            sqlite: "delete from push_subscriptions where user_id = $1 and id not in (
                         select id from push_subscriptions where user_id = $1
                         order by created_at_ms desc, id limit $2)",
        };
        execute_in!(&mut transaction, trim, new.user.0, i64::from(max)).map_err(failed())?;
        transaction.commit().await.map_err(failed())?;
        let sql = Sql::both("select id from push_subscriptions where endpoint = $1");
        let row = fetch_optional!(self, (Uuid,), sql, new.endpoint.as_str()).map_err(failed())?;
        Ok(row.map_or(new.id, |(id,)| id))
    }

    /// Returns the push subscriptions of a user, the newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn push_subscriptions_of(&self, user: UserId) -> Result<Vec<PushSubscription>, StoreError> {
        let sql = Sql {
            postgres:
                "select target.id, endpoint, public_key, auth_secret, language, client, target.created_at
                       from push_subscriptions as target join sessions on token_hash = session
                       where target.user_id = $1 order by target.created_at desc, target.id",
            sqlite: "select target.id, endpoint, public_key, auth_secret, language, client,
                            target.created_at_ms as created_at
                     from push_subscriptions as target join sessions on token_hash = session
                     where target.user_id = $1 order by target.created_at_ms desc, target.id",
        };
        let rows = fetch_all!(self, RawSubscription, sql, user.0);
        let rows = rows.map_err(StoreError::database("list the push subscriptions of a user"))?;
        rows.into_iter().map(RawSubscription::read).collect()
    }

    /// Returns a push subscription, if it exists and its session has not expired at `now`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn push_subscription(
        &self,
        id: Uuid,
        now: Timestamp,
    ) -> Result<Option<PushSubscription>, StoreError> {
        let sql = Sql {
            postgres:
                "select target.id, endpoint, public_key, auth_secret, language, client, target.created_at
                       from push_subscriptions as target join sessions on token_hash = session
                       where target.id = $1 and (expires_at is null or expires_at > $2)",
            sqlite: "select target.id, endpoint, public_key, auth_secret, language, client,
                            target.created_at_ms as created_at
                     from push_subscriptions as target join sessions on token_hash = session
                     where target.id = $1 and (expires_at_ms is null or expires_at_ms > $2)",
        };
        let row = fetch_optional!(self, RawSubscription, sql, id, TimeColumn::from(now));
        let row = row.map_err(StoreError::database("look up a push subscription"))?;
        row.map(RawSubscription::read).transpose()
    }

    /// Removes a push subscription of a user. Returns false if the user has no such subscription.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_push_subscription(&self, user: UserId, id: Uuid) -> Result<bool, StoreError> {
        let sql = Sql::both("delete from push_subscriptions where user_id = $1 and id = $2");
        let removed = execute!(self, sql, user.0, id);
        Ok(removed.map_err(StoreError::database("remove a push subscription"))? > 0)
    }

    /// Queues a test for a push subscription of a user. Returns false if the user has no such
    /// subscription.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn queue_push_test(
        &self,
        user: UserId,
        id: Uuid,
        now: Timestamp,
        expires: Timestamp,
    ) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "insert into notifications (target_id, event, channel, user_id, kind, ply, created_at,
                                                  due_at, expires_at)
                       select id, $3, 'push', user_id, 'test', 0, $4, $4, $5 from push_subscriptions
                       where user_id = $1 and id = $2
                       on conflict (target_id, event) do update set due_at = excluded.due_at
                       returning target_id",
            sqlite: "insert into notifications (target_id, event, channel, user_id, kind, ply, created_at_ms,
                                                due_at_ms, expires_at_ms)
                     select id, $3, 'push', user_id, 'test', 0, $4, $4, $5 from push_subscriptions
                     where user_id = $1 and id = $2
                     on conflict (target_id, event) do update set due_at_ms = excluded.due_at_ms
                     returning target_id",
        };
        let event = format!("test {}", now.as_millis());
        let (now, expires) = (TimeColumn::from(now), TimeColumn::from(expires));
        let rows = execute_returning!(self, (Uuid,), sql, user.0, id, event, now, expires);
        Ok(!rows.map_err(StoreError::database("queue a test"))?.is_empty())
    }
}
