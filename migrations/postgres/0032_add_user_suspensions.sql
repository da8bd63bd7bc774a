-- A row is the suspension of a user by an operator: the user may read, but change nothing, until ends_at, or for an
-- unlimited time if it is null. A row that has ended has no effect.
create table user_suspensions (
    user_id uuid primary key references users (id),
    reason text not null check (char_length(reason) between 1 and 500),
    suspended_at timestamptz not null,
    ends_at timestamptz check (ends_at > suspended_at),
    suspended_by uuid not null references users (id)
);

create index user_suspensions_by_time on user_suspensions (suspended_at);
