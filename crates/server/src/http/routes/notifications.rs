//! The routes of notifications: the notifications that a user wants, push subscriptions, and webhooks.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::{delete, get, post, put};
use axum::{Json, Router};
use quadrex_protocol::http::{
    ChooseNotifications, ChooseWebhook, MessageLanguage, NewPushSubscription, NotificationSettings,
    PushOffer, PushSubscriptionAdded, PushSubscriptionView, QuietHours, Webhook, WebhookCreated,
    WebhookEvent, WebhookList, WebhookOff, WebhookTested,
};
use quadrex_protocol::{RefusalCode, UserId, hex};
use quadrex_store::{NotificationChoices, PushSubscription, StoredWebhook, WebhookEvents};
use uuid::Uuid;

use crate::auth::User;
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::notifications::{SubscriptionRequest, TargetRefusal, TestResult, read_keys};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// The last minute of a day.
const LAST_MINUTE: u16 = 24 * 60 - 1;

/// The largest difference to UTC, in minutes.
const MAX_OFFSET: i16 = 14 * 60;

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/me/notifications", get(show_settings).put(choose))
        .route("/api/me/push-subscriptions", post(subscribe))
        .route("/api/me/push-subscriptions/{browser}", delete(unsubscribe))
        .route("/api/me/push-subscriptions/{browser}/test", post(test_push))
        .route("/api/me/webhooks", get(list_webhooks).post(add_webhook))
        .route("/api/me/webhooks/{webhook}", put(change_webhook).delete(remove_webhook))
        .route("/api/me/webhooks/{webhook}/test", post(test_webhook))
}

/// Returns the settings of the user's notifications.
async fn show_settings(
    State(state): State<AppState>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<NotificationSettings>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    state.notification_settings(user).await.map(Json)
}

/// Chooses the notifications that the user wants.
async fn choose(
    State(state): State<AppState>,
    method: Method,
    headers: HeaderMap,
    JsonBody(chosen): JsonBody<ChooseNotifications>,
) -> Result<StatusCode, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let quiet_hours = chosen.quiet_hours.map(check_quiet_hours).transpose()?;
    let choices = NotificationChoices { turn: chosen.turn, started: chosen.started, quiet_hours };
    let set = state.notifications.choose(user.id, choices).await;
    set.map_err(|error| state.fault("choose notifications", &error))?;
    Ok(StatusCode::NO_CONTENT)
}

fn check_quiet_hours(hours: QuietHours) -> Result<quadrex_store::QuietHours, Refusal> {
    let QuietHours { from_minute, to_minute, utc_offset_minutes } = hours;
    if from_minute > LAST_MINUTE || to_minute > LAST_MINUTE {
        let message = format_args!("a minute of the day is 0 to {LAST_MINUTE}");
        return Err(Refusal::new(RefusalCode::BadSetting, message));
    }
    if !(-MAX_OFFSET..=MAX_OFFSET).contains(&utc_offset_minutes) {
        let message = format_args!("utc_offset_minutes must be -{MAX_OFFSET} to {MAX_OFFSET}");
        return Err(Refusal::new(RefusalCode::BadSetting, message));
    }
    Ok(quadrex_store::QuietHours { from_minute, to_minute, utc_offset_minutes })
}

/// Adds the push subscription of the browser that sends the request.
async fn subscribe(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(new): JsonBody<NewPushSubscription>,
) -> Result<(StatusCode, Json<PushSubscriptionAdded>), Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let NewPushSubscription { endpoint, keys, language } = new;
    let keys = read_keys(&keys.p256dh, &keys.auth).ok_or_else(|| {
        Refusal::new(
            RefusalCode::BadSetting,
            "keys.p256dh must be 65 bytes and keys.auth 16 bytes in base64url",
        )
    })?;
    let session = AppState::presented_session(&headers).expect("an identity comes from a session");
    state.check_target_rate(user.id, peer, &headers).await?;
    let request = SubscriptionRequest { endpoint, keys, language: language.as_str().to_owned(), session };
    let added = state.notifications.subscribe(user.id, request).await;
    let id = added.map_err(|refusal| state.target_refusal(refusal))?;
    Ok((StatusCode::CREATED, Json(PushSubscriptionAdded { id })))
}

