//! The sending of one notification.

use std::time::Duration;

use hyper::StatusCode;
use quadrex_rules::Timestamp;
use quadrex_store::{Channel, DueNotification, NotificationKind, StoreError, StoredWebhook};

use quadrex_table::TableState;

use super::push::{PushAnswer, PushMessage, PushService};
use super::{NotificationsDeps, quiet_hours, subject, texts, webhook};
use crate::mail::{MailError, OutgoingMail, UnsubscribeLinks};
use crate::telemetry::metrics::METRICS;

/// The times between the attempts to send a notification. After the last one, it is dropped.
const BACKOFF: [Duration; 7] = [
    Duration::from_secs(20),
    Duration::from_secs(60),
    Duration::from_secs(180),
    Duration::from_secs(600),
    Duration::from_secs(1_800),
    Duration::from_secs(3_600),
    Duration::from_secs(7_200),
];

/// The number of failed requests in a row after which a webhook is turned off.
const MAX_FAILURES: u32 = 20;

/// The result of an attempt.
enum Attempt {
    /// The notification was sent.
    Sent,
    /// The notification is not sent any more.
    Dropped,
    /// The notification is sent later, because the target did not accept it.
    Failed,
    /// The notification is sent at this time, because the user wants none until then.
    Postponed(Timestamp),
}

/// The sender of a notification.
pub(super) struct Sender<'a> {
    pub(super) deps: &'a NotificationsDeps,
    pub(super) push: Option<&'a PushService>,
}

