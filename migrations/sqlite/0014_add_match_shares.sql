-- A row is a share link of a match that has ended: its secret lets whoever has it replay the match, until the player who made
-- it (user_id) removes it. Only the SHA-256 of the secret is kept. A player has one link of a match at most.
create table match_shares (
    match_id blob not null references matches (id),
    user_id blob not null references users (id),
    secret_hash blob not null check (length(secret_hash) = 32),
    created_at_ms integer not null,
    primary key (match_id, user_id)
) strict;