/// Removes a push subscription of the user.
async fn unsubscribe(
    State(state): State<AppState>,
    Path(id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let removed = match id.parse() {
        Ok(id) => state.notifications.unsubscribe(user.id, id).await,
        Err(_) => Ok(false),
    };
    let removed = removed.map_err(|error| state.fault("remove a push subscription", &error))?;
    if removed { Ok(StatusCode::NO_CONTENT) } else { Err(no_subscription()) }
}

/// Sends a test message to a browser of the user.
async fn test_push(
    State(state): State<AppState>,
    Path(id): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    state.check_target_rate(user.id, peer, &headers).await?;
    let queued = match id.parse() {
        Ok(id) => state.notifications.test_push(user.id, id).await,
        Err(_) => Ok(false),
    };
    let queued = queued.map_err(|error| state.fault("queue a test", &error))?;
    if queued { Ok(StatusCode::NO_CONTENT) } else { Err(no_subscription()) }
}

/// Returns the webhooks of the user.
async fn list_webhooks(
    State(state): State<AppState>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<WebhookList>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    Ok(Json(WebhookList { webhooks: state.webhooks_of(user.id).await? }))
}

/// Adds a webhook.
async fn add_webhook(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(new): JsonBody<ChooseWebhook>,
) -> Result<(StatusCode, Json<WebhookCreated>), Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_account(require_all_rights(&identity)?)?;
    let events = read_events(&new.events)?;
    state.check_target_rate(user.id, peer, &headers).await?;
    let added = state.notifications.add_webhook(user.id, &new.url, events, new.private).await;
    let added = added.map_err(|refusal| state.target_refusal(refusal))?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    AuditEntry::new(AuditAction::WebhookAdded).by(user.id).from(address).record();
    let secret = hex::encode(&added.secret);
    Ok((StatusCode::CREATED, Json(WebhookCreated { webhook: view(added), secret })))
}

/// Changes a webhook of the user, and turns it on again.
async fn change_webhook(
    State(state): State<AppState>,
    Path(id): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(chosen): JsonBody<ChooseWebhook>,
) -> Result<Json<Webhook>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_account(require_all_rights(&identity)?)?;
    let (events, id) = (read_events(&chosen.events)?, webhook_id(&id)?);
    state.check_target_rate(user.id, peer, &headers).await?;
    let changed = state.notifications.change_webhook(user.id, id, &chosen.url, events, chosen.private).await;
    let changed = changed.map_err(|refusal| state.target_refusal(refusal))?;
    changed.map(|webhook| Json(view(webhook))).ok_or_else(no_webhook)
}

