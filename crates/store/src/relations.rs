//! The relations that users choose to other users: to follow, to block, and to mute them.

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{
    Sql, Transaction, execute, execute_in, fetch_all, fetch_all_in, fetch_one_in, fetch_optional,
};
use super::error::StoreError;
use super::time_column::TimeColumn;
use super::users::{RawUser, User};

/// The kind of a relation of a user to another user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// The user sees when the other one is online and plays.
    Follow,
    /// The other user may not sit with the user, or follow the user.
    Block,
    /// The user does not want to see the messages of the other one.
    Mute,
}

impl RelationKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Follow => "follow",
            Self::Block => "block",
            Self::Mute => "mute",
        }
    }
}

/// A user to whom another user has a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedUser {
    /// The user.
    pub user: User,
    /// The time since which the relation exists.
    pub since: Timestamp,
}

/// The outcome of an attempt to add a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationAdded {
    /// The relation exists, now or already.
    Added,
    /// The user has the maximum number of relations of this kind.
    Full,
    /// The other user blocks the user, so the user may not follow.
    Blocked,
}

/// A block between a user and one of some other users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockBetween {
    /// The user blocks one of the others.
    ByUser,
    /// One of the others blocks the user, and the user blocks none of them.
    ByOther,
}

/// A row of `user_relations` with the other user, as the databases return it.
#[derive(sqlx::FromRow)]
struct RawRelation {
    #[sqlx(flatten)]
    user: RawUser,
    since: TimeColumn,
}

impl Store {
    /// Adds a relation of a user to another user, if the user has fewer than `max` of this kind. A
    /// relation that exists already is not changed. Nobody may follow a user by whom they are
    /// blocked, and a block ends the following in both directions.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, or one of the users does not exist.
    pub async fn add_relation(
        &self,
        user: UserId,
        kind: RelationKind,
        other: UserId,
        at: Timestamp,
        max: u16,
    ) -> Result<RelationAdded, StoreError> {
        let added = self.try_to_add_relation(user, kind, other, at, max).await;
        added.map_err(StoreError::database("add a relation to a user"))
    }

    async fn try_to_add_relation(
        &self,
        user: UserId,
        kind: RelationKind,
        other: UserId,
        at: Timestamp,
        max: u16,
    ) -> Result<RelationAdded, sqlx::Error> {
        let mut transaction = self.database.begin().await?;
        // Relations between the same users wait for each other, so that nobody begins to follow a
        // user while that user blocks them.
        transaction.lock_users(user, other).await?;
        let count = Sql::both(
            "select count(*) from user_relations where user_id = $1 and kind = $2 and other_id <> $3",
        );
        let (count,) = fetch_one_in!(&mut transaction, (i64,), count, user.0, kind.as_str(), other.0)?;
        if count >= i64::from(max) {
            transaction.roll_back().await?;
            return Ok(RelationAdded::Full);
        }
        if kind == RelationKind::Follow {
            let blocks = Sql::both(
                "select count(*) from user_relations where user_id = $1 and kind = 'block' and other_id = $2",
            );
            let (blocks,) = fetch_one_in!(&mut transaction, (i64,), blocks, other.0, user.0)?;
            if blocks > 0 {
                transaction.roll_back().await?;
                return Ok(RelationAdded::Blocked);
            }
        }
        let insert = Sql {
            postgres: "insert into user_relations (user_id, kind, other_id, since) values ($1, $2, $3, $4)
                       on conflict do nothing",
            sqlite: "insert into user_relations (user_id, kind, other_id, since_ms) values ($1, $2, $3, $4)
                     on conflict do nothing",
        };
        execute_in!(&mut transaction, insert, user.0, kind.as_str(), other.0, TimeColumn::from(at))?;
        if kind == RelationKind::Block {
            let unfollow = Sql::both(
                "delete from user_relations where kind = 'follow'
                 and ((user_id = $1 and other_id = $2) or (user_id = $2 and other_id = $1))",
            );
            execute_in!(&mut transaction, unfollow, user.0, other.0)?;
        }
        transaction.commit().await?;
        Ok(RelationAdded::Added)
    }

