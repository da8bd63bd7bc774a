-- A row is the recovery key of a user, with which the user continues in another browser. Only its SHA-256 is stored.
create table recovery_keys (
    user_id uuid primary key references users (id),
    key_hash bytea not null unique check (octet_length(key_hash) = 32),
    created_at timestamptz not null
);