impl Sender<'_> {
    /// Sends a notification that was claimed, and records the result.
    pub(super) async fn send(&self, due: &DueNotification) -> Result<(), StoreError> {
        let attempt = match due.channel {
            Channel::Webhook => self.send_to_webhook(due).await?,
            Channel::Push => self.send_by_push(due).await?,
            Channel::Mail => self.send_by_mail(due).await?,
        };
        let channel = due.channel.as_str();
        let (store, now) = (&self.deps.store, self.deps.clock.now());
        let next = match attempt {
            Attempt::Sent => {
                METRICS.notifications.sent.inc(channel);
                None
            }
            Attempt::Dropped => None,
            Attempt::Failed => {
                METRICS.notifications.failed.inc(channel);
                let pause =
                    usize::try_from(due.attempts).ok().and_then(|count| BACKOFF.get(count.max(1) - 1));
                pause.map(|pause| now + *pause)
            }
            Attempt::Postponed(until) => Some(until),
        };
        match next.filter(|next| *next < due.expires) {
            Some(next) => store.postpone_notification(due.target, &due.event, next).await,
            None => store.finish_notification(due.target, &due.event).await,
        }
    }

    async fn send_to_webhook(&self, due: &DueNotification) -> Result<Attempt, StoreError> {
        let NotificationsDeps { store, lobby, http, clock, config, public_url, .. } = self.deps;
        let Some(found) = store.webhook(due.target).await? else { return Ok(Attempt::Dropped) };
        let Some((table, match_id)) = due.about.filter(|_| config.webhooks && found.off.is_none()) else {
            return Ok(Attempt::Dropped);
        };
        let state = match subject::read(lobby, table, match_id).await {
            Ok(Some(state)) => state,
            Ok(None) => return Ok(Attempt::Dropped),
            Err(_) => return Ok(Attempt::Failed),
        };
        if subject::is_private(&state) && !found.with_private {
            return Ok(Attempt::Dropped);
        }
        let body = webhook::body(due.kind, due.created_at, &state, public_url.as_ref());
        let answer = webhook::send(&found, &body, http, clock.now()).await;
        self.record_webhook(&found, answer).await
    }

    async fn record_webhook(
        &self,
        webhook: &StoredWebhook,
        answer: Result<StatusCode, String>,
    ) -> Result<Attempt, StoreError> {
        let NotificationsDeps { store, clock, .. } = self.deps;
        let now = clock.now();
        let reason = match answer {
            Ok(status) if status.is_success() => {
                store.record_webhook_success(webhook.id, now).await?;
                return Ok(Attempt::Sent);
            }
            Ok(StatusCode::GONE) => {
                store.record_webhook_failure(webhook.id, now, &StatusCode::GONE.to_string(), 1).await?;
                return Ok(Attempt::Dropped);
            }
            Ok(status) => status.to_string(),
            Err(reason) => reason,
        };
        tracing::debug!(webhook = %webhook.id, "a webhook does not accept an event: {reason}");
        store.record_webhook_failure(webhook.id, now, &reason, MAX_FAILURES).await?;
        Ok(Attempt::Failed)
    }

    /// Reads the match of a notification for its user. Returns the attempt instead if there is nothing
    /// to send now.
    async fn read_subject(&self, due: &DueNotification) -> Result<Result<TableState, Attempt>, StoreError> {
        let NotificationsDeps { store, lobby, clock, .. } = self.deps;
        let Some((table, match_id)) = due.about else { return Ok(Err(Attempt::Dropped)) };
        let state = match subject::read(lobby, table, match_id).await {
            Ok(Some(state)) => state,
            Ok(None) => return Ok(Err(Attempt::Dropped)),
            Err(_) => return Ok(Err(Attempt::Failed)),
        };
        if !subject::concerns(due, &state) {
            return Ok(Err(Attempt::Dropped));
        }
        let quiet = store.notification_choices(due.user).await?.quiet_hours;
        Ok(match quiet.and_then(|quiet| quiet_hours::end_of(quiet, clock.now())) {
            Some(end) => Err(Attempt::Postponed(end)),
            None => Ok(state),
        })
    }

    async fn send_by_push(&self, due: &DueNotification) -> Result<Attempt, StoreError> {
        let NotificationsDeps { store, clock, .. } = self.deps;
        let now = clock.now();
        let found = store.push_subscription(due.target, now).await?;
        let Some((to, push)) = found.zip(self.push) else { return Ok(Attempt::Dropped) };
        let text = match due.about {
            None => texts::text(&to.language, due.kind, "", &[]),
            Some(_) => {
                let state = match self.read_subject(due).await? {
                    Ok(state) => state,
                    Err(attempt) => return Ok(attempt),
                };
                let variant = state.terms().settings.variant.title();
                texts::text(&to.language, due.kind, variant, &subject::opponents(&state, due.user))
            }
        };
        let kind = match due.kind {
            NotificationKind::Turn => "turn",
            NotificationKind::Started => "started",
            NotificationKind::Opened | NotificationKind::Ended | NotificationKind::Test => "test",
        };
        let message = PushMessage::new(kind, text, due.about.map(|(table, _)| table));
        Ok(match push.send(&to, &message, due.expires.since(now), now).await {
            PushAnswer::Accepted => Attempt::Sent,
            PushAnswer::Gone => {
                store.remove_push_subscription(due.user, to.id).await?;
                Attempt::Dropped
            }
            PushAnswer::Refused(status) => {
                tracing::warn!(%status, "a push service refuses a message");
                Attempt::Dropped
            }
            PushAnswer::Later(reason) => {
                tracing::debug!("a push service does not accept a message yet: {reason}");
                Attempt::Failed
            }
        })
    }

    async fn send_by_mail(&self, due: &DueNotification) -> Result<Attempt, StoreError> {
        let NotificationsDeps { store, mail, .. } = self.deps;
        let found = store.notified_mail_address(due.target).await?;
        let Some((to, mailer)) = found.zip(mail.mailer()) else { return Ok(Attempt::Dropped) };
        let state = match self.read_subject(due).await? {
            Ok(state) => state,
            Err(attempt) => return Ok(attempt),
        };
        let variant = state.terms().settings.variant.title();
        let opponents = subject::opponents(&state, due.user);
        let unsubscribe = UnsubscribeLinks {
            page: mailer.url(&format!("/mail/unsubscribe#{}", to.unsubscribe_key)),
            one_click: mailer.url(&format!("/api/mail/unsubscribe/{}", to.unsubscribe_key)),
        };
        let links = texts::MailLinks {
            table: &mailer.url(&format!("/t/{}", state.table())),
            settings: &mailer.url("/settings"),
            unsubscribe: &unsubscribe.page,
        };
        let text = texts::mail_text(&to.language, due.kind, variant, &opponents, links);
        // A mail that is sent again after a crash has the same id.
        let id = format!("{}.{}", due.target, due.event.replace(' ', "."));
        let outgoing = OutgoingMail { id, to: &to.address, text, unsubscribe: Some(unsubscribe) };
        Ok(match mailer.send(outgoing).await {
            Ok(()) => Attempt::Sent,
            Err(error @ MailError::Refused(_)) => {
                tracing::warn!(user.id = %due.user, "a notification is not sent by mail: {error}");
                Attempt::Dropped
            }
            Err(error @ MailError::Later(_)) => {
                tracing::debug!(user.id = %due.user, "a notification is sent by mail later: {error}");
                Attempt::Failed
            }
        })
    }
}
