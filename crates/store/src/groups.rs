//! Groups of users.

use quadrex_protocol::http::{GroupRole, GroupVisibility};
use quadrex_protocol::{GroupId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{
    Sql, Transaction, execute, execute_in, fetch_all, fetch_all_in, fetch_one_in, fetch_optional,
};
use super::error::{StoreError, unreadable};
use super::group_members::read_role;
use super::revocations::Retries;
use super::time_column::TimeColumn;

/// A group.
#[derive(Clone, PartialEq, Eq)]
pub struct Group {
    /// The group's id.
    pub id: GroupId,
    /// The name, 1 to 40 characters.
    pub name: String,
    /// The description, up to 500 characters.
    pub text: Option<String>,
    /// The visibility.
    pub visibility: GroupVisibility,
    /// The secret of the link by which users join. It gives no other right, and is stored as it is, so
    /// that the owner and the admins can read it at any time.
    pub secret: String,
    /// The time of the creation.
    pub created_at: Timestamp,
}

/// `Debug` does not show the secret, so that it cannot get into a log file.
impl std::fmt::Debug for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Group").field("id", &self.id).field("name", &self.name).finish_non_exhaustive()
    }
}

/// A group as a list shows it to a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGroup {
    /// The group.
    pub group: Group,
    /// The number of its members.
    pub members: u32,
    /// The user's role; `None` for a user who is not a member.
    pub role: Option<GroupRole>,
}

/// The changes of a group; `None` for what stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupChange<'a> {
    /// The new name.
    pub name: Option<&'a str>,
    /// The new description; the inner value is `None` for no description.
    pub text: Option<Option<&'a str>>,
    /// The new visibility.
    pub visibility: Option<GroupVisibility>,
}

/// A row of `user_groups` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawGroup {
    id: Uuid,
    name: String,
    description: Option<String>,
    visibility: String,
    secret: String,
    created_at: TimeColumn,
    members: i64,
    role: Option<String>,
}

const fn visibility_text(visibility: GroupVisibility) -> &'static str {
    match visibility {
        GroupVisibility::Private => "private",
        GroupVisibility::Public => "public",
    }
}

impl RawGroup {
    fn read(self) -> Result<ListedGroup, StoreError> {
        let visibility = match self.visibility.as_str() {
            "private" => GroupVisibility::Private,
            "public" => GroupVisibility::Public,
            _ => return Err(unreadable("user_groups.visibility", self.visibility)),
        };
        // A removed user has no role.
        let role = self.role.filter(|role| role != "removed");
        Ok(ListedGroup {
            group: Group {
                id: GroupId(self.id),
                name: self.name,
                text: self.description,
                visibility,
                secret: self.secret,
                created_at: self.created_at.read("user_groups.created_at")?,
            },
            members: u32::try_from(self.members).map_err(|_| unreadable("group_members", self.members))?,
            role: role.as_deref().map(read_role).transpose()?,
        })
    }
}

impl Store {
    /// Creates a group with its owner. Returns false and creates nothing if the user owns `max_own`
    /// groups, or is in `max` groups.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, there is no such user, or the name or the
    /// description is too long.
    pub async fn create_group(
        &self,
        group: &Group,
        owner: UserId,
        max_own: u16,
        max: u16,
    ) -> Result<bool, StoreError> {
        let created = self.try_to_create_group(group, owner, max_own, max).await;
        created.map_err(StoreError::database("create a group"))
    }

