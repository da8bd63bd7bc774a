//! Notifications of users, and the queue of those that are not sent yet.
//!
//! A notification is queued for each target of its recipient: a webhook, a push subscription or a mail
//! address. Its
//! event identifies it. The same event is queued once for each target, however often a server
//! reports it, so that servers can report events again after a crash.

mod choices;
mod push;
mod webhooks;

use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use crate::Store;
use crate::database::{Sql, Transaction, execute, execute_in, execute_returning, fetch_all};
use crate::error::{StoreError, TransactionError, unreadable};
use crate::time_column::TimeColumn;

pub use choices::{NotificationChoices, QuietHours};
pub use push::{NewPushSubscription, PushKeys, PushSubscription};
pub use webhooks::{NewWebhook, StoredWebhook, WebhookEvents, WebhookOff};

/// The kind of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotificationKind {
    /// A user has opened a table.
    Opened,
    /// A match has started.
    Started,
    /// A match has ended.
    Ended,
    /// It is the user's turn.
    Turn,
    /// The user has requested a test.
    Test,
}

impl NotificationKind {
    const ALL: [Self; 5] = [Self::Opened, Self::Started, Self::Ended, Self::Turn, Self::Test];

    /// Returns the name in the database.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::Started => "started",
            Self::Ended => "ended",
            Self::Turn => "turn",
            Self::Test => "test",
        }
    }

    fn read(text: String) -> Result<Self, StoreError> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == text);
        found.ok_or_else(|| unreadable("notifications.kind", text))
    }
}

/// The way on which a notification reaches its recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A request to a URL of the user.
    Webhook,
    /// A message to a browser, over its push service.
    Push,
    /// A mail.
    Mail,
}

impl Channel {
    /// All channels.
    pub const ALL: [Self; 3] = [Self::Webhook, Self::Push, Self::Mail];

    /// Returns the name in the database and in metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Push => "push",
            Self::Mail => "mail",
        }
    }

    fn read(text: String) -> Result<Self, StoreError> {
        let found = Self::ALL.into_iter().find(|channel| channel.as_str() == text);
        found.ok_or_else(|| unreadable("notifications.channel", text))
    }
}

/// A notification to be queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewNotification {
    /// The kind.
    pub kind: NotificationKind,
    /// The user who is notified by push and by mail. `None` stands for the webhooks of the table's creator.
    pub user: Option<UserId>,
    /// The table.
    pub table: TableId,
    /// The match.
    pub match_id: MatchId,
    /// The number of moves before the user's turn.
    pub ply: u32,
    /// The time at which the notification is sent.
    pub due: Timestamp,
    /// The time at which it is sent by mail.
    pub mail_due: Timestamp,
    /// The time from which the notification is not sent any more.
    pub expires: Timestamp,
}

/// A notification as the statement that queues it receives it.
#[derive(Serialize)]
struct QueuedRow {
    kind: &'static str,
    user: Option<UserId>,
    table: TableId,
    #[serde(rename = "match")]
    match_id: MatchId,
    ply: u32,
    event: String,
    due: u64,
    mail_due: u64,
    expires: u64,
}

impl NewNotification {
    fn row(&self) -> QueuedRow {
        let (kind, match_id) = (self.kind.as_str(), self.match_id);
        let event = match self.kind {
            NotificationKind::Turn => format!("{kind} {match_id} {}", self.ply),
            _ => format!("{kind} {match_id}"),
        };
        QueuedRow {
            kind,
            user: self.user,
            table: self.table,
            match_id,
            ply: self.ply,
            event,
            due: self.due.as_millis(),
            mail_due: self.mail_due.as_millis(),
            expires: self.expires.as_millis(),
        }
    }
}

/// A notification that a server has begun to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueNotification {
    /// The webhook, push subscription or mail address.
    pub target: Uuid,
    /// The text that identifies the notification among those of its target.
    pub event: String,
    /// The channel.
    pub channel: Channel,
    /// The user to whom the target belongs.
    pub user: UserId,
    /// The kind.
    pub kind: NotificationKind,
    /// The table and the match. A test has none.
    pub about: Option<(TableId, MatchId)>,
    /// The number of moves before the user's turn.
    pub ply: u32,
    /// The time at which the notification was queued.
    pub created_at: Timestamp,
    /// The number of attempts, with the one that has begun.
    pub attempts: u32,
    /// The time from which the notification is not sent any more.
    pub expires: Timestamp,
}

