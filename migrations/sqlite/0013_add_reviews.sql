-- A row is a review of a match that has ended: one that was requested, and once review is set, one that is made. It follows
-- from the match's log and the engine: a row that is removed may be requested again.
create table reviews (
    match_id blob not null primary key references matches (id),
    requested_at_ms integer not null,
    review text check (json_valid(review) and json_type(review) = 'object')
) strict;

create index reviews_waiting on reviews (requested_at_ms, match_id) where review is null;
