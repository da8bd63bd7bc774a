//! Groups of users who play with each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::TableSummary;
use crate::GroupId;
use crate::user::UserView;

/// The body of `POST /api/groups`, which is answered with a [`GroupView`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewGroup {
    /// The name, 1 to 40 characters.
    pub name: String,
    /// A description, 1 to 500 characters; none if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// The visibility; `private` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub visibility: Option<GroupVisibility>,
}

/// The body of `PATCH /api/groups/{group}`, which is answered with a [`GroupView`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ChangeGroup {
    /// The new name, 1 to 40 characters; unchanged if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// The new description, up to 500 characters, where an empty text removes it; unchanged if not
    /// given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// The new visibility; unchanged if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub visibility: Option<GroupVisibility>,
}

/// The visibility of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GroupVisibility {
    /// Only the members see the group, and users join by a link with a secret.
    Private,
    /// Everybody sees the group, and may join it.
    Public,
}

/// The role of a member of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GroupRole {
    /// The user who may do everything. A group has one owner.
    Owner,
    /// A user who may change the group and remove members.
    Admin,
    /// Any other member.
    Member,
}

/// A group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GroupView {
    /// The group.
    pub group: GroupId,
    /// The name.
    pub name: String,
    /// The description, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// The visibility.
    pub visibility: GroupVisibility,
    /// The time of the creation, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The number of members.
    pub members: u32,
    /// The role of the current user; absent if the user is not a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub role: Option<GroupRole>,
    /// The secret of the link by which users join a private group: `/g/<group>#join=<secret>`. Only
    /// the owner and the admins receive it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub secret: Option<String>,
}

/// The answer to `GET /api/me/groups`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GroupList {
    /// The groups of the current user, the one that the user joined last first.
    pub groups: Vec<GroupView>,
}

/// The body of `POST /api/groups/{group}/join`, which is answered with a [`GroupView`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct JoinGroup {
    /// The secret of the link. A public group needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub secret: Option<String>,
}

/// The answer to `GET /api/groups/{group}/members`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GroupMembers {
    /// The members: the owner, the admins, and the others, in the order in which they joined.
    pub members: Vec<GroupMember>,
    /// For the owner and the admins: the removed users, who cannot join again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<UserView>>")]
    pub removed: Vec<UserView>,
}

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GroupMember {
    /// The user.
    pub user: UserView,
    /// The role.
    pub role: GroupRole,
    /// The time since which the user is a member, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// True if the user is connected now; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub online: bool,
}

/// The body of `PUT /api/groups/{group}/members/{user}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ChangeGroupRole {
    /// The new role. The owner who makes another member the owner becomes an admin.
    pub role: GroupRole,
}

/// The answer to `GET /api/groups/{group}/tables`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GroupTables {
    /// The unfinished tables of the group, newest first, at most 100. For users who are not members,
    /// only the public ones.
    pub tables: Vec<TableSummary>,
}

/// The answer to `GET /api/groups/{group}/standings`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GroupStandings {
    /// The players of the group's matches, the one with the most points first.
    pub standings: Vec<GroupStanding>,
}

/// The results of a user in the matches of a group. Only matches count that have ended with places,
/// between at least two people, of whom each held one seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GroupStanding {
    /// The user.
    pub user: UserView,
    /// True if the user is a member of the group.
    pub member: bool,
    /// The number of matches.
    pub matches: u32,
    /// The number of matches in which the user had the first place alone.
    pub wins: u32,
    /// The sum over all matches: one point for each player with a worse place, and half a point for
    /// each other player with the same place.
    pub points: f64,
    /// The numbers of first, second, third and fourth places, including shared ones.
    pub places: [u32; 4],
}
