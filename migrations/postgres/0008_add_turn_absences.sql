-- A row tells how long the player to move of a running match has been away on this turn, as far as the match's log does not.
-- basis: the event that this rests on; it is nothing once the log has a later one that changes the turn. since: since when
-- the player is away, null if it is there again.
create table turn_absences (
    match_id uuid primary key references matches (id),
    basis bigint not null check (basis >= 0),
    spent_ms bigint not null check (spent_ms >= 0),
    since timestamptz
);
