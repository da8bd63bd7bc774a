-- A row is a request that made a table and named itself (cmd), so that the same request, sent again, gets the same table.
-- request_hash: the SHA-256 of what was asked for. match_id: the table's first match. A row is removed a day after it was made.
create table table_requests (
    user_id blob not null references users (id),
    cmd text not null check (length(cmd) between 1 and 64),
    request_hash blob not null check (length(request_hash) = 32),
    table_id blob not null references tables (id),
    match_id blob not null references matches (id),
    created_at_ms integer not null,
    primary key (user_id, cmd)
) strict;

create index table_requests_age on table_requests (created_at_ms);
