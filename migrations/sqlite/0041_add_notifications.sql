-- A row is a URL that receives the events of the tables that a user has created. The requests are signed with the
-- secret. A webhook with off_at_ms receives nothing any more, for the reason off_reason. failures counts the failed
-- requests in a row.
create table webhooks (
    id blob not null primary key,
    user_id blob not null references users (id),
    url text not null check (length(url) between 1 and 2000),
    secret blob not null check (length(secret) = 32),
    on_opened integer not null check (on_opened in (0, 1)),
    on_started integer not null check (on_started in (0, 1)),
    on_ended integer not null check (on_ended in (0, 1)),
    with_private integer not null check (with_private in (0, 1)),
    created_at_ms integer not null,
    sent_at_ms integer,
    failures integer not null default 0,
    off_at_ms integer,
    off_reason text check (length(off_reason) between 1 and 500),
    check ((off_at_ms is null) = (off_reason is null))
) strict;

create index webhooks_of_user on webhooks (user_id);

-- A row is a browser that receives a user's notifications from the push service with the endpoint. It ends with the
-- session.
create table push_subscriptions (
    id blob not null primary key,
    user_id blob not null references users (id),
    session blob not null references sessions (token_hash) on delete cascade,
    endpoint text not null unique check (length(endpoint) between 1 and 2000),
    public_key blob not null check (length(public_key) = 65),
    auth_secret blob not null check (length(auth_secret) = 16),
    language text not null check (language in ('en', 'de', 'es')),
    created_at_ms integer not null
) strict;

create index push_subscriptions_of_user on push_subscriptions (user_id);
create index push_subscriptions_of_session on push_subscriptions (session);

-- A row has the notifications that a user wants. In the quiet hours, which are minutes of the user's day, there are
-- none. Users without a row want all, at any time.
create table notification_choices (
    user_id blob not null primary key references users (id),
    on_turn integer not null check (on_turn in (0, 1)),
    on_started integer not null check (on_started in (0, 1)),
    quiet_from integer check (quiet_from between 0 and 1439),
    quiet_to integer check (quiet_to between 0 and 1439),
    utc_offset integer check (utc_offset between -840 and 840),
    check ((quiet_from is null) = (quiet_to is null) and (quiet_from is null) = (utc_offset is null))
) strict;

-- The only row contains the private key with which the servers identify themselves at push services (VAPID), in PKCS
-- #8.
create table push_key (
    id integer not null primary key check (id = 1),
    key blob not null
) strict;

-- A row is a notification to a target: a webhook, a push subscription or a mail address. It is sent at due_at_ms.
-- Once it is sent or obsolete, due_at_ms is null, and the row prevents that it is sent again until expires_at_ms. A
-- server that begins to send it sets due_at_ms to a later time, at which another server repeats the attempt if that
-- server dies.
create table notifications (
    target_id blob not null,
    event text not null check (length(event) between 1 and 100),
    channel text not null check (channel in ('webhook', 'push', 'mail')),
    user_id blob not null references users (id),
    kind text not null check (kind in ('opened', 'started', 'ended', 'turn', 'test')),
    table_id blob references tables (id),
    match_id blob references matches (id),
    ply integer not null check (ply >= 0),
    created_at_ms integer not null,
    due_at_ms integer,
    attempts integer not null default 0,
    expires_at_ms integer not null,
    primary key (target_id, event)
) strict;

create index notifications_due on notifications (due_at_ms) where due_at_ms is not null;