    async fn try_to_create_group(
        &self,
        group: &Group,
        owner: UserId,
        max_own: u16,
        max: u16,
    ) -> Result<bool, sqlx::Error> {
        let mut transaction = self.database.begin().await?;
        transaction.lock_user(owner).await?;
        let count = Sql::both(
            "select count(case when role = 'owner' then 1 end), count(*) from group_members
             where user_id = $1 and role <> 'removed'",
        );
        let (own, all) = fetch_one_in!(&mut transaction, (i64, i64), count, owner.0)?;
        if own >= i64::from(max_own) || all >= i64::from(max) {
            transaction.roll_back().await?;
            return Ok(false);
        }
        let insert = Sql {
            postgres: "insert into user_groups (id, name, description, visibility, secret, created_at)
                       values ($1, $2, $3, $4, $5, $6)",
            sqlite: "insert into user_groups (id, name, description, visibility, secret, created_at_ms)
                     values ($1, $2, $3, $4, $5, $6)",
        };
        let at = TimeColumn::from(group.created_at);
        let (name, text, visibility) =
            (group.name.as_str(), group.text.as_deref(), visibility_text(group.visibility));
        execute_in!(&mut transaction, insert, group.id.0, name, text, visibility, group.secret.as_str(), at)?;
        let insert = Sql {
            postgres: "insert into group_members (group_id, user_id, role, since) values ($1, $2, 'owner', $3)",
            sqlite: "insert into group_members (group_id, user_id, role, since_ms) values ($1, $2, 'owner', $3)",
        };
        execute_in!(&mut transaction, insert, group.id.0, owner.0, at)?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Returns a group as it is listed for a user, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn group(
        &self,
        group: GroupId,
        user: Option<UserId>,
    ) -> Result<Option<ListedGroup>, StoreError> {
        let sql = Sql {
            postgres: "
                select id, name, description, visibility, secret, created_at,
                       (select count(*) from group_members where group_id = id and role <> 'removed') as members,
                       (select role from group_members where group_id = id and user_id = $2) as role
                from user_groups where id = $1",
            sqlite: "
                select id, name, description, visibility, secret, created_at_ms as created_at,
                       (select count(*) from group_members where group_id = id and role <> 'removed') as members,
                       (select role from group_members where group_id = id and user_id = $2) as role
                from user_groups where id = $1",
        };
        let row = fetch_optional!(self, RawGroup, sql, group.0, user.map(|user| user.0));
        row.map_err(StoreError::database("look up a group"))?.map(RawGroup::read).transpose()
    }

    /// Returns the groups of a user, the one that the user joined last first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn groups_of(&self, user: UserId) -> Result<Vec<ListedGroup>, StoreError> {
        let sql = Sql {
            postgres: "
                select id, name, description, visibility, secret, created_at, own.role as role,
                       (select count(*) from group_members where group_id = id and role <> 'removed') as members
                from group_members as own join user_groups on id = own.group_id
                where own.user_id = $1 and own.role <> 'removed' order by own.since desc, id",
            sqlite: "
                select id, name, description, visibility, secret, created_at_ms as created_at, own.role as role,
                       (select count(*) from group_members where group_id = id and role <> 'removed') as members
                from group_members as own join user_groups on id = own.group_id
                where own.user_id = $1 and own.role <> 'removed' order by own.since_ms desc, id",
        };
        let rows = fetch_all!(self, RawGroup, sql, user.0);
        let rows = rows.map_err(StoreError::database("list the groups of a user"))?;
        rows.into_iter().map(RawGroup::read).collect()
    }

    /// Changes a group, if it exists.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, or the name or the description is too long.
    pub async fn change_group(&self, group: GroupId, change: &GroupChange<'_>) -> Result<(), StoreError> {
        let sql = Sql::both(
            "update user_groups set name = coalesce($2, name), visibility = coalesce($3, visibility),
                    description = case when $4 then $5 else description end
             where id = $1",
        );
        let visibility = change.visibility.map(visibility_text);
        let (is_new_text, text) = (change.text.is_some(), change.text.flatten());
        let changed = execute!(self, sql, group.0, change.name, visibility, is_new_text, text);
        changed.map(drop).map_err(StoreError::database("change a group"))
    }

    /// Replaces the secret of a group, if it exists.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn set_group_secret(&self, group: GroupId, secret: &str) -> Result<(), StoreError> {
        let sql = Sql::both("update user_groups set secret = $2 where id = $1");
        let changed = execute!(self, sql, group.0, secret);
        changed.map(drop).map_err(StoreError::database("change the secret of a group"))
    }

    /// Removes a group. Its tables stay, without a group. Returns the former members.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn delete_group(&self, group: GroupId, now: Timestamp) -> Result<Vec<UserId>, StoreError> {
        let mut retries = Retries::default();
        loop {
            let deleted = async {
                let mut transaction = self.database.begin().await?;
                let members = transaction.delete_group(group, now).await?;
                transaction.commit().await?;
                Ok::<Vec<UserId>, sqlx::Error>(members)
            };
            match deleted.await {
                Err(error) if retries.allow(&error) => {}
                deleted => return deleted.map_err(StoreError::database("delete a group")),
            }
        }
    }
}

impl Transaction {
    /// Removes a group, and records that its members have lost their rights at its tables. Returns the
    /// former members.
    pub(super) async fn delete_group(
        &mut self,
        group: GroupId,
        now: Timestamp,
    ) -> Result<Vec<UserId>, sqlx::Error> {
        let members = Sql::both("delete from group_members where group_id = $1 returning user_id");
        let members = fetch_all_in!(&mut *self, (Uuid,), members, group.0)?;
        for (member,) in &members {
            self.record_loss_of_rights(UserId(*member), now).await?;
        }
        let tables = Sql::both("delete from group_tables where group_id = $1");
        execute_in!(&mut *self, tables, group.0)?;
        execute_in!(&mut *self, Sql::both("delete from user_groups where id = $1"), group.0)?;
        Ok(members.into_iter().map(|(member,)| UserId(member)).collect())
    }
}
