//! Notifications: webhooks for the tables that a user has created, push messages to browsers, and
//! mails.
//!
//! What happens at tables is queued in the store: a turn by the owner of the match, the start and the
//! end of a match by the archive, and a new table together with the table. All servers on the
//! database send the queued notifications. A server claims each one before it sends it, so that each
//! is sent once; if the server dies, another one sends it again.

mod push;
mod quiet_hours;
mod sender;
mod subject;
mod texts;
mod webhook;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use quadrex_store::error_chain::chain;
use quadrex_store::{
    Channel, DueNotification, NewNotification, NewPushSubscription, NewWebhook, NotificationChoices,
    NotificationKind, PushKeys, PushSubscription, Store, StoreError, StoredWebhook, WebhookEvents,
};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::actor::{StartedTurn, StartedTurns};
use crate::config::{NotificationsConfig, PublicUrl};
use crate::lease::Lease;
use crate::lobby::Lobby;
use crate::mail::Mail;
use crate::outgoing::{OutgoingHttp, TargetError};
use push::PushService;
pub(crate) use push::read_keys;
use sender::Sender;
pub(crate) use webhook::TestResult;

/// The largest number of webhooks of a user.
pub(crate) const MAX_WEBHOOKS: u16 = 5;

/// The largest number of browsers of a user that receive push messages.
const MAX_SUBSCRIPTIONS: u16 = 10;

/// The interval at which a server looks for notifications that are due.
const INTERVAL: Duration = Duration::from_secs(1);

/// The largest number of notifications that a server sends at the same time.
const AT_ONCE: usize = 32;

/// The time after which a claimed notification is sent by another server, because the one that
/// claimed it has died. A request ends earlier.
const CLAIM: Duration = Duration::from_secs(20);

/// The pause after the database has failed.
const RETRY: Duration = Duration::from_secs(5);

/// The lifetime of a test.
const TEST_LIFETIME: Duration = Duration::from_secs(300);

/// The parts of the server that the notifications depend on.
#[derive(Debug)]
pub(crate) struct NotificationsDeps {
    pub(crate) config: NotificationsConfig,
    pub(crate) public_url: Option<PublicUrl>,
    pub(crate) store: Store,
    pub(crate) lobby: Lobby,
    pub(crate) http: OutgoingHttp,
    pub(crate) mail: Mail,
    /// The time between the beginning of a turn and its mail.
    pub(crate) mail_delay: Duration,
    pub(crate) clock: Clock,
    pub(crate) entropy: Entropy,
    pub(crate) lease: Lease,
    pub(crate) started_turns: Arc<StartedTurns>,
}

/// The service that sends notifications and manages their targets. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Notifications(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    deps: NotificationsDeps,
    /// The client of push services, unless the settings turn push off.
    push: Option<PushService>,
}

/// A push subscription as the browser describes it.
#[derive(Clone, Debug)]
pub(crate) struct SubscriptionRequest {
    pub(crate) endpoint: String,
    pub(crate) keys: PushKeys,
    pub(crate) language: String,
    pub(crate) session: quadrex_store::SecretHash,
}

