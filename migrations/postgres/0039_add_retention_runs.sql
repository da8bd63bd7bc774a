-- The only row contains the time from which a server may remove old data again. A server sets it before it begins.
create table retention_runs (
    id integer primary key check (id = 1),
    next_at timestamptz not null
);
