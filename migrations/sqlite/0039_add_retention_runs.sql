-- The only row contains the time from which a server may remove old data again. A server sets it before it begins.
create table retention_runs (
    id integer not null primary key check (id = 1),
    next_at_ms integer not null
) strict;
