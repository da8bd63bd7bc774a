-- A row is the rating of a user in one variant at one speed. value is the estimate, deviation its standard deviation after
-- the last rated match, at updated_at. Both are derived from the archive.
create table ratings (
    user_id uuid not null references users (id),
    variant text not null,
    speed text not null check (speed in ('bullet', 'blitz', 'rapid', 'classical', 'correspondence')),
    value double precision not null,
    deviation double precision not null check (deviation > 0),
    volatility double precision not null check (volatility > 0),
    matches bigint not null check (matches >= 1),
    updated_at timestamptz not null,
    primary key (user_id, variant, speed)
);

create index ratings_best on ratings (variant, speed, value desc);

-- A row is a player of a rated match, with the rating before and after it. number is the place of the match in the order in
-- which matches are rated, in which the ratings can be computed again.
create table rating_changes (
    match_id uuid not null references matches (id),
    color text not null,
    user_id uuid not null references users (id),
    number bigint not null,
    variant text not null,
    speed text not null,
    at timestamptz not null,
    value_before double precision not null,
    deviation_before double precision not null,
    value double precision not null,
    deviation double precision not null,
    volatility double precision not null,
    primary key (match_id, color)
);

create index rating_changes_in_order on rating_changes (number);

create index rating_changes_of_user on rating_changes (user_id, variant, speed, number);

-- The only row contains the number of the match that was rated last. Whoever rates a match updates the row first, so that
-- matches are rated one after the other.
create table rating_order (
    id smallint primary key check (id = 1),
    last bigint not null
);