/// Removes a webhook of the user.
async fn remove_webhook(
    State(state): State<AppState>,
    Path(id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let removed = state.notifications.remove_webhook(user.id, webhook_id(&id)?).await;
    let removed = removed.map_err(|error| state.fault("remove a webhook", &error))?;
    if removed { Ok(StatusCode::NO_CONTENT) } else { Err(no_webhook()) }
}

/// Sends a test to a webhook of the user, and returns the answer of the webhook.
async fn test_webhook(
    State(state): State<AppState>,
    Path(id): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<WebhookTested>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_account(require_all_rights(&identity)?)?;
    state.check_target_rate(user.id, peer, &headers).await?;
    let tested = state.notifications.test_webhook(user.id, webhook_id(&id)?).await;
    let tested = tested.map_err(|error| state.fault("test a webhook", &error))?;
    let (status, error) = match tested.ok_or_else(no_webhook)? {
        TestResult::Answered(status) => (Some(status.as_u16()), None),
        TestResult::Failed(reason) => (None, Some(reason)),
    };
    Ok(Json(WebhookTested { status, error }))
}

impl AppState {
    pub(super) async fn notification_settings(&self, user: &User) -> Result<NotificationSettings, Refusal> {
        let fault = |error| self.fault("look up the notifications of a user", &error);
        let subscriptions = self.notifications.subscriptions_of(user.id).await.map_err(fault)?;
        let choices = self.notifications.choices_of(user.id).await.map_err(fault)?;
        let public_key = self.notifications.public_key().map(str::to_owned);
        Ok(NotificationSettings {
            push: public_key.map(|public_key| PushOffer { public_key }),
            subscriptions: subscriptions.into_iter().map(subscription_view).collect(),
            turn: choices.turn,
            started: choices.started,
            quiet_hours: choices.quiet_hours.map(|hours| QuietHours {
                from_minute: hours.from_minute,
                to_minute: hours.to_minute,
                utc_offset_minutes: hours.utc_offset_minutes,
            }),
            mail: self.mail_settings(user).await?,
            webhooks: user.account && self.notifications.has_webhooks(),
        })
    }

    pub(super) async fn webhooks_of(&self, user: UserId) -> Result<Vec<Webhook>, Refusal> {
        let webhooks = self.notifications.webhooks_of(user).await;
        let webhooks = webhooks.map_err(|error| self.fault("list the webhooks of a user", &error))?;
        Ok(webhooks.into_iter().map(view).collect())
    }

    /// Counts a request that adds or tests a target. Such requests have the limits of links.
    async fn check_target_rate(&self, user: UserId, peer: Peer, headers: &HeaderMap) -> Result<(), Refusal> {
        let address = self.proxies.client_addr(peer.0, headers)?;
        Ok(self.rate_limits.check_link(user, address).await?)
    }

    fn target_refusal(&self, refusal: TargetRefusal) -> Refusal {
        match refusal {
            TargetRefusal::Store(error) => self.fault("add a target of notifications", &error),
            TargetRefusal::Full => Refusal::new(RefusalCode::ListFull, refusal),
            TargetRefusal::Off => Refusal::new(RefusalCode::Forbidden, refusal),
            TargetRefusal::Url(_) | TargetRefusal::Key => Refusal::new(RefusalCode::BadSetting, refusal),
        }
    }
}

fn require_account(user: &User) -> Result<&User, Refusal> {
    if user.account {
        return Ok(user);
    }
    Err(Refusal::new(RefusalCode::Forbidden, "webhooks need an account"))
}

fn read_events(events: &[WebhookEvent]) -> Result<WebhookEvents, Refusal> {
    let has = |event| events.contains(&event);
    if events.is_empty() || has(WebhookEvent::Test) {
        let message = "events must be one or more of opened, started and ended";
        return Err(Refusal::new(RefusalCode::BadSetting, message));
    }
    Ok(WebhookEvents {
        opened: has(WebhookEvent::Opened),
        started: has(WebhookEvent::Started),
        ended: has(WebhookEvent::Ended),
    })
}

fn webhook_id(id: &str) -> Result<Uuid, Refusal> {
    id.parse().map_err(|_| no_webhook())
}

fn no_webhook() -> Refusal {
    Refusal::new(RefusalCode::NotFound, "you have no such webhook")
}

fn no_subscription() -> Refusal {
    Refusal::new(RefusalCode::NotFound, "you have no such push subscription")
}

/// Returns a webhook as its user sees it.
fn view(webhook: StoredWebhook) -> Webhook {
    let WebhookEvents { opened, started, ended } = webhook.events;
    let events =
        [(opened, WebhookEvent::Opened), (started, WebhookEvent::Started), (ended, WebhookEvent::Ended)];
    Webhook {
        id: webhook.id,
        url: webhook.url,
        events: events.into_iter().filter_map(|(is_on, event)| is_on.then_some(event)).collect(),
        private: webhook.with_private,
        created_at_ms: webhook.created_at.as_millis(),
        sent_at_ms: webhook.sent_at.map(|at| at.as_millis()),
        off: webhook.off.map(|off| WebhookOff { at_ms: off.at.as_millis(), reason: off.reason }),
    }
}

fn subscription_view(subscription: PushSubscription) -> PushSubscriptionView {
    let known = MessageLanguage::ALL.into_iter();
    let language = known.into_iter().find(|language| language.as_str() == subscription.language);
    PushSubscriptionView {
        id: subscription.id,
        client: subscription.client,
        language: language.unwrap_or(MessageLanguage::En),
        created_at_ms: subscription.created_at.as_millis(),
    }
}
