//! The members of groups, and their roles.

use quadrex_protocol::http::GroupRole;
use quadrex_protocol::{GroupId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{
    Sql, Transaction, execute_in, fetch_all, fetch_all_in, fetch_one_in, fetch_optional, fetch_optional_in,
};
use super::error::{StoreError, unreadable};
use super::revocations::{Retries, Revocation};
use super::time_column::TimeColumn;
use super::users::{RawUser, User};

/// A member of a group, or a user who was removed from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGroupMember {
    /// The user.
    pub user: User,
    /// The role; `None` for a removed user, who cannot join again.
    pub role: Option<GroupRole>,
    /// The time since which the user is a member, or was removed.
    pub since: Timestamp,
}

/// The limits of memberships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupLimits {
    /// The largest number of members of a group.
    pub members: u16,
    /// The largest number of groups of a user.
    pub groups: u16,
}

/// The outcome of an attempt to join a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupJoined {
    /// The user is a member, now or already.
    Joined,
    /// The user was removed from the group.
    Removed,
    /// The group has the maximum number of members.
    GroupFull,
    /// The user is in the maximum number of groups.
    UserFull,
    /// There is no such group.
    Gone,
}

/// The consequence of a change for a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupLeft {
    /// The user was not a member.
    NotMember,
    /// The group goes on without the user.
    Left,
    /// The user was the last one who could be the owner, so the group was removed.
    Dissolved,
}

/// A row of `group_members` with the user, as the databases return it.
#[derive(sqlx::FromRow)]
struct RawMember {
    #[sqlx(flatten)]
    user: RawUser,
    role: String,
    since: TimeColumn,
}

/// Reads the role of a member.
pub(super) fn read_role(role: &str) -> Result<GroupRole, StoreError> {
    match role {
        "owner" => Ok(GroupRole::Owner),
        "admin" => Ok(GroupRole::Admin),
        "member" => Ok(GroupRole::Member),
        _ => Err(unreadable("group_members.role", role)),
    }
}

const fn role_text(role: GroupRole) -> &'static str {
    match role {
        GroupRole::Owner => "owner",
        GroupRole::Admin => "admin",
        GroupRole::Member => "member",
    }
}

impl Store {
    /// Adds a user to a group.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails or there is no such user.
    pub async fn join_group(
        &self,
        group: GroupId,
        user: UserId,
        at: Timestamp,
        limits: GroupLimits,
    ) -> Result<GroupJoined, StoreError> {
        let joined = self.try_to_join(group, user, at, limits).await;
        joined.map_err(StoreError::database("join a group"))
    }

    async fn try_to_join(
        &self,
        group: GroupId,
        user: UserId,
        at: Timestamp,
        limits: GroupLimits,
    ) -> Result<GroupJoined, sqlx::Error> {
        let mut transaction = self.database.begin().await?;
        if !transaction.lock_group(group).await? {
            return Ok(GroupJoined::Gone);
        }
        transaction.lock_user(user).await?;
        let sql = Sql::both("select role from group_members where group_id = $1 and user_id = $2");
        match fetch_optional_in!(&mut transaction, (String,), sql, group.0, user.0)? {
            Some((role,)) if role == "removed" => return Ok(GroupJoined::Removed),
            Some(_) => return Ok(GroupJoined::Joined),
            None => {}
        }
        let members =
            Sql::both("select count(*) from group_members where group_id = $1 and role <> 'removed'");
        let (members,) = fetch_one_in!(&mut transaction, (i64,), members, group.0)?;
        let groups = Sql::both("select count(*) from group_members where user_id = $1 and role <> 'removed'");
        let (groups,) = fetch_one_in!(&mut transaction, (i64,), groups, user.0)?;
        if members >= i64::from(limits.members) {
            return Ok(GroupJoined::GroupFull);
        }
        if groups >= i64::from(limits.groups) {
            return Ok(GroupJoined::UserFull);
        }
        let insert = Sql {
            postgres: "insert into group_members (group_id, user_id, role, since) values ($1, $2, 'member', $3)",
            sqlite: "insert into group_members (group_id, user_id, role, since_ms) values ($1, $2, 'member', $3)",
        };
        execute_in!(&mut transaction, insert, group.0, user.0, TimeColumn::from(at))?;
        transaction.commit().await?;
        Ok(GroupJoined::Joined)
    }

