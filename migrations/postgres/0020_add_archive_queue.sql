-- A row is a match whose start or end is not in the archive yet: its phase has changed to phase since its last summary. It
-- is written with the events that change the phase, and removed with the summary.
create table archive_queue (
    match_id uuid primary key references matches (id),
    phase text not null check (phase in ('running', 'ended'))
);
