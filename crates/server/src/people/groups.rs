//! Groups of users who play with each other.

use std::time::Duration;

use quadrex_protocol::http::{GroupRole, GroupVisibility};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{GroupId, UserId};
use quadrex_rules::Timestamp;
use quadrex_store::{
    Group, GroupChange, GroupJoined, GroupLeft, GroupLimits, ListedGroup, OwnMatch, Store, StoreError,
    StoredGroupMember, StoredGroupStanding,
};

/// The largest number of groups that a user may own.
pub(crate) const MAX_OWN_GROUPS: u16 = 10;

/// The largest number of groups of a user, and of members of a group.
pub(crate) const GROUP_LIMITS: GroupLimits = GroupLimits { members: 200, groups: 50 };

/// The largest number of tables in the list of a group.
const MAX_TABLES: u16 = 100;

/// The length of the period `month` of standings.
const MONTH: Duration = Duration::from_secs(30 * 86_400);

/// A period of the standings of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StandingsPeriod {
    /// All matches.
    #[default]
    All,
    /// The matches that have started within the last 30 days.
    Month,
}

/// The service for groups in the store. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    store: Store,
}

impl Groups {
    /// Returns the service for the groups in this store.
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// Creates a group. Returns false if the owner has the maximum number of groups.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn create(&self, group: &Group, owner: UserId) -> Result<bool, StoreError> {
        self.store.create_group(group, owner, MAX_OWN_GROUPS, GROUP_LIMITS.groups).await
    }

    /// Returns a group with the role of a user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn find(
        &self,
        group: GroupId,
        user: Option<UserId>,
    ) -> Result<Option<ListedGroup>, StoreError> {
        self.store.group(group, user).await
    }

    /// Returns the groups of a user, the one that the user joined last first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn of(&self, user: UserId) -> Result<Vec<ListedGroup>, StoreError> {
        self.store.groups_of(user).await
    }

    /// Returns whether a user is a member of a group.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn is_member(&self, group: GroupId, user: UserId) -> Result<bool, StoreError> {
        self.store.is_group_member(group, user).await
    }

    /// Adds a user to a group.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn join(
        &self,
        group: GroupId,
        user: UserId,
        now: Timestamp,
    ) -> Result<GroupJoined, StoreError> {
        self.store.join_group(group, user, now, GROUP_LIMITS).await
    }

    /// Changes a group.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn change(
        &self,
        group: GroupId,
        name: Option<&str>,
        text: Option<Option<&str>>,
        visibility: Option<GroupVisibility>,
    ) -> Result<(), StoreError> {
        self.store.change_group(group, &GroupChange { name, text, visibility }).await
    }

    /// Replaces the secret of a group's link.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn set_secret(&self, group: GroupId, secret: &str) -> Result<(), StoreError> {
        self.store.set_group_secret(group, secret).await
    }

    /// Removes a group. Returns the former members.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn delete(&self, group: GroupId, now: Timestamp) -> Result<Vec<UserId>, StoreError> {
        self.store.delete_group(group, now).await
    }

    /// Returns the members of a group and the removed users.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn members(&self, group: GroupId) -> Result<Vec<StoredGroupMember>, StoreError> {
        self.store.group_members(group).await
    }

    /// Gives a member or a removed user a role. Returns false if the user was never in the group.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn set_role(
        &self,
        group: GroupId,
        user: UserId,
        role: GroupRole,
    ) -> Result<bool, StoreError> {
        self.store.set_group_role(group, user, role).await
    }

    /// Ends the membership of a user who leaves. See [`Store::leave_group`].
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn leave(
        &self,
        group: GroupId,
        user: UserId,
        now: Timestamp,
    ) -> Result<GroupLeft, StoreError> {
        self.store.leave_group(group, user, now).await
    }

    /// Removes a member who is not the owner. Returns false if there is no such member.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn remove(
        &self,
        group: GroupId,
        user: UserId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.store.remove_group_member(group, user, now).await
    }

    /// Returns the newest unfinished matches of a group's tables, each with the privacy of its table.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn matches(&self, group: GroupId) -> Result<Vec<(OwnMatch, Privacy)>, StoreError> {
        self.store.matches_of_group(group, MAX_TABLES).await
    }

    /// Returns the results in the matches of a group within a period, the best ones first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub(crate) async fn standings(
        &self,
        group: GroupId,
        period: StandingsPeriod,
        now: Timestamp,
    ) -> Result<Vec<StoredGroupStanding>, StoreError> {
        let since = match period {
            StandingsPeriod::All => Timestamp::from_millis(0),
            StandingsPeriod::Month => now - MONTH,
        };
        self.store.group_standings(group, since).await
    }
}