/// The reason for which a target is not added.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TargetRefusal {
    /// The settings turn the channel off.
    #[error("this server sends no such notifications")]
    Off,
    /// The server sends no requests to the URL.
    #[error(transparent)]
    Url(#[from] TargetError),
    /// The public key of the browser is no point on the curve.
    #[error("the key p256dh is no public key")]
    Key,
    /// The user has too many webhooks.
    #[error("you have {MAX_WEBHOOKS} webhooks already; remove one first")]
    Full,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Notifications {
    /// Returns the service. Creates the key for push services if there is none yet. The service sends
    /// nothing before [`run`](Self::run) is called.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub(crate) async fn new(deps: NotificationsDeps) -> Result<Self, StoreError> {
        let push = match deps.config.push {
            true => {
                let key = deps.store.push_key(&PushService::fresh_key()).await?;
                PushService::new(&key, deps.config.contact(deps.public_url.as_ref()), deps.http.clone())
            }
            false => None,
        };
        Ok(Self(Arc::new(Shared { deps, push })))
    }

    /// Returns the public key with which browsers subscribe, in base64url. Returns `None` if the
    /// server sends no push messages.
    pub(crate) fn public_key(&self) -> Option<&str> {
        self.0.push.as_ref().map(PushService::public_key)
    }

    /// Returns whether the server calls webhooks.
    pub(crate) fn has_webhooks(&self) -> bool {
        self.0.deps.config.webhooks
    }

    /// Returns the numbers of notifications that wait, by channel. Returns none if the store fails.
    pub(crate) async fn waiting(&self) -> Vec<(&'static str, usize)> {
        let Ok(waiting) = self.0.deps.store.waiting_notifications().await else { return Vec::new() };
        let count =
            |channel| waiting.iter().find(|(known, _)| *known == channel).map_or(0, |(_, count)| *count);
        Channel::ALL
            .map(|channel| (channel.as_str(), usize::try_from(count(channel)).unwrap_or(usize::MAX)))
            .to_vec()
    }

    /// Queues and sends notifications. Never returns.
    pub(crate) async fn run(&self) -> Infallible {
        tokio::select! {
            never = self.queue_turns() => never,
            never = self.send_due() => never,
        }
    }

    /// Queues the notifications of turns that have started.
    async fn queue_turns(&self) -> Infallible {
        let NotificationsDeps { started_turns, store, clock, lease, .. } = &self.0.deps;
        loop {
            started_turns.wait_for_turn().await;
            lease.wait_until_held().await;
            let (turns, now) = (started_turns.take(), clock.now());
            let new: Vec<_> = turns.iter().map(|turn| self.turn_notification(turn, now)).collect();
            if let Err(error) = store.queue_notifications(&new, now).await {
                tracing::debug!("turns are notified later: {}", chain(&error));
                tokio::time::sleep(RETRY).await;
                started_turns.put_back(turns);
            }
        }
    }

    fn turn_notification(&self, turn: &StartedTurn, now: Timestamp) -> NewNotification {
        let NotificationsDeps { config, mail_delay, .. } = &self.0.deps;
        let due = now + config.delay;
        NewNotification {
            kind: NotificationKind::Turn,
            user: Some(turn.player),
            table: turn.table,
            match_id: turn.match_id,
            ply: turn.ply,
            due,
            mail_due: now + config.delay.max(*mail_delay),
            expires: turn.deadline.max(due),
        }
    }

    /// Sends the notifications that are due, several at the same time.
    async fn send_due(&self) -> Infallible {
        let NotificationsDeps { store, clock, lease, .. } = &self.0.deps;
        let mut sending = JoinSet::new();
        loop {
            while sending.try_join_next().is_some() {}
            lease.wait_until_held().await;
            let now = clock.now();
            let free = u16::try_from(AT_ONCE - sending.len()).unwrap_or(0);
            let claimed = match store.claim_notifications(now, now + CLAIM, free).await {
                Ok(claimed) => claimed,
                Err(error) => {
                    tracing::debug!("notifications are sent later: {}", chain(&error));
                    tokio::time::sleep(RETRY).await;
                    continue;
                }
            };
            let is_full = claimed.len() == usize::from(free);
            for due in claimed {
                let this = self.clone();
                quadrex_runtime::spawn_in(&mut sending, async move { this.send(due).await });
            }
            if is_full && !sending.is_empty() {
                sending.join_next().await;
            } else {
                tokio::time::sleep(INTERVAL).await;
            }
        }
    }

    async fn send(&self, due: DueNotification) {
        let Shared { deps, push } = &*self.0;
        let sender = Sender { deps, push: push.as_ref() };
        tracing::debug!(target.id = %due.target, event = due.event, "sends a notification");
        if let Err(error) = sender.send(&due).await {
            tracing::debug!("a notification is sent later: {}", chain(&error));
        }
    }
}

/// The targets of notifications.
impl Notifications {
    /// Adds the push subscription of a browser, and returns its id.
    ///
    /// # Errors
    /// Returns [`TargetRefusal`] if the subscription cannot be used, or the store fails.
    pub(crate) async fn subscribe(
        &self,
        user: UserId,
        request: SubscriptionRequest,
    ) -> Result<Uuid, TargetRefusal> {
        if self.0.push.is_none() {
            return Err(TargetRefusal::Off);
        }
        let NotificationsDeps { store, http, .. } = &self.0.deps;
        let SubscriptionRequest { endpoint, keys, language, session } = request;
        http.target(&endpoint)?;
        if !push::is_usable(&keys) {
            return Err(TargetRefusal::Key);
        }
        let (id, at) = self.new_id();
        let new = NewPushSubscription { id, user, session, endpoint, keys, language, at };
        Ok(store.add_push_subscription(&new, MAX_SUBSCRIPTIONS).await?)
    }

