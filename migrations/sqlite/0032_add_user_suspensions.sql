-- A row is the suspension of a user by an operator: the user may read, but change nothing, until ends_at_ms, or for an
-- unlimited time if it is null. A row that has ended has no effect.
create table user_suspensions (
    user_id blob not null primary key references users (id),
    reason text not null check (length(reason) between 1 and 500),
    suspended_at_ms integer not null,
    ends_at_ms integer check (ends_at_ms > suspended_at_ms),
    suspended_by blob not null references users (id)
) strict;

create index user_suspensions_by_time on user_suspensions (suspended_at_ms);
