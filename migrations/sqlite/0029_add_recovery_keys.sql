-- A row is the recovery key of a user, with which the user continues in another browser. Only its SHA-256 is stored.
create table recovery_keys (
    user_id blob not null primary key references users (id),
    key_hash blob not null unique check (length(key_hash) = 32),
    created_at_ms integer not null
) strict;
