-- A row is a share link of a match that has ended: its secret lets whoever has it replay the match, until the player who made
-- it (user_id) removes it. Only the SHA-256 of the secret is kept. A player has one link of a match at most.
create table match_shares (
    match_id uuid not null references matches (id),
    user_id uuid not null references users (id),
    secret_hash bytea not null check (octet_length(secret_hash) = 32),
    created_at timestamptz not null,
    primary key (match_id, user_id)
);