    /// Returns the push subscriptions of a user, the newest first.
    pub(crate) async fn subscriptions_of(&self, user: UserId) -> Result<Vec<PushSubscription>, StoreError> {
        self.0.deps.store.push_subscriptions_of(user).await
    }

    /// Removes a push subscription. Returns false if the user has no such subscription.
    pub(crate) async fn unsubscribe(&self, user: UserId, id: Uuid) -> Result<bool, StoreError> {
        self.0.deps.store.remove_push_subscription(user, id).await
    }

    /// Queues a test message. Returns false if the user has no such subscription.
    pub(crate) async fn test_push(&self, user: UserId, id: Uuid) -> Result<bool, StoreError> {
        let now = self.0.deps.clock.now();
        self.0.deps.store.queue_push_test(user, id, now, now + TEST_LIFETIME).await
    }

    /// Returns the notifications that a user wants.
    pub(crate) async fn choices_of(&self, user: UserId) -> Result<NotificationChoices, StoreError> {
        self.0.deps.store.notification_choices(user).await
    }

    /// Sets the notifications that a user wants.
    pub(crate) async fn choose(&self, user: UserId, choices: NotificationChoices) -> Result<(), StoreError> {
        self.0.deps.store.set_notification_choices(user, choices).await
    }

    /// Adds a webhook, and returns it. Its secret is shown to the user once.
    ///
    /// # Errors
    /// Returns [`TargetRefusal`] if the URL cannot be used, the user has too many, or the store fails.
    pub(crate) async fn add_webhook(
        &self,
        user: UserId,
        url: &str,
        events: WebhookEvents,
        with_private: bool,
    ) -> Result<StoredWebhook, TargetRefusal> {
        let url = self.webhook_url(url)?;
        let (id, at) = self.new_id();
        let secret = self.0.deps.entropy.bytes();
        let new = NewWebhook { id, user, url: url.clone(), secret, events, with_private, at };
        if !self.0.deps.store.add_webhook(&new, MAX_WEBHOOKS).await? {
            return Err(TargetRefusal::Full);
        }
        Ok(StoredWebhook { id, url, secret, events, with_private, created_at: at, sent_at: None, off: None })
    }

    /// Changes a webhook and turns it on again. Returns `None` if the user has no such webhook.
    ///
    /// # Errors
    /// Returns [`TargetRefusal`] if the URL cannot be used or the store fails.
    pub(crate) async fn change_webhook(
        &self,
        user: UserId,
        id: Uuid,
        url: &str,
        events: WebhookEvents,
        with_private: bool,
    ) -> Result<Option<StoredWebhook>, TargetRefusal> {
        let url = self.webhook_url(url)?;
        Ok(self.0.deps.store.change_webhook(user, id, &url, events, with_private).await?)
    }

    /// Returns the webhooks of a user, the oldest first.
    pub(crate) async fn webhooks_of(&self, user: UserId) -> Result<Vec<StoredWebhook>, StoreError> {
        self.0.deps.store.webhooks_of(user).await
    }

    /// Removes a webhook. Returns false if the user has no such webhook.
    pub(crate) async fn remove_webhook(&self, user: UserId, id: Uuid) -> Result<bool, StoreError> {
        self.0.deps.store.remove_webhook(user, id).await
    }

    /// Sends a test to a webhook at once. Returns `None` if the user has no such webhook.
    pub(crate) async fn test_webhook(
        &self,
        user: UserId,
        id: Uuid,
    ) -> Result<Option<TestResult>, StoreError> {
        let NotificationsDeps { http, clock, .. } = &self.0.deps;
        let found = self.webhooks_of(user).await?.into_iter().find(|webhook| webhook.id == id);
        let Some(webhook) = found else { return Ok(None) };
        Ok(Some(webhook::test(&webhook, http, clock.now()).await))
    }

    fn webhook_url(&self, url: &str) -> Result<String, TargetRefusal> {
        if !self.has_webhooks() {
            return Err(TargetRefusal::Off);
        }
        Ok(self.0.deps.http.target(url)?.as_str().to_owned())
    }

    fn new_id(&self) -> (Uuid, Timestamp) {
        let NotificationsDeps { entropy, clock, .. } = &self.0.deps;
        let now = clock.now();
        (entropy.uuid(now), now)
    }
}
