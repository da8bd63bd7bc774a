-- Servers of a cluster see each other's state here. A dead server has lost its right to act, and its matches may be
-- claimed; the row stays until all of them are claimed, because its alive_at is the time from which nobody is charged.
-- alive_at is the last time at which the server could act, as it knows itself: a renewal may be executed late, after an
-- outage. is_connected is true while the server reaches the others by messages. engines has the names of its engines.
alter table nodes add column state text not null default 'serving' check (state in ('serving', 'draining', 'dead'));
alter table nodes add column is_connected boolean not null default false;
alter table nodes add column engines text[] not null default '{}';
alter table nodes add column alive_at timestamptz;

-- The only row has the secret with which the servers of a cluster authenticate their messages. The first server makes
-- it.
create table cluster_key (
    id smallint primary key check (id = 1),
    key bytea not null check (octet_length(key) = 32)
);

-- A row is a right that was revoked: key is the hash of a session's token, the hash of a link's or share's secret, or
-- the id of a user whose sessions all end. Servers read the rows after the last seq that they know, so that a
-- revocation reaches all of them.
create table revocations (
    seq bigint primary key check (seq >= 1),
    kind text not null check (kind in ('session', 'link', 'share', 'user')),
    key bytea not null check (octet_length(key) = case kind when 'user' then 16 else 32 end),
    at timestamptz not null
);
