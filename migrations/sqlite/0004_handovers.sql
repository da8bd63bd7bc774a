-- A row is a secret that makes whoever shows it first the user who asked for it: the way to go on from another device.
-- Only the SHA-256 of the secret is kept; a row that was used or has expired is removed.
create table handovers (
    secret_hash blob not null primary key check (length(secret_hash) = 32),
    user_id blob not null references users (id),
    created_at_ms integer not null,
    expires_at_ms integer not null check (expires_at_ms > created_at_ms)
) strict;

create index handovers_expiry on handovers (expires_at_ms);
