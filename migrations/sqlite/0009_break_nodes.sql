-- A row is a server that runs on this database, or one that has died and was not followed yet. The times are the
-- machine's own when the row is written: several processes judge by them. A server that knows no leases must not run
-- beside one that does.
create table nodes (
    id blob not null primary key check (length(id) = 16),
    name text not null,
    since_ms integer not null,
    renewed_at_ms integer not null,
    lease_until_ms integer not null
) strict;
