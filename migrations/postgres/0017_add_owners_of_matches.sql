-- The owner is the server (nodes.id) that claimed the match last. It is null if that server released the match, or if
-- it was a server that does not know this column. A server may claim a match from an owner that has no row in nodes or
-- is dead there. released_at is the time of the release by the database's clock; it is null while the match is owned.
alter table matches add column owner uuid;
alter table matches add column released_at timestamptz;