    /// Returns the members of a group and the removed users: the owner, the admins, and the others, in
    /// the order in which they joined.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn group_members(&self, group: GroupId) -> Result<Vec<StoredGroupMember>, StoreError> {
        let sql = Sql {
            postgres: "
                select id, name, created_at, bot::text as bot, role, since,
                       exists (select 1 from accounts where accounts.user_id = users.id) as account
                from group_members join users on id = group_members.user_id where group_id = $1
                order by case role when 'owner' then 0 when 'admin' then 1 else 2 end, since, id",
            sqlite: "
                select id, name, created_at_ms as created_at, bot, role, since_ms as since,
                       exists (select 1 from accounts where accounts.user_id = users.id) as account
                from group_members join users on id = group_members.user_id where group_id = $1
                order by case role when 'owner' then 0 when 'admin' then 1 else 2 end, since_ms, id",
        };
        let rows = fetch_all!(self, RawMember, sql, group.0);
        let rows = rows.map_err(StoreError::database("list the members of a group"))?;
        let read = |RawMember { user, role, since }: RawMember| {
            let role = (role != "removed").then(|| read_role(&role)).transpose()?;
            Ok(StoredGroupMember { user: user.read()?, role, since: since.read("group_members.since")? })
        };
        rows.into_iter().map(read).collect()
    }

    /// Returns whether a user is a member of a group.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn is_group_member(&self, group: GroupId, user: UserId) -> Result<bool, StoreError> {
        let sql = Sql::both(
            "select user_id from group_members where group_id = $1 and user_id = $2 and role <> 'removed'",
        );
        let row = fetch_optional!(self, (Uuid,), sql, group.0, user.0);
        Ok(row.map_err(StoreError::database("look up a member of a group"))?.is_some())
    }

    /// Gives a member of a group, or a removed user, a role. A new owner replaces the present one, who
    /// becomes an admin. Returns false if the user was never in the group.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn set_group_role(
        &self,
        group: GroupId,
        user: UserId,
        role: GroupRole,
    ) -> Result<bool, StoreError> {
        let set = async {
            let mut transaction = self.database.begin().await?;
            transaction.lock_group(group).await?;
            if role == GroupRole::Owner {
                let demote = Sql::both(
                    "update group_members set role = 'admin' where group_id = $1 and role = 'owner'",
                );
                execute_in!(&mut transaction, demote, group.0)?;
            }
            let is_set = transaction.set_role(group.0, user.0, role_text(role)).await?;
            if is_set {
                transaction.commit().await?;
            } else {
                transaction.roll_back().await?;
            }
            Ok::<bool, sqlx::Error>(is_set)
        };
        set.await.map_err(StoreError::database("change the role of a member"))
    }

    /// Ends the membership of a user. If the user was the owner, the longest-standing admin with an
    /// account becomes the owner, otherwise the longest-standing member with an account. If nobody else
    /// has an account, the group is removed.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn leave_group(
        &self,
        group: GroupId,
        user: UserId,
        now: Timestamp,
    ) -> Result<GroupLeft, StoreError> {
        let mut retries = Retries::default();
        loop {
            let left = async {
                let mut transaction = self.database.begin().await?;
                let left = transaction.leave_group(group, user, now).await?;
                transaction.commit().await?;
                Ok::<GroupLeft, sqlx::Error>(left)
            };
            match left.await {
                Err(error) if retries.allow(&error) => {}
                left => return left.map_err(StoreError::database("leave a group")),
            }
        }
    }

    /// Removes a member who is not the owner from a group. The user cannot join again until a role is
    /// given to the user. Returns false if there is no such member.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_group_member(
        &self,
        group: GroupId,
        user: UserId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut retries = Retries::default();
        loop {
            let removed = async {
                let mut transaction = self.database.begin().await?;
                let sql = Sql::both(
                    "update group_members set role = 'removed'
                     where group_id = $1 and user_id = $2 and role in ('admin', 'member')",
                );
                let removed = execute_in!(&mut transaction, sql, group.0, user.0)? > 0;
                if removed {
                    transaction.record_loss_of_rights(user, now).await?;
                }
                transaction.commit().await?;
                Ok::<bool, sqlx::Error>(removed)
            };
            match removed.await {
                Err(error) if retries.allow(&error) => {}
                removed => return removed.map_err(StoreError::database("remove a member from a group")),
            }
        }
    }
}

