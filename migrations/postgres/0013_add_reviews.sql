-- A row is a review of a match that has ended: one that was requested, and once review is set, one that is made. It follows
-- from the match's log and the engine: a row that is removed may be requested again.
create table reviews (
    match_id uuid primary key references matches (id),
    requested_at timestamptz not null,
    review jsonb check (jsonb_typeof(review) = 'object')
);

create index reviews_waiting on reviews (requested_at, match_id) where review is null;