/// A row of `notifications` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawNotification {
    target_id: Uuid,
    event: String,
    channel: String,
    user_id: Uuid,
    kind: String,
    table_id: Option<Uuid>,
    match_id: Option<Uuid>,
    ply: i32,
    created_at: TimeColumn,
    attempts: i32,
    expires_at: TimeColumn,
}

impl RawNotification {
    fn read(self) -> Result<DueNotification, StoreError> {
        let about = self.table_id.zip(self.match_id);
        Ok(DueNotification {
            target: self.target_id,
            event: self.event,
            channel: Channel::read(self.channel)?,
            user: UserId(self.user_id),
            kind: NotificationKind::read(self.kind)?,
            about: about.map(|(table, match_id)| (TableId(table), MatchId(match_id))),
            ply: u32::try_from(self.ply).map_err(|_| unreadable("notifications.ply", self.ply))?,
            created_at: self.created_at.read("notifications.created_at")?,
            attempts: u32::try_from(self.attempts).unwrap_or(0),
            expires: self.expires_at.read("notifications.expires_at")?,
        })
    }
}

impl Store {
    /// Queues notifications for all targets that want them. Those that were queued before are not
    /// queued again. Returns the number of queued notifications.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. Then nothing was queued.
    pub async fn queue_notifications(
        &self,
        new: &[NewNotification],
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        if new.is_empty() {
            return Ok(0);
        }
        let rows: Vec<QueuedRow> = new.iter().map(NewNotification::row).collect();
        let rows = serde_json::to_string(&rows).expect("the rows are plain JSON");
        let sql = Sql {
            postgres: "
                with wanted as (
                    select * from jsonb_to_recordset($1::jsonb) as wanted (
                        kind text, \"user\" uuid, \"table\" uuid, \"match\" uuid, ply integer, event text,
                        due bigint, mail_due bigint, expires bigint)
                )
                insert into notifications (target_id, event, channel, user_id, kind, table_id, match_id, ply,
                                           created_at, due_at, expires_at)
                select webhooks.id, wanted.event, 'webhook', webhooks.user_id, wanted.kind, wanted.\"table\",
                       wanted.\"match\", wanted.ply, $2, to_timestamp(wanted.due / 1000.0),
                       to_timestamp(wanted.expires / 1000.0)
                from wanted join tables on tables.id = wanted.\"table\"
                join webhooks on webhooks.user_id = tables.host and webhooks.off_at is null
                where wanted.\"user\" is null
                  and case wanted.kind when 'opened' then on_opened when 'started' then on_started
                                       when 'ended' then on_ended else false end
                union all
                select target.id, wanted.event, 'push', target.user_id, wanted.kind, wanted.\"table\",
                       wanted.\"match\", wanted.ply, $2, to_timestamp(wanted.due / 1000.0),
                       to_timestamp(wanted.expires / 1000.0)
                from wanted join push_subscriptions as target on target.user_id = wanted.\"user\"
                left join notification_choices as choices on choices.user_id = wanted.\"user\"
                where case wanted.kind when 'turn' then coalesce(on_turn, true)
                                       when 'started' then coalesce(on_started, true) else false end
                union all
                select target.id, wanted.event, 'mail', target.user_id, wanted.kind, wanted.\"table\",
                       wanted.\"match\", wanted.ply, $2, to_timestamp(wanted.mail_due / 1000.0),
                       to_timestamp(wanted.expires / 1000.0)
                from wanted join mail_addresses as target on target.user_id = wanted.\"user\" and notifies
                left join notification_choices as choices on choices.user_id = wanted.\"user\"
                where case wanted.kind when 'turn' then coalesce(on_turn, true)
                                       when 'started' then coalesce(on_started, true) else false end
                on conflict do nothing",
            sqlite: "
                with wanted as (
                    select value ->> '$.kind' as kind, unhex(replace(value ->> '$.user', '-', '')) as user,
                           unhex(replace(value ->> '$.table', '-', '')) as table_id,
                           unhex(replace(value ->> '$.match', '-', '')) as match_id,
                           value ->> '$.ply' as ply, value ->> '$.event' as event, value ->> '$.due' as due,
                           value ->> '$.mail_due' as mail_due, value ->> '$.expires' as expires
                    from json_each($1)
                )
                insert into notifications (target_id, event, channel, user_id, kind, table_id, match_id, ply,
                                           created_at_ms, due_at_ms, expires_at_ms)
                select webhooks.id, wanted.event, 'webhook', webhooks.user_id, wanted.kind, wanted.table_id,
                       wanted.match_id, wanted.ply, $2, wanted.due, wanted.expires
                from wanted join tables on tables.id = wanted.table_id
                join webhooks on webhooks.user_id = tables.host and webhooks.off_at_ms is null
                where wanted.user is null
                  and case wanted.kind when 'opened' then on_opened when 'started' then on_started
                                       when 'ended' then on_ended else 0 end
                union all
                select target.id, wanted.event, 'push', target.user_id, wanted.kind, wanted.table_id,
                       wanted.match_id, wanted.ply, $2, wanted.due, wanted.expires
                from wanted join push_subscriptions as target on target.user_id = wanted.user
                left join notification_choices as choices on choices.user_id = wanted.user
                where case wanted.kind when 'turn' then coalesce(on_turn, 1)
                                       when 'started' then coalesce(on_started, 1) else 0 end
                union all
                select target.id, wanted.event, 'mail', target.user_id, wanted.kind, wanted.table_id,
                       wanted.match_id, wanted.ply, $2, wanted.mail_due, wanted.expires
                from wanted join mail_addresses as target on target.user_id = wanted.user and notifies = 1
                left join notification_choices as choices on choices.user_id = wanted.user
                where case wanted.kind when 'turn' then coalesce(on_turn, 1)
                                       when 'started' then coalesce(on_started, 1) else 0 end
                on conflict do nothing",
        };
        let queued = execute!(self, sql, rows.as_str(), TimeColumn::from(now));
        queued.map_err(StoreError::database("queue notifications"))
    }

