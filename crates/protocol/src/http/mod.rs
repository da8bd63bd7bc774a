//! Bodies of the HTTP routes under `/api`.

mod accounts;
mod conditional_moves;
mod groups;
mod invitations;
mod links;
mod mail;
mod notifications;
mod operators;
mod pairs;
mod people;
mod personal_data;
mod providers;
mod reports;
mod sessions;
mod tables;
mod tokens;
mod vacations;
mod warnings;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use accounts::{ChangePassword, NewAccount, RecoveryKeyCreated};
pub use conditional_moves::{
    ConditionalBoard, ConditionalMoves, MatchConditionalMoves, SeatConditionalMoves, SetConditionalMoves,
};
pub use groups::{
    ChangeGroup, ChangeGroupRole, GroupList, GroupMember, GroupMembers, GroupRole, GroupStanding,
    GroupStandings, GroupTables, GroupView, GroupVisibility, JoinGroup, NewGroup,
};
pub use invitations::{
    InvitationList, InvitationView, InviteAgain, InvitedAgain, NewInvitation, SentInvitation, SentInvitations,
};
pub use links::{LinkCreated, LinkKind, LinkList, LinkView, NewInvite, Uses};
pub use mail::{ChooseMail, ConfirmMail, ConfirmPasswordReset, MailSettings, RequestPasswordReset};
pub use notifications::{
    AllowedMentions, ChooseNotifications, ChooseWebhook, MessageLanguage, NewPushSubscription,
    NotificationSettings, PushOffer, PushSubscriptionAdded, PushSubscriptionKeys, PushSubscriptionView,
    QuietHours, Webhook, WebhookBody, WebhookCreated, WebhookEvent, WebhookList, WebhookMatch, WebhookOff,
    WebhookPlayer, WebhookTable, WebhookTested,
};
pub use operators::{
    AdminReason, AdminRename, AdminUser, AdminUserDetails, AdminUserList, SuspendUser, TableClosed,
    UserSuspensionView,
};
pub use pairs::{PairCount, PairDetails, PairList, PairView};
pub use people::{FollowedUser, FollowedUsers, Opponent, Opponents, RelatedUser, RelatedUsers, Relation};
pub use personal_data::{ActsAgainst, DeleteUser, LeftMatch, PersonalData, SeatNetwork};
pub use providers::{
    ConnectedProvider, NewProviderAccount, ProviderFailure, ProviderSignInStarted, ProviderSignUp,
    SignInOptions, SignInProvider, SignIns, StartProviderSignIn,
};
pub use reports::{
    AdminReport, AdminReportDetails, AdminReportList, AdminReportMoment, CloseReport, NewReport, OwnReport,
    ReportClosure, ReportMoment, ReportOutcome, ReportReason, ReportedMessage, UnknownName,
};
pub use sessions::{SessionClient, SessionList, SessionView, SessionsEnded};
pub use tables::{
    Activity, CreateTable, LobbyCounts, OwnTable, QuickJoin, QuickJoined, TableCreated, TableList,
    TableStatus, TableSummary,
};
pub use tokens::{NewToken, TokenCreated, TokenList, TokenScope, TokenView};
pub use vacations::{BeginVacation, Vacation, VacationStatus};
pub use warnings::{AdminWarning, WarnUser, WarningView};

use crate::user::UserView;
use crate::{RefusalCode, TableId};

/// The body of `POST /api/guests`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewGuest {
    /// The display name, 1 to 24 characters; generated if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// True for a bot; false if not given. Every client marks a bot as such.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub bot: bool,
}

/// The body of `PATCH /api/me`, which is answered with a [`UserView`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RenameUser {
    /// The new display name, 1 to 24 characters.
    pub name: String,
}

/// The answer to `POST /api/guests`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GuestCreated {
    /// The new user.
    pub user: UserView,
    /// The bearer token. No other request returns it, because the server stores only its hash.
    pub token: String,
}

/// The body of `POST /api/session`. With an empty object, the browser keeps its user or becomes a new
/// guest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewSession {
    /// The secret of a handover. If given, the browser continues as the user of the handover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub handover: Option<String>,
    /// A recovery key. If given, the browser continues as the user of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub recovery_key: Option<String>,
    /// The name of an account. If given with the password, the browser continues as the user of the
    /// account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// The password of the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub password: Option<String>,
}

/// The answer to `POST /api/session` and to `POST /api/session/back`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Session {
    /// The user that the new cookie identifies.
    pub user: UserView,
    /// The user of this browser before it became `user`, if the browser can return to that user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub previous_user: Option<UserView>,
}

/// The body of `POST /api/handovers/preview`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ShownHandover {
    /// The secret of the handover.
    pub secret: String,
}

/// The answer to `POST /api/handovers/preview`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct HandoverPreview {
    /// The user of the handover.
    pub user: UserView,
    /// The user that this browser's cookie identifies now; absent if the browser has no cookie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub you: Option<UserView>,
}

/// The answer to `GET /api/me`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Me {
    /// The current user.
    pub user: UserView,
    /// The tables at which the user holds a seat or is host and whose match has not ended, newest
    /// first.
    pub tables: Vec<TableSummary>,
    /// The value of `before` that requests the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub next: Option<TableId>,
    /// True if the user has a recovery key; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub recovery_key: bool,
    /// The suspension; absent if the user is not suspended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub suspension: Option<UserSuspensionView>,
    /// The warnings by operators that the user has not acknowledged, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<WarningView>>")]
    pub warnings: Vec<WarningView>,
    /// The time for which the user may not sit down at rated tables; absent if the user need not
    /// wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rated_wait: Option<RatedWaitView>,
    /// True if the client may use the routes of operators; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub operator: bool,
}

/// The time for which a user who has left rated matches may not sit down at rated tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RatedWaitView {
    /// The end of the time, in milliseconds since the Unix epoch.
    pub until_ms: u64,
    /// The number of rated matches that the user has left in the last 30 days.
    pub leaves: u32,
}

/// The body of every HTTP answer with a status of 400 or above.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ErrorBody {
    /// The kind of refusal, for programs.
    pub code: RefusalCode,
    /// The reason, for people.
    pub message: String,
}
