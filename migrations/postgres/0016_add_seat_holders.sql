-- A row is a user who holds a seat in an unfinished match, or who is its host. is_playing: the match runs, and the user has
-- a seat that is still in it. The rows follow from the log and are written with it; a match that has ended has none.
create table seat_holders (
    match_id uuid not null references matches (id),
    user_id uuid not null references users (id),
    variant text not null check (variant <> ''),
    is_playing boolean not null,
    primary key (match_id, user_id)
);

create index seat_holders_of_user on seat_holders (user_id, match_id);