    /// Begins to send up to `max` due notifications. Until `again`, no other server sends them.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn claim_notifications(
        &self,
        now: Timestamp,
        again: Timestamp,
        max: u16,
    ) -> Result<Vec<DueNotification>, StoreError> {
        let sql = Sql {
            postgres: "
                with due as (
                    select target_id, event from notifications
                    where due_at <= $1 and expires_at > $1 order by due_at limit $3 for update skip locked
                )
                update notifications set due_at = $2, attempts = attempts + 1
                from due
                where notifications.target_id = due.target_id and notifications.event = due.event
                returning notifications.target_id, notifications.event, channel, user_id, kind, table_id,
                          match_id, ply, created_at, attempts, expires_at",
            sqlite: "
                update notifications set due_at_ms = $2, attempts = attempts + 1
                where (target_id, event) in (
                    select target_id, event from notifications
                    where due_at_ms <= $1 and expires_at_ms > $1 order by due_at_ms limit $3
                )
                returning target_id, event, channel, user_id, kind, table_id, match_id, ply,
                          created_at_ms as created_at, attempts, expires_at_ms as expires_at",
        };
        // Most attempts find nothing, and must not keep others from writing.
        if !self.has_due_notification(now).await? {
            return Ok(Vec::new());
        }
        let (now, again, max) = (TimeColumn::from(now), TimeColumn::from(again), i64::from(max));
        let rows = execute_returning!(self, RawNotification, sql, now, again, max);
        let rows = rows.map_err(StoreError::database("begin to send notifications"))?;
        rows.into_iter().map(RawNotification::read).collect()
    }

    async fn has_due_notification(&self, now: Timestamp) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "select 1::bigint from notifications where due_at <= $1 and expires_at > $1 limit 1",
            sqlite: "select 1 from notifications where due_at_ms <= $1 and expires_at_ms > $1 limit 1",
        };
        let rows = fetch_all!(self, (i64,), sql, TimeColumn::from(now));
        Ok(!rows.map_err(StoreError::database("look for due notifications"))?.is_empty())
    }

    /// Records that a notification was sent, or that it is not sent any more.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The notification may then be sent again.
    pub async fn finish_notification(&self, target: Uuid, event: &str) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "update notifications set due_at = null where target_id = $1 and event = $2",
            sqlite: "update notifications set due_at_ms = null where target_id = $1 and event = $2",
        };
        let finished = execute!(self, sql, target, event);
        finished.map(drop).map_err(StoreError::database("finish a notification"))
    }

    /// Records that a notification is sent at a later time.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn postpone_notification(
        &self,
        target: Uuid,
        event: &str,
        due: Timestamp,
    ) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "update notifications set due_at = $3
                       where target_id = $1 and event = $2 and due_at is not null",
            sqlite: "update notifications set due_at_ms = $3
                     where target_id = $1 and event = $2 and due_at_ms is not null",
        };
        let postponed = execute!(self, sql, target, event, TimeColumn::from(due));
        postponed.map(drop).map_err(StoreError::database("postpone a notification"))
    }

    /// Returns the number of notifications that wait, by channel.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn waiting_notifications(&self) -> Result<Vec<(Channel, u64)>, StoreError> {
        let sql = Sql {
            postgres: "select channel, count(*) from notifications where due_at is not null group by channel",
            sqlite: "select channel, count(*) from notifications where due_at_ms is not null group by channel",
        };
        let rows = fetch_all!(self, (String, i64), sql);
        let rows = rows.map_err(StoreError::database("count the waiting notifications"))?;
        let read = |(channel, count)| Ok((Channel::read(channel)?, u64::try_from(count).unwrap_or_default()));
        rows.into_iter().map(read).collect()
    }

    /// Removes the notifications that have expired. Returns their number.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_expired_notifications(&self, now: Timestamp) -> Result<u64, StoreError> {
        let sql = Sql {
            postgres: "delete from notifications where expires_at <= $1",
            sqlite: "delete from notifications where expires_at_ms <= $1",
        };
        let removed = execute!(self, sql, TimeColumn::from(now));
        removed.map_err(StoreError::database("remove old notifications"))
    }
}

