-- See the file for Postgres. Only one server uses a file, so nobody reads these columns here. engines is a JSON array.
alter table nodes add column state text not null default 'serving' check (state in ('serving', 'draining', 'dead'));
alter table nodes add column is_connected integer not null default 0 check (is_connected in (0, 1));
alter table nodes add column engines text not null default '[]';
alter table nodes add column alive_at_ms integer;

-- The only row has the secret with which the servers of a cluster authenticate their messages. The first server makes
-- it.
create table cluster_key (
    id integer not null primary key check (id = 1),
    key blob not null check (length(key) = 32)
) strict;

-- A row is a right that was revoked: key is the hash of a session's token, the hash of a link's or share's secret, or
-- the id of a user whose sessions all end. Servers read the rows after the last seq that they know, so that a
-- revocation reaches all of them.
create table revocations (
    seq integer not null primary key check (seq >= 1),
    kind text not null check (kind in ('session', 'link', 'share', 'user')),
    key blob not null check (length(key) = case kind when 'user' then 16 else 32 end),
    at_ms integer not null
) strict;
