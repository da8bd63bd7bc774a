-- A row is an identity at a provider with which a user signs in. subject: the provider's id of the identity. name: the name
-- that the identity had there when it was connected.
create table provider_identities (
    provider text not null check (length(provider) between 1 and 20),
    subject text not null check (length(subject) between 1 and 255),
    user_id blob not null references users (id),
    name text not null check (length(name) <= 100),
    connected_at_ms integer not null,
    primary key (provider, subject),
    unique (user_id, provider)
) strict;

-- A row is a sign-in with a provider that has begun in a browser. state_hash: the hash of the secret that the provider sends
-- back, and that the browser has in a cookie. verifier: the secret for the exchange of the code (RFC 7636). connect_user: the
-- user who connects an identity; null if the browser signs in.
create table provider_sign_ins (
    state_hash blob not null primary key check (length(state_hash) = 32),
    provider text not null,
    verifier text not null check (length(verifier) between 43 and 128),
    connect_user blob references users (id),
    return_to text not null check (length(return_to) <= 500),
    expires_at_ms integer not null
) strict;

-- A row is a browser whose identity at a provider belongs to no user yet, and that may create an account for it. key_hash: the
-- hash of the secret that the browser has in a cookie.
create table provider_sign_ups (
    key_hash blob not null primary key check (length(key_hash) = 32),
    provider text not null,
    subject text not null,
    name text not null,
    expires_at_ms integer not null
) strict;