    /// Removes a relation of a user to another user, if it exists.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_relation(
        &self,
        user: UserId,
        kind: RelationKind,
        other: UserId,
    ) -> Result<(), StoreError> {
        let sql = Sql::both("delete from user_relations where user_id = $1 and kind = $2 and other_id = $3");
        let removed = execute!(self, sql, user.0, kind.as_str(), other.0);
        removed.map(drop).map_err(StoreError::database("remove a relation to a user"))
    }

    /// Returns the users to whom a user has a relation of this kind, the newest relation first, at
    /// most `limit`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn related_users(
        &self,
        user: UserId,
        kind: RelationKind,
        limit: u16,
    ) -> Result<Vec<RelatedUser>, StoreError> {
        let sql = Sql {
            postgres: "select id, name, created_at, bot::text as bot, since,
                              exists (select 1 from accounts where accounts.user_id = users.id) as account
                       from user_relations as relation join users on id = other_id
                       where relation.user_id = $1 and kind = $2 order by since desc, other_id limit $3",
            sqlite: "select id, name, created_at_ms as created_at, bot, since_ms as since,
                            exists (select 1 from accounts where accounts.user_id = users.id) as account
                     from user_relations as relation join users on id = other_id
                     where relation.user_id = $1 and kind = $2 order by since_ms desc, other_id limit $3",
        };
        let rows = fetch_all!(self, RawRelation, sql, user.0, kind.as_str(), i64::from(limit));
        let rows = rows.map_err(StoreError::database("list the users to whom a user has a relation"))?;
        let read = |RawRelation { user, since }| {
            Ok(RelatedUser { user: user.read()?, since: since.read("user_relations.since")? })
        };
        rows.into_iter().map(read).collect()
    }

    /// Returns the kinds of relations of a user to another user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn relations_to(&self, user: UserId, other: UserId) -> Result<Vec<RelationKind>, StoreError> {
        let sql = Sql::both("select kind from user_relations where user_id = $1 and other_id = $2");
        let rows = fetch_all!(self, (String,), sql, user.0, other.0);
        let rows = rows.map_err(StoreError::database("look up the relations to a user"))?;
        let kinds = [RelationKind::Follow, RelationKind::Block, RelationKind::Mute];
        Ok(kinds.into_iter().filter(|kind| rows.iter().any(|(row,)| row == kind.as_str())).collect())
    }

    /// Returns whether there is a block between a user and one of the others, and by whom.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn block_between(
        &self,
        user: UserId,
        others: &[UserId],
    ) -> Result<Option<BlockBetween>, StoreError> {
        let sql = Sql::both(
            "select 1 - min(is_by_other) from (
                 select 0 as is_by_other from user_relations
                 where user_id = $1 and kind = 'block' and other_id in ($2, $3, $4, $5, $6)
                 union all
                 select 1 from user_relations
                 where user_id in ($2, $3, $4, $5, $6) and kind = 'block' and other_id = $1
             ) as blocks",
        );
        let mut found = None;
        for group in others.chunks(5) {
            // Nobody blocks themselves.
            let at = |index: usize| group.get(index).unwrap_or(&user).0;
            let row = fetch_optional!(self, (Option<i32>,), sql, user.0, at(0), at(1), at(2), at(3), at(4));
            match row.map_err(StoreError::database("look up the blocks between users"))? {
                Some((Some(1),)) => return Ok(Some(BlockBetween::ByUser)),
                Some((Some(_),)) => found = Some(BlockBetween::ByOther),
                Some((None,)) | None => {}
            }
        }
        Ok(found)
    }
}

impl Transaction {
    /// Locks the row of a user against other transactions that change what the user has.
    pub(crate) async fn lock_user(&mut self, user: UserId) -> Result<(), sqlx::Error> {
        self.lock_users(user, user).await
    }

    /// Locks the rows of two users against other transactions that change relations of them.
    async fn lock_users(&mut self, one: UserId, other: UserId) -> Result<(), sqlx::Error> {
        // In SQLite there is only one transaction that writes.
        let sql = Sql {
            postgres: "select id from users where id in ($1, $2) order by id for no key update",
            sqlite: "select id from users where id in ($1, $2)",
        };
        fetch_all_in!(self, (Uuid,), sql, one.0, other.0).map(drop)
    }
}
