-- A row is a warning of a user by an operator. The user sees the text until acknowledged_at.
create table user_warnings (
    number bigint primary key check (number >= 1),
    user_id uuid not null references users (id),
    text text not null check (char_length(text) between 1 and 500),
    warned_at timestamptz not null,
    warned_by uuid not null references users (id),
    acknowledged_at timestamptz
);

create index user_warnings_of_user on user_warnings (user_id);
