-- A row is a secret that makes whoever shows it first the user who asked for it: the way to go on from another device.
-- Only the SHA-256 of the secret is kept; a row that was used or has expired is removed.
create table handovers (
    secret_hash bytea primary key check (octet_length(secret_hash) = 32),
    user_id uuid not null references users (id),
    created_at timestamptz not null,
    expires_at timestamptz not null check (expires_at > created_at)
);

create index handovers_expiry on handovers (expires_at);
