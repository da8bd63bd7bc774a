-- A row is a warning of a user by an operator. The user sees the text until acknowledged_at_ms.
create table user_warnings (
    number integer not null primary key check (number >= 1),
    user_id blob not null references users (id),
    text text not null check (length(text) between 1 and 500),
    warned_at_ms integer not null,
    warned_by blob not null references users (id),
    acknowledged_at_ms integer
) strict;

create index user_warnings_of_user on user_warnings (user_id);
