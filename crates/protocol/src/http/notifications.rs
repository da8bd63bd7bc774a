//! Notifications: push subscriptions of browsers, the notifications that a user wants, and webhooks.

use quadrex_rules::{Color, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use super::MailSettings;
use crate::settings::TimeSetting;
use crate::user::UserView;
use crate::view::OutcomeView;
use crate::vocabulary::{ColorText, VariantText};
use crate::{MatchId, TableId};

/// The answer to `GET /api/me/notifications`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct NotificationSettings {
    /// The facts with which a browser subscribes; absent if the server sends no push messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub push: Option<PushOffer>,
    /// The browsers that receive push messages, newest first.
    pub subscriptions: Vec<PushSubscriptionView>,
    /// True if the user is notified of turns in correspondence matches.
    pub turn: bool,
    /// True if the user is notified of started matches.
    pub started: bool,
    /// The hours in which the user is not notified; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub quiet_hours: Option<QuietHours>,
    /// The mail settings; absent for guests, and if the server sends no mails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mail: Option<MailSettings>,
    /// True if the user may have webhooks.
    pub webhooks: bool,
}

/// The facts with which a browser subscribes to push messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PushOffer {
    /// The public key of the server (VAPID), in base64url: the `applicationServerKey`.
    pub public_key: String,
}

/// A browser that receives push messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PushSubscriptionView {
    /// The id.
    pub id: Uuid,
    /// The name of the browser, such as `Firefox, Linux`; absent if it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub client: Option<String>,
    /// The language of the messages.
    pub language: MessageLanguage,
    /// The time at which the browser has subscribed, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
}

/// A language of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MessageLanguage {
    /// English.
    En,
    /// German.
    De,
    /// Spanish.
    Es,
}

impl MessageLanguage {
    /// All languages.
    pub const ALL: [Self; 3] = [Self::En, Self::De, Self::Es];

    /// Returns the name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::Es => "es",
        }
    }
}

/// Hours of the user's day, which may begin before midnight and end after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct QuietHours {
    /// The minute of the day at which the hours begin, 0 to 1439.
    pub from_minute: u16,
    /// The minute of the day at which the hours end, 0 to 1439.
    pub to_minute: u16,
    /// The difference of the user's time to UTC in minutes, positive in the east, -840 to 840.
    pub utc_offset_minutes: i16,
}

/// The body of `PUT /api/me/notifications`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ChooseNotifications {
    /// True to be notified of turns in correspondence matches.
    pub turn: bool,
    /// True to be notified of started matches.
    pub started: bool,
    /// The hours without notifications; null or absent if there are none.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub quiet_hours: Option<QuietHours>,
}

/// The body of `POST /api/me/push-subscriptions`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewPushSubscription {
    /// The URL at the push service.
    pub endpoint: String,
    /// The keys of the subscription.
    pub keys: PushSubscriptionKeys,
    /// The language of the messages.
    pub language: MessageLanguage,
}

/// The keys of a push subscription, in base64url.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct PushSubscriptionKeys {
    /// The public key of the browser.
    pub p256dh: String,
    /// The authentication secret.
    pub auth: String,
}

/// The answer to `POST /api/me/push-subscriptions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PushSubscriptionAdded {
    /// The id of the subscription.
    pub id: Uuid,
}

/// The answer to `GET /api/me/webhooks`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WebhookList {
    /// The webhooks of the user, oldest first.
    pub webhooks: Vec<Webhook>,
}

/// A URL that receives the events of the tables that the user has created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Webhook {
    /// The id.
    pub id: Uuid,
    /// The URL.
    pub url: String,
    /// The events that the webhook receives.
    pub events: Vec<WebhookEvent>,
    /// True if the webhook also receives the events of private tables.
    pub private: bool,
    /// The time at which the webhook was added, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The time of the last event that the webhook has accepted, in milliseconds since the Unix epoch;
    /// absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sent_at_ms: Option<u64>,
    /// The reason for which the webhook receives nothing any more; absent if it receives events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub off: Option<WebhookOff>,
}

/// The end of a webhook that did not accept events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WebhookOff {
    /// The time since which the webhook is off, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The last failure.
    pub reason: String,
}

/// The body of `POST /api/me/webhooks` and of `PUT /api/me/webhooks/{webhook}`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ChooseWebhook {
    /// The https URL.
    pub url: String,
    /// The events that the webhook receives, at least one of `opened`, `started` and `ended`.
    pub events: Vec<WebhookEvent>,
    /// True if the webhook also receives the events of private tables; false if not given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub private: bool,
}

/// The answer to `POST /api/me/webhooks`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WebhookCreated {
    /// The webhook.
    pub webhook: Webhook,
    /// The secret with which the requests are signed. No other request returns it.
    pub secret: String,
}

/// The answer to `POST /api/me/webhooks/{webhook}/test`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WebhookTested {
    /// The HTTP status with which the webhook has answered; absent if it has not answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub status: Option<u16>,
    /// The reason for which there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<String>,
}

/// An event that webhooks receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum WebhookEvent {
    /// A table was opened.
    Opened,
    /// A match has started.
    Started,
    /// A match has ended.
    Ended,
    /// The user has requested a test.
    Test,
}

/// The body of a request to a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WebhookBody {
    /// The event.
    pub event: WebhookEvent,
    /// The time of the event, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// A sentence about the event. Chat programs such as Discord show it.
    pub content: String,
    /// The mentions that Discord allows in the sentence: none.
    pub allowed_mentions: AllowedMentions,
    /// The table; absent in a test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<WebhookTable>,
    /// The match; absent in a test and if a table was opened.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    #[ts(rename = "match", optional)]
    pub of_match: Option<WebhookMatch>,
}

impl WebhookBody {
    /// Returns a body whose sentence mentions nobody.
    #[must_use]
    pub fn new(
        event: WebhookEvent,
        at_ms: u64,
        content: String,
        table: Option<WebhookTable>,
        of_match: Option<WebhookMatch>,
    ) -> Self {
        Self {
            event,
            at_ms,
            content,
            allowed_mentions: AllowedMentions { parse: Vec::new() },
            table,
            of_match,
        }
    }
}

/// The kinds of mentions that Discord finds in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AllowedMentions {
    /// The kinds.
    pub parse: Vec<String>,
}

/// The table of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WebhookTable {
    /// The id.
    pub id: TableId,
    /// The URL of its page; absent if the server does not know its own URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub url: Option<String>,
    /// The variant.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The time control.
    pub time: TimeSetting,
    /// True if the match counts for ratings.
    pub rated: bool,
    /// True if the lobby does not list the table.
    pub private: bool,
    /// The host.
    pub host: UserView,
}

/// The match of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WebhookMatch {
    /// The id.
    pub id: MatchId,
    /// The URL of its page; absent if the server does not know its own URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub url: Option<String>,
    /// The players in turn order.
    pub players: Vec<WebhookPlayer>,
    /// The result; absent while the match runs, and if it was aborted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outcome: Option<OutcomeView>,
}

/// A player of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WebhookPlayer {
    /// The color.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The player.
    pub user: UserView,
}
