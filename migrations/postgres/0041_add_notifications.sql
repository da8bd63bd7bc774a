-- A row is a URL that receives the events of the tables that a user has created. The requests are signed with the
-- secret. A webhook with off_at receives nothing any more, for the reason off_reason. failures counts the failed
-- requests in a row.
create table webhooks (
    id uuid primary key,
    user_id uuid not null references users (id),
    url text not null check (char_length(url) between 1 and 2000),
    secret bytea not null check (octet_length(secret) = 32),
    on_opened boolean not null,
    on_started boolean not null,
    on_ended boolean not null,
    with_private boolean not null,
    created_at timestamptz not null,
    sent_at timestamptz,
    failures integer not null default 0,
    off_at timestamptz,
    off_reason text check (char_length(off_reason) between 1 and 500),
    check ((off_at is null) = (off_reason is null))
);

create index webhooks_of_user on webhooks (user_id);

-- A row is a browser that receives a user's notifications from the push service with the endpoint. It ends with the
-- session.
create table push_subscriptions (
    id uuid primary key,
    user_id uuid not null references users (id),
    session bytea not null references sessions (token_hash) on delete cascade,
    endpoint text not null unique check (char_length(endpoint) between 1 and 2000),
    public_key bytea not null check (octet_length(public_key) = 65),
    auth_secret bytea not null check (octet_length(auth_secret) = 16),
    language text not null check (language in ('en', 'de', 'es')),
    created_at timestamptz not null
);

create index push_subscriptions_of_user on push_subscriptions (user_id);
create index push_subscriptions_of_session on push_subscriptions (session);

-- A row has the notifications that a user wants. In the quiet hours, which are minutes of the user's day, there are
-- none. Users without a row want all, at any time.
create table notification_choices (
    user_id uuid primary key references users (id),
    on_turn boolean not null,
    on_started boolean not null,
    quiet_from integer check (quiet_from between 0 and 1439),
    quiet_to integer check (quiet_to between 0 and 1439),
    utc_offset integer check (utc_offset between -840 and 840),
    check ((quiet_from is null) = (quiet_to is null) and (quiet_from is null) = (utc_offset is null))
);

-- The only row contains the private key with which the servers identify themselves at push services (VAPID), in PKCS
-- #8.
create table push_key (
    id integer primary key check (id = 1),
    key bytea not null
);

-- A row is a notification to a target: a webhook, a push subscription or a mail address. It is sent at due_at. Once
-- it is sent or obsolete, due_at is null, and the row prevents that it is sent again until expires_at. A server that
-- begins to send it sets due_at to a later time, at which another server repeats the attempt if that server dies.
create table notifications (
    target_id uuid not null,
    event text not null check (char_length(event) between 1 and 100),
    channel text not null check (channel in ('webhook', 'push', 'mail')),
    user_id uuid not null references users (id),
    kind text not null check (kind in ('opened', 'started', 'ended', 'turn', 'test')),
    table_id uuid references tables (id),
    match_id uuid references matches (id),
    ply integer not null check (ply >= 0),
    created_at timestamptz not null,
    due_at timestamptz,
    attempts integer not null default 0,
    expires_at timestamptz not null,
    primary key (target_id, event)
);

create index notifications_due on notifications (due_at) where due_at is not null;
