-- A row is a match that has begun, as lists show it. It follows from the match's log: a row that is removed is made again.
-- is_public: whether everybody may see the match; otherwise who sat there. started_at_ms orders the lists.
-- summary is a list's entry about it.
create table archived_matches (
    match_id blob not null primary key references matches (id),
    phase text not null check (phase in ('running', 'ended')),
    variant text not null check (variant <> ''),
    is_public integer not null check (is_public in (0, 1)),
    started_at_ms integer not null,
    summary text not null check (json_valid(summary) and json_type(summary) = 'object')
) strict;

create index archived_matches_newest on archived_matches (started_at_ms, match_id);

-- A row is a seat of a match in archived_matches and who played from there. place: the rank of a match that has ended with
-- places; is_shared: whether somebody else has the same one. started_at_ms is the match's.
create table archived_seats (
    match_id blob not null references archived_matches (match_id) on delete cascade,
    color text not null check (color in ('white', 'black', 'red', 'blue', 'yellow', 'green')),
    user_id blob not null references users (id),
    started_at_ms integer not null,
    place integer check (place between 1 and 4),
    is_shared integer not null check (is_shared in (0, 1)),
    primary key (match_id, color)
) strict;

create index archived_seats_of_user on archived_seats (user_id, started_at_ms, match_id);
