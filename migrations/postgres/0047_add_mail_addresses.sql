-- A row is the confirmed mail address of an account. It receives notifications if notifies is true. Whoever has the
-- secret unsubscribe_key, which is in every notification, can end them.
create table mail_addresses (
    id uuid primary key,
    user_id uuid not null unique references users (id),
    address text not null check (char_length(address) between 3 and 254),
    language text not null check (language in ('en', 'de', 'es')),
    notifies boolean not null,
    unsubscribe_key text not null unique check (char_length(unsubscribe_key) = 32),
    confirmed_at timestamptz not null
);

-- A row is a link that a user has requested by mail: to confirm an address, or to set a new password. The mail is sent
-- at due_at, which is null once it was sent. The link contains a secret, which is made when the mail is sent, and of
-- which only the SHA-256 is stored. It works once, until expires_at. language and notifies are those of the address.
create table mail_links (
    user_id uuid not null references users (id),
    kind text not null check (kind in ('confirm', 'reset')),
    address text not null check (char_length(address) between 3 and 254),
    language text not null check (language in ('en', 'de', 'es')),
    notifies boolean not null,
    secret_hash bytea unique check (octet_length(secret_hash) = 32),
    created_at timestamptz not null,
    due_at timestamptz,
    attempts integer not null default 0,
    expires_at timestamptz not null,
    primary key (user_id, kind)
);

create index mail_links_due on mail_links (due_at) where due_at is not null;
