-- A row is the rating of a user in one variant at one speed. value is the estimate, deviation its standard deviation after
-- the last rated match, at updated_at. Both are derived from the archive.
create table ratings (
    user_id blob not null references users (id),
    variant text not null,
    speed text not null check (speed in ('bullet', 'blitz', 'rapid', 'classical', 'correspondence')),
    value real not null,
    deviation real not null check (deviation > 0),
    volatility real not null check (volatility > 0),
    matches integer not null check (matches >= 1),
    updated_at_ms integer not null,
    primary key (user_id, variant, speed)
) strict;

create index ratings_best on ratings (variant, speed, value desc);

-- A row is a player of a rated match, with the rating before and after it. number is the place of the match in the order in
-- which matches are rated, in which the ratings can be computed again.
create table rating_changes (
    match_id blob not null references matches (id),
    color text not null,
    user_id blob not null references users (id),
    number integer not null,
    variant text not null,
    speed text not null,
    at_ms integer not null,
    value_before real not null,
    deviation_before real not null,
    value real not null,
    deviation real not null,
    volatility real not null,
    primary key (match_id, color)
) strict;

create index rating_changes_in_order on rating_changes (number);

create index rating_changes_of_user on rating_changes (user_id, variant, speed, number);

-- The only row contains the number of the match that was rated last. Whoever rates a match updates the row first, so that
-- matches are rated one after the other.
create table rating_order (
    id integer primary key check (id = 1),
    last integer not null
) strict;
