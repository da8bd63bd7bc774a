-- A row is a match that has begun, as lists show it. It follows from the match's log: a row that is removed is made again.
-- is_public: whether everybody may see the match; otherwise who sat there. started_at orders the lists.
-- summary is a list's entry about it.
create table archived_matches (
    match_id uuid primary key references matches (id),
    phase text not null check (phase in ('running', 'ended')),
    variant text not null check (variant <> ''),
    is_public boolean not null,
    started_at timestamptz not null,
    summary jsonb not null check (jsonb_typeof(summary) = 'object')
);

create index archived_matches_newest on archived_matches (started_at, match_id);

-- A row is a seat of a match in archived_matches and who played from there. place: the rank of a match that has ended with
-- places; is_shared: whether somebody else has the same one. started_at is the match's.
create table archived_seats (
    match_id uuid not null references archived_matches (match_id) on delete cascade,
    color text not null check (color in ('white', 'black', 'red', 'blue', 'yellow', 'green')),
    user_id uuid not null references users (id),
    started_at timestamptz not null,
    place smallint check (place between 1 and 4),
    is_shared boolean not null,
    primary key (match_id, color)
);

create index archived_seats_of_user on archived_seats (user_id, started_at, match_id);
