-- The one row tells when a server on this database is last known to have run. Clocks are charged up to then when it comes back.
create table server_life (
    id integer not null primary key check (id = 1),
    alive_at_ms integer not null
) strict;
