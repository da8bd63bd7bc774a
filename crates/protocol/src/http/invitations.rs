//! Invitations of users to tables.

use quadrex_rules::Color;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::TableSummary;
use crate::user::UserView;
use crate::vocabulary::ColorText;
use crate::{CommandId, MatchId, TableId, UserId};

/// The body of `POST /api/tables/{table}/invitations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewInvitation {
    /// The invited user.
    pub user: UserId,
    /// The seat for the user; any open seat if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
}

/// The answer to `GET /api/tables/{table}/invitations`: the invitations to a table that were not
/// accepted, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SentInvitations {
    /// The invitations.
    pub invitations: Vec<SentInvitation>,
}

/// An invitation as the host of the table sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SentInvitation {
    /// The invited user.
    pub user: UserView,
    /// The seat for the user; absent for any open seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// The time of the invitation, in milliseconds since the Unix epoch.
    pub invited_at_ms: u64,
    /// The time when the invitation expires, in milliseconds since the Unix epoch.
    pub expires_at_ms: u64,
    /// True if the user has declined the invitation; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub declined: bool,
}

/// The answer to `GET /api/me/invitations`: the invitations of the current user that wait for an
/// answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct InvitationList {
    /// The invitations, newest first.
    pub invitations: Vec<InvitationView>,
}

/// An invitation of the current user to a table whose match has not started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct InvitationView {
    /// The table.
    pub table: TableSummary,
    /// The user who has sent the invitation.
    pub from: UserView,
    /// The seat for the current user; absent for any open seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// The time of the invitation, in milliseconds since the Unix epoch.
    pub invited_at_ms: u64,
    /// The time when the invitation expires, in milliseconds since the Unix epoch.
    pub expires_at_ms: u64,
}

/// The body of `POST /api/matches/{match}/invite-again`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct InviteAgain {
    /// The current user's seat at the new table; the seat in the match if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// The request's id, unique per user. Repeating the request with this id within a day returns
    /// the same table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cmd: Option<CommandId>,
}

/// The answer to `POST /api/matches/{match}/invite-again`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct InvitedAgain {
    /// The new table.
    pub table: TableId,
    /// The table's match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The invited users.
    pub invited: Vec<UserView>,
}
