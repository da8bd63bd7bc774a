-- A row is a server that runs on this database, or one that has died and was not followed yet. The times are the
-- database's own (clock_timestamp()): several machines judge by them. A server that knows no leases must not run beside
-- one that does.
create table nodes (
    id uuid primary key,
    name text not null,
    since timestamptz not null,
    renewed_at timestamptz not null,
    lease_until timestamptz not null
);