impl Transaction {
    /// Locks the row of a group against other transactions that change its members. Returns false if
    /// there is no such group.
    async fn lock_group(&mut self, group: GroupId) -> Result<bool, sqlx::Error> {
        // In SQLite there is only one transaction that writes.
        let sql = Sql {
            postgres: "select id from user_groups where id = $1 for no key update",
            sqlite: "select id from user_groups where id = $1",
        };
        Ok(fetch_optional_in!(self, (Uuid,), sql, group.0)?.is_some())
    }

    async fn set_role(&mut self, group: Uuid, user: Uuid, role: &str) -> Result<bool, sqlx::Error> {
        let sql = Sql::both("update group_members set role = $3 where group_id = $1 and user_id = $2");
        Ok(execute_in!(self, sql, group, user, role)? > 0)
    }

    /// Records that a user has lost rights at tables, so that the user's connections are checked again.
    pub(super) async fn record_loss_of_rights(
        &mut self,
        user: UserId,
        now: Timestamp,
    ) -> Result<(), sqlx::Error> {
        self.record_revocation(Revocation::RightsOf(user), now).await
    }

    /// Ends all memberships of a user.
    pub(super) async fn leave_all_groups(&mut self, user: UserId, now: Timestamp) -> Result<(), sqlx::Error> {
        let groups = Sql::both("select group_id from group_members where user_id = $1 and role <> 'removed'");
        for (group,) in fetch_all_in!(&mut *self, (Uuid,), groups, user.0)? {
            self.leave_group(GroupId(group), user, now).await?;
        }
        execute_in!(self, Sql::both("delete from group_members where user_id = $1"), user.0).map(drop)
    }

    async fn leave_group(
        &mut self,
        group: GroupId,
        user: UserId,
        now: Timestamp,
    ) -> Result<GroupLeft, sqlx::Error> {
        self.lock_group(group).await?;
        let leave = Sql::both(
            "delete from group_members where group_id = $1 and user_id = $2 and role <> 'removed'
             returning role",
        );
        let Some((role,)) = fetch_all_in!(&mut *self, (String,), leave, group.0, user.0)?.pop() else {
            return Ok(GroupLeft::NotMember);
        };
        self.record_loss_of_rights(user, now).await?;
        if role != "owner" {
            return Ok(GroupLeft::Left);
        }
        let successor = Sql {
            postgres: "
                select group_members.user_id from group_members
                join accounts on accounts.user_id = group_members.user_id
                where group_id = $1 and role <> 'removed'
                order by case role when 'admin' then 0 else 1 end, since, group_members.user_id limit 1",
            sqlite: "
                select group_members.user_id from group_members
                join accounts on accounts.user_id = group_members.user_id
                where group_id = $1 and role <> 'removed'
                order by case role when 'admin' then 0 else 1 end, since_ms, group_members.user_id limit 1",
        };
        match fetch_optional_in!(&mut *self, (Uuid,), successor, group.0)? {
            Some((successor,)) => {
                self.set_role(group.0, successor, role_text(GroupRole::Owner)).await?;
                Ok(GroupLeft::Left)
            }
            None => {
                self.delete_group(group, now).await?;
                Ok(GroupLeft::Dissolved)
            }
        }
    }
}
