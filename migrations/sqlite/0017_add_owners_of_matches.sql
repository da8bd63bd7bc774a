-- The owner is the server (nodes.id) that claimed the match last. It is null if it was a server that does not know this
-- column. released_at_ms is the time at which an owner released the match; it is null while the match is owned. Only one
-- server uses a file, so it is always null here.
alter table matches add column owner blob check (length(owner) = 16);
alter table matches add column released_at_ms integer;
