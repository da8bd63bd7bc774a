-- A row is a rated match that a user has left before its end, at left_at_ms. It follows from the match's log.
create table match_leaves (
    user_id blob not null references users (id),
    match_id blob not null references matches (id),
    left_at_ms integer not null,
    primary key (user_id, match_id)
) strict;

-- A row is the network from which a user has taken a seat in a rated match. It is removed when the match begins or ends.
create table seat_networks (
    match_id blob not null references matches (id),
    user_id blob not null references users (id),
    network text not null check (network <> ''),
    taken_at_ms integer not null,
    primary key (match_id, user_id)
) strict;
