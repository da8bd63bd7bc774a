-- A row is an identity at a provider with which a user signs in. subject: the provider's id of the identity. name: the name
-- that the identity had there when it was connected.
create table provider_identities (
    provider text not null check (char_length(provider) between 1 and 20),
    subject text not null check (char_length(subject) between 1 and 255),
    user_id uuid not null references users (id),
    name text not null check (char_length(name) <= 100),
    connected_at timestamptz not null,
    primary key (provider, subject),
    unique (user_id, provider)
);

-- A row is a sign-in with a provider that has begun in a browser. state_hash: the hash of the secret that the provider sends
-- back, and that the browser has in a cookie. verifier: the secret for the exchange of the code (RFC 7636). connect_user: the
-- user who connects an identity; null if the browser signs in.
create table provider_sign_ins (
    state_hash bytea primary key check (octet_length(state_hash) = 32),
    provider text not null,
    verifier text not null check (char_length(verifier) between 43 and 128),
    connect_user uuid references users (id),
    return_to text not null check (char_length(return_to) <= 500),
    expires_at timestamptz not null
);

-- A row is a browser whose identity at a provider belongs to no user yet, and that may create an account for it. key_hash: the
-- hash of the secret that the browser has in a cookie.
create table provider_sign_ups (
    key_hash bytea primary key check (octet_length(key_hash) = 32),
    provider text not null,
    subject text not null,
    name text not null,
    expires_at timestamptz not null
);
