//! The export of a user's personal data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    ConnectedProvider, GroupView, InvitationView, MatchConditionalMoves, NotificationSettings, OwnReport,
    PairCount, RelatedUser, SessionView, TableSummary, TokenView, UserSuspensionView, VacationStatus,
    WarningView, Webhook,
};
use crate::archive::MatchSummary;
use crate::rating::RatingView;
use crate::user::UserView;
use crate::{MatchId, UserId};

/// The answer to `GET /api/me/export` and to `GET /api/admin/users/{user}/export`: the data that the
/// server stores about a user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PersonalData {
    /// The user.
    pub user: UserView,
    /// The time of the user's first request, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The time at which the account was created, in milliseconds since the Unix epoch; absent for a
    /// guest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub account_created_at_ms: Option<u64>,
    /// The accounts at providers with which the user signs in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<ConnectedProvider>>")]
    pub providers: Vec<ConnectedProvider>,
    /// True if the user has a recovery key.
    pub recovery_key: bool,
    /// The suspension; absent if the user is not suspended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub suspension: Option<UserSuspensionView>,
    /// The sessions, newest first.
    pub sessions: Vec<SessionView>,
    /// The tokens that the user has created for programs, newest first.
    pub tokens: Vec<TokenView>,
    /// The settings of notifications, with the browsers that receive push messages.
    pub notifications: NotificationSettings,
    /// The webhooks, oldest first.
    pub webhooks: Vec<Webhook>,
    /// The ratings.
    pub ratings: Vec<RatingView>,
    /// The warnings of the user by operators, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<WarningView>>")]
    pub warnings: Vec<WarningView>,
    /// The reports that the user has sent, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<OwnReport>>")]
    pub reports: Vec<OwnReport>,
    /// The groups of which the user is a member, the one that the user joined last first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<GroupView>>")]
    pub groups: Vec<GroupView>,
    /// The invitations to tables that wait for the user's answer, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<InvitationView>>")]
    pub invitations: Vec<InvitationView>,
    /// The unfinished tables at which the user holds a seat or is host, newest first.
    pub tables: Vec<TableSummary>,
    /// The conditional moves of the user in unfinished correspondence matches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<MatchConditionalMoves>>")]
    pub conditional_moves: Vec<MatchConditionalMoves>,
    /// The vacation days, with the current vacation.
    pub vacation: VacationStatus,
    /// The started matches of the user, newest first, private ones included. The moves and messages
    /// of each are at `/api/matches/{match}`.
    pub matches: Vec<MatchSummary>,
    /// The rated matches that the user has left before the end, the last one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<LeftMatch>>")]
    pub left_matches: Vec<LeftMatch>,
    /// The network addresses from which the user has taken seats of rated matches that have not
    /// begun.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<SeatNetwork>>")]
    pub seat_networks: Vec<SeatNetwork>,
    /// The acts of the user against each opponent in rated matches of more than two players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<ActsAgainst>>")]
    pub acts: Vec<ActsAgainst>,
    /// The users whom the user follows.
    pub follows: Vec<RelatedUser>,
    /// The users that the user has blocked.
    pub blocks: Vec<RelatedUser>,
    /// The users that the user has muted.
    pub mutes: Vec<RelatedUser>,
}

/// A rated match that the user has left before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LeftMatch {
    /// The match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The time, in milliseconds since the Unix epoch.
    pub at_ms: u64,
}

/// The acts of a user against another one in a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ActsAgainst {
    /// The match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The other user.
    pub user: UserId,
    /// The numbers.
    pub count: PairCount,
}

/// The network address from which the user has taken a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SeatNetwork {
    /// The match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The address of the network.
    pub network: String,
}

/// The body of `POST /api/me/delete`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct DeleteUser {
    /// The password of the account; absent for a guest, and for an account without a password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub password: Option<String>,
}