impl Transaction {
    /// Queues the notifications that a user has opened a table.
    pub(crate) async fn queue_opened(
        &mut self,
        host: UserId,
        table: TableId,
        match_id: MatchId,
        at: Timestamp,
        expires: Timestamp,
    ) -> Result<(), sqlx::Error> {
        let sql = Sql {
            postgres: "
                insert into notifications (target_id, event, channel, user_id, kind, table_id, match_id, ply,
                                           created_at, due_at, expires_at)
                select id, $4, 'webhook', user_id, 'opened', $2, $3, 0, $5, $5, $6 from webhooks
                where user_id = $1 and on_opened and off_at is null on conflict do nothing",
            sqlite: "
                insert into notifications (target_id, event, channel, user_id, kind, table_id, match_id, ply,
                                           created_at_ms, due_at_ms, expires_at_ms)
                select id, $4, 'webhook', user_id, 'opened', $2, $3, 0, $5, $5, $6 from webhooks
                where user_id = $1 and on_opened and off_at_ms is null on conflict do nothing",
        };
        let event = format!("opened {match_id}");
        let (at, expires) = (TimeColumn::from(at), TimeColumn::from(expires));
        execute_in!(self, sql, host.0, table.0, match_id.0, event, at, expires).map(drop)
    }

    /// Removes everything about the notifications of a user, and the mail address.
    pub(crate) async fn remove_notifications_of(&mut self, user: Uuid) -> Result<(), TransactionError> {
        for sql in [
            "delete from notifications where user_id = $1",
            "delete from push_subscriptions where user_id = $1",
            "delete from webhooks where user_id = $1",
            "delete from notification_choices where user_id = $1",
        ] {
            execute_in!(&mut *self, Sql::both(sql), user)?;
        }
        self.remove_mail_of(user).await?;
        Ok(())
    }
}
