-- A row is a user who holds a seat in an unfinished match, or who is its host. is_playing: the match runs, and the user has
-- a seat that is still in it. The rows follow from the log and are written with it; a match that has ended has none.
create table seat_holders (
    match_id blob not null references matches (id),
    user_id blob not null references users (id),
    variant text not null check (variant <> ''),
    is_playing integer not null check (is_playing in (0, 1)),
    primary key (match_id, user_id)
) strict;

create index seat_holders_of_user on seat_holders (user_id, match_id);
