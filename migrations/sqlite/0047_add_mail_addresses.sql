-- A row is the confirmed mail address of an account. It receives notifications if notifies is true. Whoever has the
-- secret unsubscribe_key, which is in every notification, can end them.
create table mail_addresses (
    id blob not null primary key,
    user_id blob not null unique references users (id),
    address text not null check (length(address) between 3 and 254),
    language text not null check (language in ('en', 'de', 'es')),
    notifies integer not null check (notifies in (0, 1)),
    unsubscribe_key text not null unique check (length(unsubscribe_key) = 32),
    confirmed_at_ms integer not null
) strict;

-- A row is a link that a user has requested by mail: to confirm an address, or to set a new password. The mail is sent
-- at due_at_ms, which is null once it was sent. The link contains a secret, which is made when the mail is sent, and
-- of which only the SHA-256 is stored. It works once, until expires_at_ms. language and notifies are those of the
-- address.
create table mail_links (
    user_id blob not null references users (id),
    kind text not null check (kind in ('confirm', 'reset')),
    address text not null check (length(address) between 3 and 254),
    language text not null check (language in ('en', 'de', 'es')),
    notifies integer not null check (notifies in (0, 1)),
    secret_hash blob unique check (length(secret_hash) = 32),
    created_at_ms integer not null,
    due_at_ms integer,
    attempts integer not null default 0,
    expires_at_ms integer not null,
    primary key (user_id, kind)
) strict;

create index mail_links_due on mail_links (due_at_ms) where due_at_ms is not null;
