-- See the file for Postgres. Only one server uses a file, so it is always null here.
alter table matches add column unowned_since_ms integer;
