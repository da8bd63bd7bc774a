-- A row is an invitation of user_id to a table whose match has not started. seat: the seat for the user; any open seat if null.
-- answer: null until the user has answered. link: the invite that the user has got by accepting.
create table invitations (
    table_id uuid not null references tables (id),
    user_id uuid not null references users (id),
    invited_by uuid not null references users (id),
    seat text check (seat in ('white', 'black', 'red', 'blue', 'yellow', 'green')),
    invited_at timestamptz not null,
    expires_at timestamptz not null,
    answer text check (answer in ('accepted', 'declined')),
    link bytea check (octet_length(link) = 32),
    primary key (table_id, user_id),
    check (user_id <> invited_by)
);

create index invitations_of_user on invitations (user_id);

create index invitations_by_user on invitations (invited_by);
