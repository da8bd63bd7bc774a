-- A row is a group of users who play with each other. Everybody sees a public group and may join it. secret: the secret of the
-- link by which users join a private one.
create table user_groups (
    id blob not null primary key check (length(id) = 16),
    name text not null check (length(name) between 1 and 40),
    description text check (length(description) between 1 and 500),
    visibility text not null check (visibility in ('private', 'public')),
    secret text not null check (length(secret) between 20 and 100),
    created_at_ms integer not null
) strict;

-- A row is a member of a group, or a user who was removed from it and cannot join again. since: the time at which the user
-- joined.
create table group_members (
    group_id blob not null references user_groups (id),
    user_id blob not null references users (id),
    role text not null check (role in ('owner', 'admin', 'member', 'removed')),
    since_ms integer not null,
    primary key (group_id, user_id)
) strict;

create index group_members_of_user on group_members (user_id);

create unique index group_members_owner on group_members (group_id) where role = 'owner';

-- A row is a table that was created for a group.
create table group_tables (
    table_id blob not null primary key references tables (id),
    group_id blob not null references user_groups (id)
) strict;

create index group_tables_of_group on group_tables (group_id, table_id);
